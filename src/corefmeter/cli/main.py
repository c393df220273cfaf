"""The program: commands, loaded when they are called, and the meaning of exit statuses.

0: done. 2: wrong usage. 3: the data cannot be scored. 4: done, but a limit that the user
gave is not reached. Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import Any, NoReturn, cast

import click

from corefmeter._version import __version__
from corefmeter.cli.help import OTHER_PACKAGES, Group, progress_bar
from corefmeter.doors import fetch, offered, refuse_removed
from corefmeter.problems import CorefmeterError, OptionError, Problem, printable, unwritable

#: The first headings of the overview, in order.
_FIRST = ("Score", "Understand", "Compare", "Annotators", "Files", "Platforms", "Research")

#: The commands, each with its heading and the line that the overview shows without importing it.
#: A command of another package names its heading itself; see `help.Command`.
COMMANDS = {
    "score": ("Score", "Score responses against a key."),
    "errors": ("Understand", "Show errors in links, mentions and entities."),
    "card": ("Understand", "Break a score down: detection, linking, types, long texts."),
    "report": ("Understand", "Write an HTML page: scores, entities, text, errors."),
    "match": ("Understand", "Show which response mention matches which key mention."),
    "compare": ("Compare", "Test whether systems differ: p-values, intervals, ranks."),
    "convert": ("Files", "Convert files from one format to another."),
    "validate": ("Files", "List all problems of files."),
    "stats": ("Files", "Count documents, mentions and entities of one or more files."),
    "list": ("Reference", "List metrics, presets, formats or policies."),
    "cite": ("Reference", "Print the papers of metrics as BibTeX."),
    "completion": ("Reference", "Print a shell-completion script."),
}


class _Commands(Group):
    """A group that imports a command only when it is used, those of other packages included."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *offered("command")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            name = "listing" if cmd_name == "list" else cmd_name.replace("-", "_")
            command = getattr(import_module(f"corefmeter.cli.{name}"), name)
            command.short_help = COMMANDS[cmd_name][1]
            return cast(click.Command, command)
        if cmd_name in offered("command"):
            return _fetch_command(cmd_name)
        refuse_removed("command", cmd_name)
        return None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with a progress bar for reading; then name the links that it followed."""
        from corefmeter.formats.output import links_followed
        from corefmeter.formats.source import recording_inputs

        # Inputs are recorded so that no output replaces one of them.
        try:
            with progress_bar("reading") as progress, recording_inputs(progress):
                return super().invoke(ctx)
        finally:  # also after an error, since a file may have been written before it
            for link, place in links_followed().items():
                note = f"{link}: note: is a link; what was written is at {place}"
                click.echo(printable(note), err=True)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview: each heading with its commands, one line a command."""
        rows = [(heading, name, line) for name, (heading, line) in COMMANDS.items()]
        for name in offered("command"):
            try:
                command = _fetch_command(name)
                heading = getattr(command, "section", OTHER_PACKAGES)
                rows.append((heading, name, command.get_short_help_str(100)))
            except OptionError as error:
                rows.append((OTHER_PACKAGES, name, str(error)))
        room = max(len(name) for _, name, _ in rows)
        for heading in dict.fromkeys((*_FIRST, *(heading for heading, _, _ in rows))):
            below = [(name.ljust(room), line) for section, name, line in rows if section == heading]
            if below:
                with formatter.section(heading):
                    formatter.write_dl(below)


def _fetch_command(name: str) -> click.Command:
    command = fetch("command", name)
    if not isinstance(command, click.Command):
        raise OptionError(f"{offered('command')[name].value} of another package is no command")
    return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 done, 2 wrong usage, 3 data that cannot be scored, 4 done, but below a "
    "limit of --fail-under, or --fail-on applies.",
)
@click.version_option(__version__, prog_name="corefmeter")
def program() -> None:
    """Score coreference: exact, instant, explained.

    \b
    Start with:
      corefmeter score key.conll response.conll
    """


def main() -> NoReturn:
    """Run the program and exit."""
    # Nothing here makes reference cycles worth collecting, and the process is short.
    gc.disable()
    _open_closed_streams()
    if "_COREFMETER_COMPLETE" in os.environ:  # a shell asks: the import adds our class for Bash
        import_module("corefmeter.cli.completion")
    stdout = sys.stdout
    if isinstance(stdout, TextIOWrapper):  # escape characters that it cannot encode
        stdout.reconfigure(errors="backslashreplace")
    try:
        status = program.main(prog_name="corefmeter", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        _fail("interrupted", 130)
    except click.ClickException as error:
        message = StringIO()
        error.show(message)
        click.echo("\n".join(map(printable, message.getvalue().split("\n"))), err=True, nl=False)
        sys.exit(error.exit_code)
    except OptionError as error:
        _fail(f"Error: {error}", 2)
    except CorefmeterError as error:
        _fail(str(error), 3)
    except MemoryError:
        hint = "Score fewer documents at a time, or give the program more memory."
        reason = "there is not enough memory"
        _fail(str(Problem("too-large", reason, "error", hint=hint)), 3)
    except BrokenPipeError:
        _exit_quietly()
    except SystemExit:
        # When the reader of our output has gone, click ends with status 1 and wraps the stream.
        if sys.stdout is stdout:
            raise
        _exit_quietly()
    except OSError as error:
        if error.filename is not None:
            raise
        _discard_output()
        _fail(str(unwritable("standard output", error)), 3)
    sys.exit(status if isinstance(status, int) else 0)


def _open_closed_streams() -> None:
    """Open closed standard streams, so that no file gets their numbers; writing output fails."""
    if sys.stdout is None:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 1)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # for the whole run
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # likewise


def _exit_quietly() -> NoReturn:
    """End quietly, since the reader of our output has gone."""
    _discard_output()
    sys.exit(0)


def _discard_output() -> None:
    """Discard output that is still in a buffer, which Python would write at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str, status: int) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(status)
