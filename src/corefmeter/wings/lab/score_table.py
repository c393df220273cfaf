"""Tables of scores, systems by metrics, from one or more files.

Scores that corefmeter wrote are fractions of 1; those of another table keep their unit.
`corefmeter.wings.lab.score_files` reads the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose, isfinite

from corefmeter.labels import labels
from corefmeter.metrics import canonical, names
from corefmeter.metrics import title as registered_title
from corefmeter.problems import DataError, OptionError, Problem, unknown
from corefmeter.wings.lab.score_files import (
    OWN_NAME,
    Cell,
    ScoreFile,
    SystemScores,
    read_file,
    refuse_file,
)

#: The scores of systems by metrics: ``{system: {metric: value}}``.
Scores = Mapping[str, Mapping[str, float]]

#: The scores of a metric by name, with their titles.
SCORES: dict[str, str] = {"f1": "F1", "recall": "recall", "precision": "precision"}

#: Cells of a CSV that denote a missing score, in lower case.
_MISSING = frozenset({"", "-", "–", "—", "n/a", "na", "nan", "null", "none"})


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The scores of some systems by some metrics: ``{system: {metric: value}}``, all present.

    `score` is None for a table that does not name it. The difference of two systems by a metric is
    significant if its p-value is at most `alpha`. `source` names the files.
    """

    scores: dict[str, dict[str, float]]
    metrics: tuple[str, ...]
    score: str | None = None
    is_fraction: bool = False
    decimals: int = 2
    p_values: dict[tuple[str, str, str], float] = field(default_factory=dict)
    alpha: float = 0.05
    source: str = ""
    signature: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def scale(self) -> int:
        """Return the factor by which values are multiplied for display."""
        return 100 if self.is_fraction else 1


def require_scores(scores: Scores, metrics: Iterable[str], source: str | None = None) -> None:
    """Refuse a table that lacks a finite score of some system by some metric."""
    problems = [
        _missing_score(system, metric, source)
        for metric in metrics
        for system, values in scores.items()
        if metric not in values or not isfinite(values[metric])
    ]
    if problems:
        raise DataError(problems)


def title(metric: str) -> str:
    """Return a metric's title if it is one of ours, else its name in the table."""
    return registered_title(metric) if metric in names() else metric


def read_scores(
    paths: Sequence[str],
    score: str | None = None,
    metrics: Sequence[str] = (),
    names: Sequence[str | None] = (),
) -> ScoreTable:
    """Return the table of scores in some files.

    Parameters
    ----------
    paths
        Results of corefmeter, each with one or more systems, or one other table; ``-`` is standard
        input.
    score
        ``recall``, ``precision`` or ``f1`` (default). Only the default is allowed for another
        table, which has one number for each metric and does not name the score.
    metrics
        Names or aliases of metrics, or several joined by ``+`` or a comma; by default all.
    names
        For each file the name of its only system, or None.

    Raises
    ------
    DataError
        For a file that cannot be read or holds no scores (``bad-scores``), ``bad-score``,
        ``missing-score``, ``repeated-system``, and for results that cannot be compared
        (``different-recipes``, ``different-documents``, ``different-keys``).
    OptionError
        For a metric that the files do not have, files that cannot be combined, or a score that the
        table does not have.
    """
    if score is not None and score not in SCORES:
        raise unknown("score", score, SCORES)
    files = [read_file(path, score or "f1") for path in paths]
    names = names or [None] * len(paths)
    is_plain = any(file.is_plain for file in files)
    if is_plain:
        _require_one_table(files, score)
    for path, name, file in zip(paths, names, files, strict=True):
        if name is not None and (is_plain or len(file.systems) > 1):
            reason = "only a file with the result of one response can be given a name"
            raise OptionError(f"{name}={path}: {reason}")
    systems = [system for file in files for system in file.systems]
    if not is_plain:
        _require_comparable(systems)
        _name_systems(
            systems, [name for name, file in zip(names, files, strict=True) for _ in file.systems]
        )
    _require_distinct_names(systems)
    columns = list(dict.fromkeys(name for system in systems for name in system.cells))
    chosen, notes = _choose_metrics(columns, metrics, systems, score or "f1")
    values, decimals = _values(systems, chosen)
    return ScoreTable(
        values,
        tuple(chosen),
        score=None if is_plain else score or "f1",
        is_fraction=not is_plain,
        decimals=decimals if is_plain else 2,
        p_values={key: p for file in files for key, p in file.p_values.items()},
        alpha=next((file.alpha for file in files if file.p_values), 0.05),
        source=", ".join(paths),
        signature=next((system.signature for system in systems if system.signature), None),
        notes=(*notes, *(note for file in files for note in file.notes)),
    )


def _require_one_table(files: Sequence[ScoreFile], score: str | None) -> None:
    """Refuse other files next to a plain table, and any score of it but the default."""
    if len(files) > 1:
        reason = "a table of scores cannot be combined with other files"
        raise OptionError(f"{reason}, because their units may differ; give it alone")
    if score not in (None, "f1"):
        reason = f"the table has one number for each metric, so it cannot be asked for {score}"
        raise OptionError(f"{reason}; leave out --score, and give a table of {score} instead")


def _require_comparable(systems: Sequence[SystemScores]) -> None:
    first = systems[0]
    for system in systems[1:]:
        if difference := _difference(first, system):
            code, reason = difference
            message = f"not comparable with the first system of {first.path}: {reason}"
            hint = "Score all systems with the same options and the same key. To combine different "
            hint += "data on purpose, write a table of your own."
            refuse_file(code, message, system.path, hint=hint)


