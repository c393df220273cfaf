"""Calls for annotation projects: agree, merge, stitch."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from corefmeter.api import name_systems
from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.convert import as_corpus
from corefmeter.corpus.model import Corpus
from corefmeter.formats import read_corpus
from corefmeter.problems import require
from corefmeter.reading import Given, read_all
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
    """Compute Krippendorff's alpha of entities and mentions, and pair scores of annotators.

    Parameters
    ----------
    annotators
        A mapping from the names of two or more annotators to their annotation, as for `score`; or a
        list of annotations. A document counts if at least two annotators have it.
    recipe
        The options of pair scores, and the policies for mentions of all annotators. Mentions match
        only if they are equal.
    unmarked
        How to treat a mention that an annotator of the document did not mark: as an entity of its
        own (``singleton``) or as ``missing``.
    by
        Features of mentions to break down by, such as ``["kind"]``; see
        `corefmeter.mentions.features`. A mention has the features of the first annotator who marked
        it.
    trials, seed, level
        Number of resamples, seed and confidence level of bootstrap intervals over documents.
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
    The annotators assign 2 of the 3 mentions to different entities. They give 6 values; all but 2
    of the 15 pairs of these values differ.

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
    resampling = Resampling(trials, seed, level)
    found = agreement(corpora, recipe, resampling, unmarked=unmarked, by=features)
    warn_user(found.problems, given=given.values())
    return found


@checked_call()
def merge(
    annotators: Mapping[str, Given] | Iterable[Given],
    *,
    least: int | None = None,
    singletons: Literal["keep", "drop"] = "keep",
    decisions: str | os.PathLike[str] | None = None,
) -> Merged:
    """Find disagreements of annotators or systems, and their consensus.

    Parameters
    ----------
    annotators
        As for `agree`.
    least
        The minimum number of annotators who marked a mention of the consensus. The default is more
        than half of the annotators of the document.
    singletons
        Whether to keep entities of one mention in the annotations and in the consensus.
    decisions
        The list that ``corefmeter merge -f csv`` or ``-f json`` wrote, after its column `consensus`
        was edited. Its decisions replace those of the consensus.

    Raises
    ------
    DataError
        When the data cannot be read; ``contradiction`` when decisions exclude each other.
    OptionError
        For fewer than two annotators, or an invalid value.

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
    corpora = read_all(given, Recipe(), details=True)
    path = None if decisions is None else os.fspath(decisions)
    merged = merge_corpora(corpora, least=least, singletons=singletons, decisions=path)
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
    """Join windows of long texts into one document by the mentions that windows share.

    Parameters
    ----------
    pieces
        The pieces in the order of the text: a path; a mapping from the names of pieces to their
        entities, where ``emma@1200`` begins at token 1200 of ``emma``; a `Corpus`; or a list of
        these.
    overlap
        The number of tokens that each piece shares with the previous one, if names do not contain
        positions. By default, the overlap is found by comparing words.
    name
        The name of the joined document if its pieces have different names.
    key
        Join entities as in this key, which is the best possible stitching of these pieces.

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
    corpora = [_corpus(piece) for piece in given]
    of_key = None if key is None else _corpus(key)
    stitched = stitch_corpora(corpora, overlap=overlap, name=name, key=of_key)
    warn_user(stitched.problems, given=given)
    return stitched


def _corpus(given: Given) -> Corpus:
    if isinstance(given, str | os.PathLike):
        return read_corpus(given, details=True, side="response")
    return given if isinstance(given, Corpus) else as_corpus(given)
