"""The comparisons, one file a subject."""

from benchmarks.case import Case


def all_cases() -> dict[str, list[Case]]:
    """Return every case by section, in the order of the table."""
    from benchmarks.cases import convergence, files, in_order, kernels, linear, prediction, small, tricks

    return {
        "learning": [*linear.CASES, *convergence.CASES],
        "in order, at the speed of memory": in_order.CASES,
        "kernels": kernels.CASES,
        "prediction": prediction.CASES,
        "small calls": small.CASES,
        "files": files.CASES,
        "what each trick buys": tricks.CASES,
    }
