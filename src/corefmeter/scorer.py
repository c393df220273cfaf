"""A scorer for training loops: documents one by one, scorers that merge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefmeter.calls import checked_call, warn_user
from corefmeter.corpus.convert import as_document
from corefmeter.corpus.model import Document
from corefmeter.preparation import prepare_pair
from corefmeter.problems import DataError, OptionError, Problem, require_known
from corefmeter.reading import require_identity
from corefmeter.recipe import Recipe, option_names, recipe_of
from corefmeter.result import Result
from corefmeter.scoring import Counted, count_unit, metrics_of, result_of
from corefmeter.units import DUPLICATES, Union, automatic_name

if TYPE_CHECKING:
    from typing import Unpack

    from corefmeter.typed import Duplicates, RecipeOptions


class Scorer:
    """Compute scores document by document, for training and evaluation loops.

    Scorers can be pickled, and merged with scorers of other processes. A rejected document does not
    change the scorer. Threads must not share a scorer, because they would give documents the same
    names. Use one scorer for each thread, and `merge` them.

    Parameters
    ----------
    recipe
        The options of the scores; keyword arguments change single fields.

    Examples
    --------
    >>> scorer = Scorer(metrics=["muc", "conll"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["a", "b", "c"]], [["a", "b"]])
    >>> scorer.compute().muc.recall  # (1 + 1) / (1 + 2)
    0.6666666666666666
    """

    @checked_call(option_names)
    def __init__(self, recipe: Recipe | None = None, **options: Unpack[RecipeOptions]) -> None:
        self.recipe = recipe_of(recipe, **options)
        if self.recipe.as_one_document:
            raise OptionError("a Scorer scores documents one by one; it cannot join them")
        require_identity(self.recipe.identity, ())
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._metrics = metrics_of(self.recipe)
        self._counted: list[Counted] = []
        self._labels: set[str] = set()
        self._problems: list[Problem] = []
        self._told: set[str] = set()

    @checked_call()
    def update(
        self,
        key: Document | Iterable[Iterable[Any]],
        response: Document | Iterable[Iterable[Any]],
        name: str | tuple[str, int] | None = None,
        *,
        duplicates: Duplicates = "error",
    ) -> None:
        """Add one document.

        Parameters
        ----------
        key, response
            A list of entities, each a list of hashable mentions; or a `Document`, which may also
            have words and heads.
        name
            The document's name, or ``(name, part)`` for a part. The default is the name of the key
            if it is a `Document`, otherwise a number.
        duplicates
            How to treat a document whose name already exists: ``error`` rejects it; ``keep`` counts
            both documents; ``first`` counts only the first one, with a warning.

        Raises
        ------
        DataError
            When the document cannot be scored; ``repeated-document`` when its name already exists.

        Examples
        --------
        >>> scorer = Scorer(metrics="muc")
        >>> scorer.update([["a", "b"]], [["a", "b"]], name=("bc/x", 0))
        >>> scorer.update([["a", "b"]], [["a"]], name=("bc/x", 1))
        >>> scorer.compute().by("document")["bc/x"].muc.recall  # (1 + 0) / (1 + 1)
        0.5
        """
        numbered = False
        if name is None and isinstance(key, Document):
            name, numbered = (key.name if key.part is None else key.id), key.numbered
        elif name is None:
            name, numbered = automatic_name(len(self._counted) + 1, self._labels), True
        require_known("value of duplicates", duplicates, DUPLICATES)
        prepared, problems = prepare_pair(
            as_document(key, name).replace(numbered=numbered),
            as_document(response, name),
            self.recipe,
        )
        counted = count_unit(prepared, self._metrics)
        # Before anything changes: a warning may be made an error.
        warn_user(problems, before=self._told)
        if counted.unit.label in self._labels:
            self._add_documents([counted], problems, duplicates)
        else:
            self._counted.append(counted)
            self._labels.add(counted.unit.label)
            self._problems += problems

    def _add_documents(
        self, added: Sequence[Counted], problems: Sequence[Problem], duplicates: str
    ) -> None:
        """Add counted documents; `duplicates` decides on those that the scorer has already."""
        ours, theirs = ([counted.unit for counted in side] for side in (self._counted, added))
        union = Union.of(ours, theirs, duplicates)
        documents = [*self._counted, *(added[index] for index in union.kept)]
        self._problems = union.problems(self._problems, problems)
        # The union has a new unit for a document whose automatic name was taken.
        self._counted = [
            counted._replace(unit=unit)
            for counted, unit in zip(documents, union.units, strict=True)
        ]
        self._labels = {unit.label for unit in union.units}

    @checked_call()
    def compute(self) -> Result:
        """Return the result over all documents so far."""
        result = result_of(list(self._counted), self.recipe, self._problems)
        warn_user(result.problems, before=self._told)
        return result

    @checked_call()
    def merge(self, other: Scorer, *, duplicates: Duplicates = "error") -> None:
        """Add the documents of another scorer, for example from another process.

        Unnamed documents are renumbered as if they had been added to this scorer.

        Parameters
        ----------
        other
            A scorer with the same recipe.
        duplicates
            How to treat a document that both have, for example because a sampler pads the last
            batch; see `update`.

        Raises
        ------
        DataError
            ``repeated-document`` when both have the same document.
        OptionError
            When the recipes differ.
        """
        if self.recipe != other.recipe:
            raise OptionError(
                "scorers of different recipes cannot be merged:\n"
                f"  {self.recipe.signature()}\n  {other.recipe.signature()}"
            )
        self._add_documents(other._counted, other._problems, duplicates)

    def state_dict(self) -> dict[str, Any]:
        """Return all statistics as JSON values, to save them or send them to another process.

        Returns
        -------
        dict
            The signature, the counts of each document, and the problems, but no text. The numbers
            stay exact in JSON.

        Examples
        --------
        >>> import json
        >>> scorer, again = Scorer(metrics="muc"), Scorer(metrics="muc")
        >>> scorer.update([["a", "b", "c"]], [["a", "b"]], name="x")
        >>> again.load_state_dict(json.loads(json.dumps(scorer.state_dict())))
        >>> again.compute() == scorer.compute()
        True
        """
        return {
            "signature": self.recipe.signature(),
            "counted": [one.to_dict() for one in self._counted],
            "problems": [problem.to_dict() for problem in self._problems],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Replace all documents with those of a state.

        Parameters
        ----------
        state
            The output of `state_dict`.

        Raises
        ------
        DataError
            ``not-a-result`` when `state` is something else; the scorer is then unchanged.
        OptionError
            When the state has another recipe or version.
        """
        try:
            signature = state["signature"]
        except (KeyError, TypeError) as error:
            raise _no_state(error) from None
        if signature != self.recipe.signature():
            raise OptionError(
                "the state is of another recipe or version:\n"
                f"  {signature}\n  {self.recipe.signature()}"
            )
        try:
            counted = [Counted.from_dict(one) for one in state["counted"]]
            problems = [Problem.from_dict(one) for one in state["problems"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _no_state(error) from None
        self._counted, self._problems = counted, problems
        self._labels = {one.unit.label for one in counted}


def _no_state(error: Exception) -> DataError:
    reason = f"not the state of a Scorer: {type(error).__name__}: {error}"
    return DataError(Problem("not-a-result", reason, "error"))
