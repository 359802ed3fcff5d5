"""`rosenblatt completion`: the lines that make a shell complete commands and options."""

import click


@click.command("completion", short_help="completion of commands for bash, zsh or fish")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash: eval "$(rosenblatt completion bash)"       in ~/.bashrc
    zsh:  eval "$(rosenblatt completion zsh)"        in ~/.zshrc
    fish: rosenblatt completion fish > ~/.config/fish/completions/rosenblatt.fish
    """
    from click.shell_completion import BashComplete, FishComplete, ZshComplete

    from rosenblatt.cli.app import app

    classes = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
    maker = classes[shell](app, {}, "rosenblatt", "_ROSENBLATT_COMPLETE")
    # Only the text: the class would ask the installed bash for its version first.
    click.echo(maker.source_template % maker.source_vars())
