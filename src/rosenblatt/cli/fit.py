"""`rosenblatt fit`: train on a file, say what was learnt, save the model."""

import os
import shlex
from typing import Any

import click

from rosenblatt.cli.app import Stopped, exit_with
from rosenblatt.cli.fit_words import comparison, summary
from rosenblatt.cli.fitted import Judge, Report
from rosenblatt.cli.options import (
    VARIANTS,
    KernelChoice,
    as_typed,
    data_options,
    learning_as_typed,
    learning_options,
    opening_arguments,
    output_options,
    variant_and_kernel,
)
from rosenblatt.cli.outputs import refuse_overwriting
from rosenblatt.cli.progress import ProgressLine, progress_line
from rosenblatt.cli.reading import Examples, in_memory, is_lecture, natural_settings, open_source, read_examples
from rosenblatt.cli.screen import Result, count, emit, note, say, warn
from rosenblatt.cli.training import KERNEL_ROWS, accuracy, suits_kernels, train
from rosenblatt.errors import DataError
from rosenblatt.models.save import refuse_as_json

CHOICES = (*VARIANTS, "kernel", "all")


@click.command("fit", short_help="train on a file, explain and save the model")
@data_options
@click.option("--variant", type=click.Choice(CHOICES), default="standard", show_default=True, help="Which perceptron.")
@click.option(
    "--kernel", help="linear, poly, rbf, sigmoid, laplacian or cosine; with numbers: rbf:GAMMA, poly:GAMMA:DEGREE."
)
@learning_options("shuffle")
@click.option(
    "--test", type=click.FloatRange(0, 1, min_open=True, max_open=True), help="Share of rows set aside to test on."
)
@click.option("--cv", type=click.IntRange(2), help="Folds of a cross-validation.")
@click.option("-o", "--out", help="Save the model here; .json for plain JSON.")
@click.option("--strict", is_flag=True, help="Exit with 1 unless the run ends with a clean pass.")
@click.option("--checkpoint", help="Save the state of the run here while it goes on.")
@click.option("--every", default="30s", show_default=True, help="How often: 30s, 5m, 1h.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint to the identical model.")
@output_options
def command(**given: Any) -> None:
    """Train a perceptron on the rows of DATA (a file, - for standard input, or a shipped set such as w2).

    Prints classes, settings, whether it converged and why, updates against the bound, weights by name, margin, accuracy.

    \b
    rosenblatt fit iris.csv --target species --positive setosa --out iris.json
    rosenblatt fit spam.tsv --text message --variant averaged --test 0.2
    """
    variant, kernel = _choice(given)
    _check_outputs(given, variant, kernel)
    if given["show_python"]:
        from rosenblatt.cli.fit_script import fit_script

        click.echo(fit_script(given, variant, kernel))
        return
    if variant == "all":
        with progress_line(given) as line:
            found, interrupted = _compare(given, line)
        emit(found, given["form"])
        if interrupted:
            raise Stopped("interrupted; the table is of the variants that were trained by then")
        note(f"next: rosenblatt fit {as_typed(given)} --variant {_best(found)} --out MODEL")
        return
    with progress_line(given) as line:
        report, judge = _fit(given, variant, kernel, line)
        judged = _judged(report, judge, given["out"])
    emit(summary(report), given["form"])
    _afterwards(report, given)
    if report.trained.interrupted:
        raise Stopped(_interrupted(report, given))
    if not judged:
        raise Stopped("interrupted after training, while the model was judged; the model is whole")
    if given["strict"] and not report.trained.outcome.converged:
        exit_with(1)


def _choice(given: dict[str, Any]) -> tuple[str, KernelChoice | None]:
    """Return the variant and the kernel; refuse options that do not go together."""
    variant, kernel = variant_and_kernel(given)
    if variant == "all":
        for name in ("out", "checkpoint", "kernel", "resume"):
            if given[name]:
                raise DataError(f"--{name} is for one variant; choose one with --variant.")
    if given["test"] and given["cv"]:
        raise DataError("--test and --cv are two ways to the same answer; choose one.")
    if given["checkpoint"] and (given["test"] or given["cv"] or kernel):
        raise DataError("--checkpoint is for one linear run; leave --test, --cv and --kernel out.")
    if given["checkpoint"] and is_lecture(given["data"]):
        raise DataError(f"--checkpoint is for files; {given['data']} is a shipped data set.")
    if given["resume"] and not given["checkpoint"]:
        raise DataError("--resume needs --checkpoint FILE, the file to go on from.")
    return variant, kernel


def _check_outputs(given: dict[str, Any], variant: str, kernel: KernelChoice | None) -> None:
    """Refuse to write over the data, a model and a checkpoint over each other, or what plain JSON does not hold."""
    data, out, checkpoint = given["data"], given["out"], given["checkpoint"]
    refuse_overwriting(out, data)
    refuse_overwriting(checkpoint, data)
    if out and checkpoint and os.path.realpath(out) == os.path.realpath(checkpoint):
        raise DataError(f"--out and --checkpoint are both {out}; give the model and the checkpoint a name each.")
    if out:
        refuse_as_json("kernel" if kernel is not None else "voted" if variant == "voted" else "linear", out)


def _judged(report: Report, judge: Judge, out: str | None) -> bool:
    """Save the model, and once more with what is found out about it; say whether that came to its end.

    Judging can take as long as training did, and Ctrl-C meanwhile, or while the model is saved, must not cost it.
    """
    ended = True
    try:
        if out:
            report.save(out)
        judge()
    except KeyboardInterrupt:
        ended = False
    if out:
        report.save(out)
    return ended


