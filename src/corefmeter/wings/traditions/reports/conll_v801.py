"""The text that the official scorer v8.01 prints, to the byte, for scripts that parse it.

The numbers are those of the package with ``repeated:official``. v8.01's own ways are kept:

- Percentages are truncated, not rounded: int(x * 10000) / 100, without trailing zeros.
- v8.01 adds up fractions one by one, by mentions or entities in the order of the file. The error
  in the last bit can change the last printed digit, so that 56 is printed as 55.99. Of several best
  alignments in CEAFe, v8.01 may take another, whose sum differs in that bit.
- Repeated mentions are named by the numbers of the key mentions, written without a blank between
  them. Those of the response are counted over all documents and metrics; the eleventh ends the run.
- BLANC has no scores by document, and prints as name what was asked for, usually nothing.
- The name ``none`` leaves out the output for single documents, but not messages about repeated
  mentions.

v8.01 takes the documents in an order that changes from run to run; here it is that of the key. If a
missing end leaves an entity without mentions in a key, v8.01 dies in BLANC; here the entity does
not count. ``lea`` is laid out like the others, and is not part of ``all``.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import IO

from corefmeter.corpus.model import Document, Entities
from corefmeter.metrics import make
from corefmeter.metrics.base import Number, Row
from corefmeter.metrics.official import b3_terms, ceafe_terms, lea_terms
from corefmeter.preparation import prepare_pair
from corefmeter.problems import DataError, Problem, unknown
from corefmeter.recipe import Recipe
from corefmeter.scoring import count_unit
from corefmeter.wings.traditions.formats.conll_v801 import File, Reading, Span

#: The metrics of ``all``.
ALL = ("muc", "bcub", "ceafm", "ceafe", "blanc")

#: The metrics by their names in v8.01, with their names here.
METRICS = {name: name for name in (*ALL, "lea")} | {"bcub": "b3"}

#: v8.01 gives up when it has met more repeated mentions in the response.
MOST_REPEATS = 10


class RefusedError(DataError):
    """The response repeats so many mentions that v8.01 refuses to score it."""


def write(
    metric: str,
    key: str,
    response: str,
    name: bytes | None,
    stream: IO[bytes],
    numeric: bool = False,
) -> None:
    """Write what ``scorer.pl METRIC KEY RESPONSE [NAME]`` prints.

    `name` is the rest of the header line of the only document to score, ``none`` for totals only,
    or None for all documents. With `numeric`, ids with letters are read as numbers; v8.01 dies of
    them, or passes them over.

    Raises
    ------
    OptionError
        For an unknown metric, after v8.01's own message was written.
    DataError
        For a file that cannot be read, and where v8.01 dies; what it prints before is written. For
        more than ten repeated mentions it is a `RefusedError`.
    """
    stream.write(b"version: 8.01 lib/CorScorer.pm\n")
    metrics = ALL if metric == "all" else (metric.lower(),)
    if not METRICS.keys() >= set(metrics):
        stream.write(b"Invalid metric\n")
        raise unknown("metric", metric, [*METRICS, "all"])
    our_names = ("mentions", *(METRICS[name] for name in metrics))
    recipe = Recipe(metrics=our_names, repeated="official")
    report = _Report(recipe, File(key, numeric), File(response, numeric), name, stream)
    for name_of_metric in metrics:
        if metric == "all":
            stream.write(b"\nMETRIC %s:\n" % name_of_metric.encode())
        report.write(name_of_metric)


class _Report:
    """One run: the files, the statistics of each document, and how many mentions were repeated."""

    def __init__(
        self, recipe: Recipe, key: File, response: File, name: bytes | None, stream: IO[bytes]
    ) -> None:
        self.recipe = recipe
        self.metrics = {name: make(name, self.recipe) for name in self.recipe.metrics}
        self.key = key
        self.response = response
        self.verbose = name != b"none"
        self.name = name if self.verbose else None
        self.stream = stream
        self.repeats = 0
        self.statistics: dict[bytes, dict[str, Row]] = {}

    def write(self, metric: str) -> None:
        our_name = METRICS[metric]
        identified: list[Row] = []
        scored: list[Row] = []
        for label in self.labels():
            if self.name is not None:
                self.write_details(label + b":\n")
            key = self.read_document(self.key, label)
            response = self.read_document(self.response, label)
            if self.name is None:
                self.write_details(b":\n" if metric == "blanc" else label + b":\n")
            numbers = self.number_key_mentions(key.entities)
            distinct = self.drop_response_repeats(response.entities, numbers)
            statistics = self.count_document(label, key, response)
            self.write_identification(statistics["mentions"], sum(map(len, key.entities)))
            sides = _nonempty_entities(key.entities), _nonempty_entities(distinct)
            counts = _sum_as_v801(our_name, statistics[our_name], *sides)
            if metric != "blanc":
                self.write_details(_ratios(counts))
            identified.append(statistics["mentions"])
            scored.append(counts)
        self.stream.write(b"\n====== TOTALS =======\nIdentification of Mentions: ")
        self.stream.write(_ratios(_add_rows(identified)[:4]))
        totals = _add_rows(scored)
        coreference = b"Coreference: " + _ratios(totals[:4])
        self.stream.write(_blanc_totals(totals) if metric == "blanc" else coreference)

    def write_details(self, text: bytes) -> None:
        if self.verbose:
            self.stream.write(text)

    def labels(self) -> list[bytes]:
        if self.name is not None:
            return [self.name]
        labels = self.key.names
        # Both files are opened before the first document, so a missing one fails before any text.
        _ = self.response.names
        return labels

    def read_document(self, file: File, label: bytes) -> Reading:
        reading = file.last(label) if self.name is None else file.first(label)
        self.write_details(b"====> %s:\n" % reading.name)
        for chunk in reading.discarded:
            self.write_details(b"Discarded (%s)\n" % chunk)
        if reading.error is not None:
            raise DataError(reading.error)
        self.write_details(b"File %s:\n" % reading.name)
        for number, entity in enumerate(reading.entities):
            spans = b"".join([b" (%d,%d)" % mention for mention in entity])
            self.write_details(b"Entity %d:%s\n" % (number, spans))
        return reading

    def number_key_mentions(self, entities: list[list[Span]]) -> dict[Span, int]:
        """Number the key mentions in reading order; report and renumber repeated ones."""
        numbers: dict[Span, int] = {}
        for number, mention in enumerate(chain.from_iterable(entities)):
            if mention in numbers:
                self.write_repeated(b"key", mention, numbers[mention], number)
            numbers[mention] = number
        return numbers

    def drop_response_repeats(
        self, entities: list[list[Span]], numbers: dict[Span, int]
    ) -> list[list[Span]]:
        """Report and count repeated mentions that the key has; return the entities without them."""
        seen = set()
        distinct: list[list[Span]] = []
        for entity in entities:
            distinct.append([])
            for mention in entity:
                if mention not in numbers or mention not in seen:
                    seen.add(mention)
                    distinct[-1].append(mention)
                    continue
                self.write_repeated(b"response", mention, numbers[mention], numbers[mention])
                self.repeats += 1
                if self.repeats > MOST_REPEATS:
                    raise self.make_refusal()
        return distinct

    def make_refusal(self) -> RefusedError:
        reason = f"v8.01 refuses to score a response with more than {MOST_REPEATS} repeated"
        reason += " mentions, counted over all documents and metrics"
        hint = 'Remove the copies, score one metric at a time, or use "corefmeter score", which'
        hint += " has no such limit."
        path = self.response.path
        return RefusedError(Problem("repeated-mention", reason, "error", path=path, hint=hint))

    def write_repeated(self, side: bytes, mention: Span, before: int, now: int) -> None:
        """Write the message about a repeated mention, which ``none`` does not silence."""
        span = b"%d, %d" % mention
        self.stream.write(b"Repeated mention in the %s: %s %d%d\n" % (side, span, before, now))

    def count_document(self, label: bytes, key: Reading, response: Reading) -> dict[str, Row]:
        if label not in self.statistics:
            name = repr(label)
            key_document = Document(name, _nonempty_entities(key.entities))
            response_document = Document(name, _nonempty_entities(response.entities))
            prepared, _ = prepare_pair(key_document, response_document, self.recipe)
            self.statistics[label] = dict(count_unit(prepared, self.metrics).rows)
        return self.statistics[label]

    def write_identification(self, mentions: Row, key_copies: int) -> None:
        """Count mentions that were found. A further copy in the key counts as spurious, too."""
        matched, in_key, _, in_response = mentions
        invented = in_response - matched + key_copies - in_key
        self.write_details(b"Total key mentions: %d\n" % in_key)
        self.write_details(b"Total response mentions: %d\n" % in_response)
        self.write_details(b"Strictly correct identified mentions: %d\n" % matched)
        self.write_details(b"Partially correct identified mentions: 0\n")
        self.write_details(b"No identified: %d\nInvented: %d\n" % (in_key - matched, invented))


def _nonempty_entities(entities: list[list[Span]]) -> Entities:
    return [list(entity) for entity in entities if entity]


def _sum_as_v801(metric: str, counts: Row, key: Entities, response: Entities) -> Row:
    """Return the counts of a metric, with sums of fractions as v8.01 adds them up.

    In CEAFe, v8.01 minimizes the sum of 1 - similarity, and subtracts each term from 1 again.
    """
    match metric:
        case "b3":
            terms = b3_terms(key, response)
            recall, precision = _add_doubles(r for r, _ in terms), _add_doubles(p for _, p in terms)
        case "ceafe":
            recall = precision = _add_doubles(1 - (1 - term) for term in ceafe_terms(key, response))
        case "lea":
            recall = _add_doubles(lea_terms(key, response))
            precision = _add_doubles(lea_terms(response, key))
        case _:
            return counts
    return recall, counts[1], precision, counts[3]


def _add_rows(rows: list[Row]) -> Row:
    """Add up rows, fractions from left to right."""
    columns = list(zip(*rows, strict=True)) or [(0,)] * 9
    return tuple(
        sum(column) if all(isinstance(term, int) for term in column) else _add_doubles(column)
        for column in columns
    )


def _add_doubles(terms: Iterable[float]) -> float:
    """Return the sum of doubles from left to right, with the error of each addition.

    Examples
    --------
    >>> _add_doubles([1 / 3] * 6)
    1.9999999999999998
    """
    total = 0.0
    for term in terms:
        total += term
    return total


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


def _f1(recall: float, precision: float) -> float:
    return _ratio(2 * precision * recall, precision + recall)


def _ratios(counts: Row) -> bytes:
    """Return recall, precision and F1 in one line, and the rule below it."""
    recall, precision = _ratio(*counts[:2]), _ratio(*counts[2:])
    return _line(counts, recall, precision, _f1(recall, precision))


def _blanc_totals(counts: Row) -> bytes:
    """Return the totals of BLANC: both kinds of link, then their means, also where they are 0/0."""
    right, key, response, right_none, key_none, response_none = counts[:6]
    links = right, key, right, response
    non_links = right_none, key_none, right_none, response_none
    scores = []
    for right, key, _, response in (links, non_links):
        if key:  # a kind of link that the key does not have is left out of the means
            recall, precision = right / key, _ratio(right, response)
            scores.append((recall, precision, _f1(recall, precision)))
    columns = zip(*(scores or [(0.0, 0.0, 0.0)]), strict=True)
    recall, precision, f1 = (sum(values) / len(values) for values in columns)
    means = _line((recall, 1, precision, 1), recall, precision, f1)
    text = b"\nCoreference:\nCoreference links: %sNon-coreference links: %sBLANC: %s"
    return text % (_ratios(links), _ratios(non_links), means)


def _line(counts: Row, recall: float, precision: float, f1: float) -> bytes:
    """Return one line from the four counts and the ratios, and the rule below it."""
    recalled, key, right, response = map(_number, counts)
    text = b"Recall: (%s / %s) %s%%\t" % (recalled, key, _percent(recall))
    text += b"Precision: (%s / %s) %s%%\t" % (right, response, _percent(precision))
    return text + b"F1: %s%%\n" % _percent(f1) + b"-" * 74 + b"\n"


def _number(value: Number) -> bytes:
    """Return a count as Perl writes it, such as 6.66666666666667."""
    return b"%d" % value if isinstance(value, int) else b"%.15g" % value


def _percent(value: float) -> bytes:
    """Return a fraction as a percentage, truncated after two decimals.

    The product is that of doubles, as in v8.01: 0.57 * 10000 is a little less than 5700.

    Examples
    --------
    >>> _percent(2 / 3), _percent(0.57)
    (b'66.66', b'56.99')
    """
    return b"%.15g" % (int(value * 10000) / 100)
