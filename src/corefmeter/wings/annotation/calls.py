"""Calls for annotation projects: agree, merge, stitch."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from corefmeter.api import name_systems
from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.convert import as_corpus
from corefmeter.corpus.model import Corpus
from corefmeter.problems import require
from corefmeter.reading import Given, read_all
from corefmeter.reading import read as read_quietly
from corefmeter.recipe import Recipe, option_names, recipe_of

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.typed import RecipeOptions
    from corefmeter.wings.annotation.agreement import Agreement
    from corefmeter.wings.annotation.consensus import Merged
    from corefmeter.wings.annotation.stitching import Stitched


@checked_call(option_names)
def agree(
    annotators: Mapping[str, Given] | Iterable[Given],
    recipe: Recipe | None = None,
    *,
    unmarked: Literal["singleton", "missing"] = "singleton",
    by: Iterable[str] = (),
    trials: int = 1000,
    seed: int = 1,
    level: float = 0.95,
    **options: Unpack[RecipeOptions],
) -> Agreement:
    """Compute the agreement of annotators: Krippendorff's alpha of entities and mentions, pair
    scores.

    Parameters
    ----------
    annotators
        By name the annotation of each, two or more, as for `score`; or a list of these. A document
        counts where two have it; who lacks it says nothing of it.
    recipe
        How pairs are scored, and which policies for mentions hold for all; mentions are the same if
        they are equal.
    unmarked
        What a mention is for an annotator who has its document and did not mark it: an entity of
        its own (``singleton``), or nothing that is known (``missing``).
    by
        Features of mentions to break down by, such as ``["kind"]``; see
        `corefmeter.mentions.features`. Of several annotators the first who marked a mention tells
        its features.
    trials, seed, level
        Of bootstrap intervals over documents.
    **options
        Fields of `Recipe` to change, such as ``metrics=["lea"]``.

    Raises
    ------
    DataError
        When the data cannot be scored, or no two annotators have a document in common.
    OptionError
        For an unknown option, metric, feature or value, and for fewer than two annotators.

    Examples
    --------
    The annotators give 2 of 3 mentions another entity; of the 15 pairs of the 6 values that they
    give, all but 2 differ.

    >>> ann = [["Ann", "she"], ["Eve"]]
    >>> from corefmeter import agree
    >>> found = agree({"A": ann, "B": [["Ann"], ["she"], ["Eve"]]}, metrics=["muc"])
    >>> found.entities["nominal"].observed, found.entities["nominal"].expected
    (0.6666666666666666, 0.8666666666666667)
    """
    require("numpy", "agree")
    from corefmeter.wings.annotation.agreement import Resampling, agreement

    features = list(by)
    recipe = recipe_of(recipe, **options)
    given = name_systems(annotators)
    corpora = read_all(given, recipe, details=bool(features))
    found = agreement(
        corpora, recipe, Resampling(trials, seed, level), unmarked=unmarked, by=features
    )
    warn_user(found.problems, given=given.values())
    return found


@checked_call()
def merge(
    annotators: Mapping[str, Given] | Iterable[Given],
    *,
    least: int | None = None,
    singletons: Literal["keep", "drop"] = "keep",
) -> Merged:
    """Find disagreements of annotators or systems, and their consensus.

    Parameters
    ----------
    annotators
        As for `agree`.
    least
        The consensus has the mentions that so many have; by default more than half of those who
        have the document.
    singletons
        Whether entities of one mention are kept, in what is given and in the consensus.

    Raises
    ------
    DataError
        When the data cannot be read.
    OptionError
        For fewer than two annotators, or a value that cannot be.

    Examples
    --------
    >>> ann = [["Ann", "she"], ["Eve", "her"]]
    >>> from corefmeter import merge
    >>> merged = merge({"A": ann, "B": ann, "C": [["Ann", "she", "her"], ["Eve"]]})
    >>> merged.corpus.documents[0].entities
    [['Ann', 'she'], ['Eve', 'her']]
    >>> [(decision.antecedent, decision.mention, decision.yes) for decision in merged.decisions]
    [('Ann', 'her', ('C',)), ('Eve', 'her', ('A', 'B'))]
    """
    require("numpy", "merge")
    from corefmeter.wings.annotation.consensus import merge_corpora

    given = name_systems(annotators)
    merged = merge_corpora(
        read_all(given, Recipe(), details=True), least=least, singletons=singletons
    )
    warn_user(merged.problems, given=given.values())
    return merged


@checked_call()
def stitch(
    pieces: Given | Sequence[Given],
    *,
    overlap: int | None = None,
    name: str | None = None,
    key: Given | None = None,
) -> Stitched:
    """Join windows of long texts into one document, by the mentions that two windows have.

    Parameters
    ----------
    pieces
        The pieces in the order of the text: a path; a mapping from the names of pieces to their
        entities, where ``emma@1200`` begins at token 1200 of ``emma``; a `Corpus`; or a list of
        these.
    overlap
        How many tokens each piece has in common with the one before, where names do not say where
        pieces begin; by default as the words say.
    name
        The name of the document that pieces with different names make.
    key
        Join entities as this key does, which is what perfect stitching of these pieces gives.

    Raises
    ------
    DataError
        When the data cannot be read, or pieces have different words for the same tokens.
    OptionError
        For mentions without positions.

    Examples
    --------
    >>> from corefmeter import stitch
    >>> windows = {"emma@0": [[(0, 1), (7, 8)], [(3, 4)]], "emma@6": [[(1, 2), (5, 6)]]}
    >>> stitched = stitch(windows)
    >>> stitched.corpus.documents[0].entities
    [[(0, 1), (7, 8), (11, 12)], [(3, 4)]]
    >>> stitched.documents[0].pieces[1].joined
    1
    """
    from corefmeter.wings.annotation.stitching import stitch_corpora

    given: list[Any] = [*pieces] if isinstance(pieces, list | tuple) else [pieces]
    stitched = stitch_corpora(
        [_corpus(one) for one in given],
        overlap=overlap,
        name=name,
        key=None if key is None else _corpus(key),
    )
    warn_user(stitched.problems, given=given)
    return stitched


def _corpus(given: Given) -> Corpus:
    if isinstance(given, str | os.PathLike):
        return read_quietly(given, details=True, side="response")
    return given if isinstance(given, Corpus) else as_corpus(given)
