"""The names that shells may complete, by kind; loaded when a shell asks."""

from __future__ import annotations

from collections.abc import Mapping

from click.shell_completion import CompletionItem

from corefmeter.problems import OptionError


def metrics(incomplete: str) -> list[CompletionItem]:
    """Return the metrics, the last of several with commas, with what they are."""
    from corefmeter.metrics import find, known_names

    found = {"all": "all that need no text"}
    for name in known_names():
        try:
            found[name] = find(name).about
        except OptionError:
            continue  # another package's, which cannot be imported
    before, comma, last = incomplete.rpartition(",")
    return _complete(last.lower(), found, before + comma)


def presets(incomplete: str) -> list[CompletionItem]:
    """Return the presets, with what they score."""
    from corefmeter.presets import PRESETS

    return _complete(incomplete, {name: preset.title for name, preset in PRESETS.items()})


def formats(incomplete: str) -> list[CompletionItem]:
    """Return the formats, of one side or, after a comma, of the other."""
    from corefmeter.formats import names

    before, comma, last = incomplete.rpartition(",")
    return _complete(last, dict.fromkeys(names()), before + comma)


def groups(incomplete: str) -> list[CompletionItem]:
    """Return the groups of documents, or else a file."""
    from corefmeter.units import GROUPS

    found = _complete(incomplete, dict.fromkeys(GROUPS))
    return found or [CompletionItem(incomplete, type="file")]


def features(incomplete: str) -> list[CompletionItem]:
    """Return the features of mentions."""
    from corefmeter.mentions.features import FEATURES

    return _complete(incomplete, dict.fromkeys(FEATURES))


def _complete(text: str, help: Mapping[str, str | None], before: str = "") -> list[CompletionItem]:
    """Return the names that begin with a text, `before` in front of them, with their help."""
    return [
        CompletionItem(before + name, help=about)
        for name, about in help.items()
        if name.startswith(text)
    ]