def _fit(given: dict[str, Any], variant: str, kernel: KernelChoice | None, line: ProgressLine) -> tuple[Report, Judge]:
    """Train; return the report, and what finds out how good the model is."""
    data, opening = given["data"], opening_arguments(given)
    if given["checkpoint"]:
        from rosenblatt.cli.streaming import checkpoint_of, look_at

        look_at(checkpoint_of(given))
    line.stage(f"reading {data}")
    if is_lecture(data):
        examples = read_examples(data, opening)
    else:
        source = open_source(data, opening)
        if not source.fits or given["checkpoint"]:
            return _fit_source(source, given, variant, kernel, line)
        examples = in_memory(source)
    return _fit_rows(examples, given, variant, kernel, line)


def _fit_rows(
    examples: Examples, given: dict[str, Any], variant: str, kernel: KernelChoice | None, line: ProgressLine
) -> tuple[Report, Judge]:
    """Train on rows in memory, with a test or a cross-validation."""
    from rosenblatt.learning.held_out import folds, split

    learn_from = aside = None
    cv: list[float] = []
    if given["test"]:
        learn_from, aside = split(examples.labels, given["test"], seed=given["seed"])
    parts = folds(examples.labels, given["cv"], seed=given["seed"]) if given["cv"] else ()
    for k, (some, others) in enumerate(parts, 1):
        fold = f", fold {k} of {given['cv']}"
        part = train(examples, given, variant=variant, kernel=kernel, rows=some, line=line, fold=fold)
        if part.interrupted:
            raise Stopped(
                f"interrupted in fold {k} of {given['cv']}; the model comes after the folds, so there is none"
            )
        line.stage(f"judging{fold}")
        cv.append(accuracy(part.model, examples, others))
    trained = train(examples, given, variant=variant, kernel=kernel, rows=learn_from, line=line)
    report = Report.of(examples, trained, opening_arguments(given))
    report.cv = cv

    def judge() -> None:
        line.stage("judging")
        report.train_accuracy = accuracy(trained.model, examples, learn_from)
        if aside is not None:
            report.test_accuracy, report.n_test = accuracy(trained.model, examples, aside), len(aside)
        report.sizes = examples.rows.largest()
        report.look_for_hints(examples, report.sizes, scaled=given["scale"] not in (None, "none"))
        if examples.small:
            report.look_for_bound(examples, learn_from)

    return report, judge


def _fit_source(
    source: Any, given: dict[str, Any], variant: str, kernel: KernelChoice | None, line: ProgressLine
) -> tuple[Report, Judge]:
    """Train on a file in blocks, with constant memory."""
    from rosenblatt.cli.streaming import fit_source

    if given["test"] or given["cv"] or kernel is not None:
        raise DataError(
            f"{source.path} is larger than the memory budget; --test, --cv and kernels need all rows at once. "
            "Use a larger --memory, or test on another file with rosenblatt evaluate."
        )
    return fit_source(source, given, variant, line)


def _compare(given: dict[str, Any], line: ProgressLine) -> tuple[Result, bool]:
    """Train every variant; return one table, and whether Ctrl-C ended it early."""
    line.stage(f"reading {given['data']}")
    examples = read_examples(given["data"], opening_arguments(given))
    kinds: list[tuple[str, KernelChoice | None]] = [(variant, None) for variant in VARIANTS]
    if examples.rows.n <= KERNEL_ROWS and suits_kernels(given):
        kinds.append(("standard", KernelChoice("rbf")))
    reports: list[Report] = []
    try:
        for variant, kernel in kinds:
            report, judge = _fit_rows(examples, given, variant, kernel, line)
            judge()
            reports.append(report)
            if report.trained.interrupted:
                return comparison(reports), True
    except (KeyboardInterrupt, Stopped):
        if not reports:
            raise
        return comparison(reports), True
    return comparison(reports), False


def _best(found: Result) -> str:
    """Return the variant of a comparison that is right most often on rows it did not learn from, where there are any."""
    at = len(found.header) - 2  # the last accuracy: of unseen rows where --test or --cv was given
    return str(max(found.rows, key=lambda row: row[at])[0])


def _interrupted(report: Report, given: dict[str, Any]) -> str:
    """Return what to say after Ctrl-C: the result above is what had been learnt by then."""
    made = report.trained.outcome
    said = f"interrupted in pass {made.n_passes:,} after {made.n_updates:,} updates"
    if given["checkpoint"]:
        return f"{said}; go on with --checkpoint {given['checkpoint']} --resume"
    return f"{said}; the model is the one learnt so far (--checkpoint FILE lets a run go on)"


def _afterwards(report: Report, given: dict[str, Any]) -> None:
    """Say on standard error what was written, what to know and what to do next."""
    shuffled = report.trained.settings.get("order", "cyclic") in ("shuffle", "shuffle_once", "random")
    say(report.notes, shuffled=shuffled)
    outcome = report.trained.outcome
    data = as_typed(given if given["data"] != "-" else given | {"data": "FILE"})  # a pipe cannot be read again
    if not outcome.converged and not report.trained.interrupted:
        advice = f"`rosenblatt check {data}` tells whether it can."
        if report.trained.kernel is not None:
            advice = "A narrower kernel may (--kernel rbf:GAMMA with a larger GAMMA)."
        passes, updates = count(outcome.n_passes, "pass", "passes"), count(outcome.n_updates, "update")
        warn(f"not converged after {passes} ({updates}). {advice}")
        for hint in report.hints:
            note(f"  {hint}")
    if report.out:
        note(f"wrote {report.out}")
        note(f"next: rosenblatt predict {shlex.quote(report.out)} FILE")
    elif outcome.converged and report.d <= 10 and report.trained.kernel is None:
        note(
            f"next: rosenblatt trace {data} {learning_as_typed(given, report.trained.variant, natural_settings(given['data']))}".rstrip()
        )
