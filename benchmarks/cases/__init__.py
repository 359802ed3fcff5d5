"""The comparisons, one file a subject."""

from benchmarks.case import Case


def all_cases() -> list[Case]:
    """Return every case, in the order of the table."""
    from benchmarks.cases import kernels, linear, small

    return [*linear.CASES, *kernels.CASES, *small.CASES]
