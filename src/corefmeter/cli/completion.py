"""``corefmeter completion SHELL``"""

from __future__ import annotations

import click
from click import shell_completion

from corefmeter.cli.help import Choice, command


@shell_completion.add_completion_class
class _Bash(shell_completion.BashComplete):
    """Bash cuts words at ``=``: NAME=VALUE comes as three, of which the last is completed."""

    source_template = shell_completion.BashComplete.source_template.replace(
        "    return 0", "    [[ $COMPREPLY == *= ]] && compopt -o nospace\n    return 0"
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        arguments, incomplete = super().get_completion_args()
        words = [""]
        for word in (*arguments, incomplete):
            if word == "=" or words[-1].endswith("="):
                words[-1] += word
            else:
                words.append(word)
        self._before = words[-1].removesuffix(incomplete) if incomplete != "=" else words[-1]
        return words[1:-1], words[-1]

    def format_completion(self, item: shell_completion.CompletionItem) -> str:
        item.value = item.value.removeprefix(self._before)
        return super().format_completion(item)


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
    kind = shell_completion.get_completion_class(shell)
    assert kind is not None
    program = context.find_root().command
    click.echo(kind(program, {}, "corefmeter", "_COREFMETER_COMPLETE").source())
