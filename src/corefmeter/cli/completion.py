"""``corefmeter completion SHELL``"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from corefmeter.cli.help import Choice, command


@command()
@click.argument("shell", metavar="bash|zsh|fish", type=Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that lets a shell complete commands, options, names and files.

    Names are those of metrics, presets, formats, policies and features.

    \b
    Examples:
      corefmeter completion bash >> ~/.bashrc
      corefmeter completion zsh >> ~/.zshrc
      corefmeter completion fish > ~/.config/fish/completions/corefmeter.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    program = context.find_root().command
    click.echo(kind(program, {}, "corefmeter", "_COREFMETER_COMPLETE").source())