def _difference(first: SystemScores, other: SystemScores) -> tuple[str, str] | None:
    """Return the code and a description of how two results differ; None if they are comparable."""
    options = _options(first.signature or "")
    for name, value in _options(other.signature or "").items():
        # An option that one of the signatures leaves out does not matter to its metrics.
        if options.get(name, value) != value:
            return "different-recipes", f"{name} is {value} here, {options[name]} there"
    if None not in (first.documents, other.documents) and first.documents != other.documents:
        return "different-documents", f"{other.documents} documents here, {first.documents} there"
    for metric, count in other.key_counts.items():
        here, there = _number(count), _number(first.key_counts.get(metric))
        if here is not None and there is not None and not isclose(here, there, rel_tol=1e-9):
            return "different-keys", f"by {metric} the key counts {here:g} here, {there:g} there"
    return None


def _options(signature: str) -> dict[str, str]:
    """Return the version and the options of a signature, except for the metrics."""
    pairs = (option.partition(":") for option in signature.split("|"))
    return {name: value for name, _, value in pairs if name != "metrics"}


def _name_systems(systems: Sequence[SystemScores], options: Sequence[str | None]) -> None:
    """Name systems by option, or after their responses, or after files if responses are not unique.

    Paths are shortened to the parts that differ; names given by option stay as they are.
    """
    names = [name or system.name for system, name in zip(systems, options, strict=True)]
    if None in names or len({*names}) < len(names):
        names = [system.path.removesuffix(".json").removesuffix(".csv") for system in systems]
        if len({*names}) < len(names):
            return
    for system, name in zip(systems, labels([str(name) for name in names], options), strict=True):
        system.name = name


def _require_distinct_names(systems: Sequence[SystemScores]) -> None:
    by_name: dict[str | None, SystemScores] = {}
    for system in systems:
        first = by_name.setdefault(system.name, system)
        if first is not system:
            is_named = system.name is not None
            name = f"the system {system.name!r}" if is_named else "a system without a name"
            place = first.path if first.line is None else f"{first.path}:{first.line}"
            message = f"{name} occurs here and in {place}"
            refuse_file("repeated-system", message, system.path, system.line, hint=OWN_NAME)


def _choose_metrics(
    columns: Sequence[str], wanted: Sequence[str], systems: Sequence[SystemScores], score: str
) -> tuple[list[str], list[str]]:
    """Return the columns of the requested metrics, and notes on omitted ones."""
    empty = [name for name in columns if all(_is_missing(s.cells.get(name)) for s in systems)]
    if not wanted:
        titles = ", ".join(map(title, empty))
        notes = [f"left out, without {SCORES[score]}: {titles}"] if empty else []
        return [name for name in columns if name not in empty], notes
    chosen = []
    for text in wanted:
        parts = [text] if text in columns else text.replace("+", ",").split(",")
        chosen += [_find_column(name.strip(), columns) for name in parts]
    for name in chosen:
        if name in empty:
            raise OptionError(f"the metric {name!r} has no {SCORES[score]}")
    return list(dict.fromkeys(chosen)), []


def _find_column(name: str, columns: Sequence[str]) -> str:
    """Return the column with this name, or with another name of the same metric."""
    for normalize in (str, str.casefold, _registered_name):
        for column in columns:
            if normalize(column) == normalize(name):
                return column
    raise unknown("metric", name, columns)


def _registered_name(name: str) -> str:
    """Return the name under which a metric is registered, from a name, an alias or a title."""
    for metric in names():
        if name.casefold() == registered_title(metric).casefold():
            return metric
    try:
        return canonical(name)
    except OptionError:
        return name


def _is_missing(cell: Cell | None) -> bool:
    value = None if cell is None else cell.value
    return value is None or (isinstance(value, str) and value.lower() in _MISSING)


def _values(
    systems: Sequence[SystemScores], metrics: Sequence[str]
) -> tuple[dict[str, dict[str, float]], int]:
    """Return the scores as numbers, and the largest number of decimals in the file, at most 4."""
    problems = []
    values: dict[str, dict[str, float]] = {}
    decimals = 0
    for system in systems:
        row = values[str(system.name)] = {}
        for metric in metrics:
            cell = system.cells.get(metric)
            if cell is None or _is_missing(cell):
                line, column = (cell.line, cell.column) if cell else (system.line, None)
                problems.append(_missing_score(str(system.name), metric, system.path, line, column))
            elif (number := _number(cell.value)) is None:
                problems.append(_not_a_number(cell, metric, system.path))
            else:
                row[metric] = number
                decimals = max(decimals, len(str(cell.value).partition(".")[2]))
    if problems:
        raise DataError(problems)
    return values, min(decimals, 4)


def _number(value: object) -> float | None:
    """Return a value as a finite number; None if it is not one."""
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]  # other types raise, as below
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _missing_score(
    system: str, metric: str, path: str | None, line: int | None = None, column: int | None = None
) -> Problem:
    message = f"no score of system {system!r} by the metric {metric!r}"
    hint = "Add it, leave out the system, or choose metrics that all systems have with -m."
    return Problem("missing-score", message, "error", path, line, column, hint)


def _not_a_number(cell: Cell, metric: str, path: str) -> Problem:
    message = f"{cell.value!r} in the column {metric!r} is not a number"
    hint = "Write a number such as 60.65, without a unit or a rank."
    if isinstance(cell.value, str) and "," in cell.value:
        hint = "Use a decimal point: 60.65."
    return Problem("bad-score", message, "error", path, cell.line, cell.column, hint)
