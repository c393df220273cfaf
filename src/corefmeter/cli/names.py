"""The names that shells may complete, by kind; loaded when a shell asks."""

from __future__ import annotations

from collections.abc import Iterable

from click.shell_completion import CompletionItem

from corefmeter.problems import OptionError


def metrics(incomplete: str) -> list[CompletionItem]:
    """Return the metrics, the last of several with commas, with what they are."""
    from corefmeter.metrics import find, names, names_of_others

    found = {"all": "all that need no text"}
    for name in (*names(), *names_of_others()):
        try:
            found[name] = find(name).about
        except OptionError:
            continue  # another package's, which cannot be imported
    before, comma, last = incomplete.rpartition(",")
    return [
        CompletionItem(before + comma + name, help=about)
        for name, about in found.items()
        if name.startswith(last.lower())
    ]


def presets(incomplete: str) -> list[CompletionItem]:
    """Return the presets, with what they score."""
    from corefmeter.presets import PRESETS

    return [
        CompletionItem(name, help=preset.title)
        for name, preset in PRESETS.items()
        if name.startswith(incomplete)
    ]


def formats(incomplete: str) -> list[CompletionItem]:
    """Return the formats, of one side or, after a comma, of the other."""
    from corefmeter.formats import names

    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(before + comma + name) for name in _starting_with(names(), last)]


def groups(incomplete: str) -> list[CompletionItem]:
    """Return the groups of documents, or else a file."""
    from corefmeter.units import GROUPS

    found = [CompletionItem(name) for name in _starting_with(GROUPS, incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


def features(incomplete: str) -> list[CompletionItem]:
    """Return the features of mentions."""
    from corefmeter.mentions.features import FEATURES

    return [CompletionItem(name) for name in _starting_with(FEATURES, incomplete)]


def _starting_with(names: Iterable[str], text: str) -> list[str]:
    return [name for name in names if name.startswith(text)]
