"""The Python script that does what a `fit` command does."""

from typing import Any

from rosenblatt.cli.options import VARIANTS, KernelChoice, learning_arguments, opening_arguments
from rosenblatt.cli.reading import is_lecture, natural_settings, reading_script
from rosenblatt.cli.script import arguments, script


def fit_script(given: dict[str, Any], variant: str, kernel: KernelChoice | None) -> str:
    """Return the script of a fit."""
    imports, lines = reading_script(given["data"], opening_arguments(given))
    if is_lecture(given["data"]):
        imports, lines = (*imports, "rosenblatt.data"), [*lines, "X = rosenblatt.data.as_rows(X)"]
    natural = natural_settings(given["data"])
    if variant == "all":
        return script(lines, "", *_comparison(given, natural), imports=imports)
    settings = learning_arguments(given, variant, natural)
    extra = ("rosenblatt.learning.held_out",) if given["test"] or given["cv"] else ()
    run = _run_kernel(settings, kernel) if kernel else _run(settings)
    imports += (("rosenblatt.learning.kernel_machine", "rosenblatt.models.kernels") if kernel else ()) + extra
    body = [*lines, "", "", "def train(X, y):", *(f"    {line}" for line in run), "", ""]
    body += _measured(given)
    if given["out"]:
        imports += ("rosenblatt.models.folding",)
        body += _saving(given)
    return script(body, imports=imports)


def _run(settings: dict[str, Any]) -> list[str]:
    return [f"outcome = rosenblatt.learn(X, y, journal=False{arguments(settings)})", "return outcome.model, outcome"]


def _run_kernel(settings: dict[str, Any], kernel: KernelChoice) -> list[str]:
    return [
        f"kernel = {kernel.script('X.d')}",
        f"return rosenblatt.learning.kernel_machine.learn_dual(X, y, kernel=kernel{arguments(settings)})",
    ]


def _measured(given: dict[str, Any]) -> list[str]:
    if given["test"]:
        return [
            f"some, aside = rosenblatt.learning.held_out.split(y, {given['test']!r}, seed={given['seed']!r})",
            "model, outcome = train(X.take(some), y[some])",
            'print("converged:", outcome.converged, "updates:", outcome.n_updates)',
            'print("accuracy on rows set aside:", (model.predict(X.take(aside)) == y[aside]).mean())',
        ]
    lines = []
    if given["cv"]:
        lines = [
            f"for some, aside in rosenblatt.learning.held_out.folds(y, {given['cv']!r}, seed={given['seed']!r}):",
            "    model, outcome = train(X.take(some), y[some])",
            '    print("accuracy of a fold:", (model.predict(X.take(aside)) == y[aside]).mean())',
        ]
    return [
        *lines,
        "model, outcome = train(X, y)",
        'print("converged:", outcome.converged, "updates:", outcome.n_updates)',
        'print("accuracy:", (model.predict(X) == y).mean())',
    ]


def _comparison(given: dict[str, Any], natural: dict[str, Any]) -> list[str]:
    lines = []
    for variant in VARIANTS:
        settings = learning_arguments(given, variant, natural)
        lines += [
            f"outcome = rosenblatt.learn(X, y, journal=False{arguments(settings)})",
            f"print({variant!r}, outcome, (outcome.model.predict(X) == y).mean())",
        ]
    return lines


def _saving(given: dict[str, Any]) -> list[str]:
    if is_lecture(given["data"]):
        return [f"rosenblatt.save(model, {given['out']!r})"]
    return [
        "model, encoder = rosenblatt.models.folding.fold(model, source.encoder)",
        f"rosenblatt.save(model, {given['out']!r}, encoder=encoder.to_dict())",
    ]
