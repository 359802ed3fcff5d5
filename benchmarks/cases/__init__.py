"""The comparisons, one file a subject."""

from benchmarks.case import Case


def all_cases() -> list[Case]:
    """Return every case, in the order of the table."""
    from benchmarks.cases import convergence, files, kernels, linear, prediction, small

    return [*linear.CASES, *convergence.CASES, *kernels.CASES, *prediction.CASES, *small.CASES, *files.CASES]
