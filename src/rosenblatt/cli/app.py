"""The front door: finds the command, loads it alone, and turns what goes wrong into a message and an exit code.

Exit codes: 0 done; 1 the answer is no; 2 bad input; 70 a fault of the program; 130 interrupted, 143 by SIGTERM.
"""

import difflib
import importlib
import sys
from collections.abc import Sequence
from typing import Any

import click

from rosenblatt.cli.streams import Termination, prepare_streams, silence_stdout

COMMANDS = {
    "fit": "train on a file, explain and save the model",
    "predict": "label the rows of a file with a saved model",
    "evaluate": "compare a saved model with the labels of a file",
    "check": "is the data linearly separable? with a proof",
    "verify": "check such a proof again, without a solver",
    "trace": "every step of a run, with its arithmetic",
    "study": "many runs over orders, starts, rates: how many updates?",
    "plot": "a picture of a run, a study, a proof or a model",
    "lab": "the perceptron step by step in the browser",
    "explain": "the score of one row, term by term",
    "convert": "a data file or a model in another format",
    "export": "a model as ONNX, Python, C or SQL",
    "demo": "the main job on shipped data, in a few seconds",
    "completion": "completion of commands for bash, zsh or fish",
}
BAD_INPUT, FAULT, INTERRUPTED, TERMINATED = 2, 70, 130, 143


class ReaderGone(Exception):
    """The reader of our standard output has closed it."""


class Stopped(Exception):
    """Ctrl-C was pressed; the message says what was kept."""


class Commands(click.Group):
    """A group whose commands are imported when they are called, so that --help costs nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rosenblatt.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of a line, or suggest the nearest."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"\n  did you mean {close[0]}?" if close else f"\n  commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; name what click would answer in its own way."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None
        except KeyboardInterrupt:
            raise Stopped("interrupted") from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        import rosenblatt

        click.echo(f"rosenblatt {rosenblatt.__version__}")
        ctx.exit()


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Results go to standard output (a table on a terminal, CSV in a pipe, JSON with --json), everything else to "
    "standard error. 'rosenblatt COMMAND --help' tells more.",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def app() -> None:
    """Perceptrons from a file to a proof: train, check, trace, predict."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    prepare_streams()
    with Termination() as termination:
        code = _run(arguments)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):  # full or gone, which has been said
        silence_stdout()
    return TERMINATED if code == INTERRUPTED and termination.came else code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = app.main(None if arguments is None else list(arguments), prog_name="rosenblatt", standalone_mode=False)
        sys.stdout.flush()
        return int(code) if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return _usage(error)
    except click.exceptions.Exit as stop:
        return int(stop.exit_code)
    except (ReaderGone, BrokenPipeError):
        silence_stdout()
        return 0
    except (Stopped, KeyboardInterrupt, click.Abort) as stop:
        from rosenblatt.cli.screen import note

        note(str(stop) if isinstance(stop, Stopped) else "interrupted")
        return INTERRUPTED
    except Exception as error:
        return _failure(error)


def _usage(error: click.ClickException) -> int:
    from rosenblatt.cli.screen import complain

    message = error.format_message()
    context = getattr(error, "ctx", None)
    complain(message[:1].lower() + message[1:] if message[1:2].islower() else message)
    if context is not None and context.command_path:
        click.echo(f"  help: {context.command_path} --help", err=True)
    return BAD_INPUT


def _failure(error: Exception) -> int:
    """Say what went wrong; bad input is the user's to mend, anything else is a fault of ours."""
    from rosenblatt.cli.screen import complain, in_words_of_the_command_line
    from rosenblatt.errors import DataError, MissingExtra

    if isinstance(error, DataError | MissingExtra):
        complain(in_words_of_the_command_line(str(error)))
        return BAD_INPUT
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        complain(f"{name}{error.strerror[:1].lower()}{error.strerror[1:]}")
        return BAD_INPUT
    if isinstance(error, MemoryError):
        complain("not enough memory; give a smaller --memory, or fewer rows")
        return BAD_INPUT
    import traceback

    traceback.print_exception(error)
    complain("this is a fault of rosenblatt; please report it with the lines above and the command you typed")
    return FAULT


def exit_with(code: int) -> Any:
    """End the command with an exit code."""
    raise click.exceptions.Exit(code)
