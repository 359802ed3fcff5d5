"""The Python script that does what a `fit` command does."""

from typing import Any

from rosenblatt.cli.options import VARIANTS, KernelChoice, opening_arguments
from rosenblatt.cli.reading import is_lecture, natural_settings, reading_script
from rosenblatt.cli.script import arguments, open_lines, script
from rosenblatt.cli.streaming import PASSES, checkpoint_of
from rosenblatt.cli.training import KERNEL_ROWS, settings_of, suits_kernels

CONVERGED = 'print("converged:", outcome.converged, "updates:", outcome.n_updates)'


def fit_script(given: dict[str, Any], variant: str, kernel: KernelChoice | None) -> str:
    """Return the script of a fit."""
    natural = natural_settings(given["data"])
    if variant == "all":
        return _of_all(given, natural)
    settings = settings_of(given, variant, kernel, natural)
    if is_lecture(given["data"]) or kernel or given["test"] or given["cv"]:
        imports, lines = _reading(given)
        lines += [*_function("train", given, settings, kernel), "", "", *_measured(given)]
    else:
        imports, lines = _of_source(given, settings)
    if not given["out"]:
        return script(lines, imports=imports)
    return script(lines, _saving(given), imports=(*imports, "rosenblatt.models.folding"))


def _of_source(given: dict[str, Any], settings: dict[str, Any]) -> tuple[tuple[str, ...], list[str]]:
    """Return imports and lines of a fit that reads its file in blocks where it is larger than the memory budget."""
    imports: tuple[str, ...] = ("rosenblatt", "rosenblatt.data")
    told = arguments(settings)
    if given["max_passes"] is None:
        told += f", max_passes=1000 if source.fits else {PASSES}"
    if given["checkpoint"]:
        imports += ("rosenblatt.learning",)
        told += f", checkpoint=rosenblatt.learning.{checkpoint_of(given)!r}"
    return imports, [
        *open_lines(given["data"], opening_arguments(given)),
        f"outcome = rosenblatt.learn(source, journal=False{told})",
        "model = outcome.model",
        CONVERGED,
        "right = sum((model.predict(block.rows) == source.classes[block.codes]).sum() for block in source.blocks())",
        'print("accuracy:", right / source.n)',
    ]


def _reading(given: dict[str, Any]) -> tuple[tuple[str, ...], list[str]]:
    """Return imports and lines that have all rows in X, their labels in y, and their weights where there are any."""
    imports, lines = reading_script(given["data"], opening_arguments(given))
    imports += ("rosenblatt.learning.kernel", "rosenblatt.models.kernels") if _has_kernel(given) else ()
    imports += ("rosenblatt.learning.held_out",) if given["test"] or given["cv"] else ()
    if is_lecture(given["data"]):
        return (*imports, "rosenblatt.data"), [*lines, "X = rosenblatt.data.as_rows(X)"]
    return imports, [*lines, *(["weights = source.whole().weights"] if given["weight"] else [])]


def _has_kernel(given: dict[str, Any]) -> bool:
    return bool(given["kernel"]) or given["variant"] in ("kernel", "all")


def _function(name: str, given: dict[str, Any], settings: dict[str, Any], kernel: KernelChoice | None) -> list[str]:
    """Return the function that trains one variant."""
    weighted = given["weight"] is not None
    told = (", weights=weights" if weighted else "") + arguments(settings)
    lines = [
        f"outcome = rosenblatt.learn(X, y, journal=False{told})",
        "return outcome.model, outcome",
    ]
    if kernel is not None:
        lines = [
            f"kernel = {kernel.script('X.d')}",
            f"return rosenblatt.learning.kernel.learn_dual(X, y, kernel=kernel{told})",
        ]
    head = f"def {name}(X, y{', weights' if weighted else ''}):"
    return ["", "", head, *(f"    {line}" for line in lines)]


def _measured(given: dict[str, Any]) -> list[str]:
    """Return the lines that train, and measure on all rows or on those set aside."""
    weighted = given["weight"] is not None
    every = f"train(X, y{', weights' if weighted else ''})"
    part = f"train(X.take(some), y[some]{', weights[some]' if weighted else ''})"
    if given["test"]:
        return [
            f"some, aside = rosenblatt.learning.held_out.split(y, {given['test']!r}, seed={given['seed']!r})",
            f"model, outcome = {part}",
            CONVERGED,
            'print("accuracy on rows set aside:", (model.predict(X.take(aside)) == y[aside]).mean())',
        ]
    lines = []
    if given["cv"]:
        lines = [
            f"for some, aside in rosenblatt.learning.held_out.folds(y, {given['cv']!r}, seed={given['seed']!r}):",
            f"    model, outcome = {part}",
            '    print("accuracy of a fold:", (model.predict(X.take(aside)) == y[aside]).mean())',
        ]
    return [*lines, f"model, outcome = {every}", CONVERGED, 'print("accuracy:", (model.predict(X) == y).mean())']


def _of_all(given: dict[str, Any], natural: dict[str, Any]) -> str:
    """Return the script that trains every variant."""
    imports, lines = _reading(given)
    for variant in VARIANTS:
        lines += _function(variant, given, settings_of(given, variant, None, natural), None)
    trained = ", ".join(VARIANTS)
    if suits_kernels(given):
        rbf = KernelChoice("rbf")
        lines += _function("kernel", given, settings_of(given, "standard", rbf, natural), rbf)
        trained += f", *([kernel] if X.n <= {KERNEL_ROWS} else [])"
    lines += ["", "", f"for train in ({trained}):", "    print(train.__name__)"]
    return script([*lines, *(f"    {line}" for line in _measured(given))], imports=imports)


def _saving(given: dict[str, Any]) -> list[str]:
    out = repr(given["out"])
    if is_lecture(given["data"]):  # a set without scaling: there is nothing to fold
        return [
            f"names = rosenblatt.datasets.load({given['data']!r}).names",
            'columns = tuple(rosenblatt.data.Column(name, "number") for name in names)',
            f"rosenblatt.save(model, {out}, encoder=rosenblatt.data.Encoder(columns=columns))",
        ]
    training = {"training": {"positive": given["positive"]}} if given["positive"] else {}
    return [
        "model, encoder = rosenblatt.models.folding.fold(model, source.encoder)",
        f"rosenblatt.save(model, {out}, encoder=encoder{arguments(training)})",
    ]
