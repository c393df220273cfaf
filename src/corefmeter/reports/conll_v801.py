"""The text that the official scorer v8.01 prints, to the byte, for scripts that parse it.

The numbers are those of the package (`corefmeter.scoring.count` under the policy
``repeated:official``); here is the layout, and what v8.01 does around it:

- Counts are written with 15 significant digits, percentages are cut, not rounded:
  int(x * 10000) / 100, without trailing zeros.
- v8.01 adds up fractions one by one. The error in the last bit of such a sum can change the last
  printed digit of a count, or a percentage on the edge: it may cut 2.9999999999999996 / 3 to
  99.99. Here a sum that stands for a simple fraction is taken as that fraction, and recall and
  precision are its correctly rounded ratios. Where the text differs, the number here is right.
- v8.01 takes the documents in an order that changes from run to run; here it is that of the key.
- Repeated mentions are named by the numbers of the key mentions, written without a blank between
  them. Those of the response are counted over all documents and metrics of the run, and the
  eleventh ends it.
- BLANC has no scores by document, and prints as name what was asked for, usually nothing.
- The name ``none`` stands for all documents, and leaves out what belongs to single documents, but
  not the messages about repeated mentions.
- Where a missing end leaves an entity without mentions in a key, v8.01 dies in BLANC; here the
  entity does not count, as in the other metrics.

``lea`` is laid out like the others, as in the version of the scorer that has it; it is not part of
``all``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt, ulp
from typing import IO, TypeAlias

from corefmeter.corpus.model import Document, Entities
from corefmeter.formats.conll_v801 import File, Reading, Span
from corefmeter.metrics import make
from corefmeter.metrics.base import Number, Row, Scores, f_measure
from corefmeter.preparation import prepare_pair
from corefmeter.problems import DataError, Problem, unknown
from corefmeter.recipe import Recipe
from corefmeter.result import Result
from corefmeter.scoring import count
from corefmeter.units import Unit

#: The metrics by their names in v8.01, with their names here.
METRICS: dict[str, str] = {
    "muc": "muc",
    "bcub": "b3",
    "ceafm": "ceafm",
    "ceafe": "ceafe",
    "blanc": "blanc",
    "lea": "lea",
}

#: What ``all`` stands for.
ALL: tuple[str, ...] = ("muc", "bcub", "ceafm", "ceafe", "blanc")

#: v8.01 gives up when it has met more repeated mentions in the response.
MOST_REPEATS = 10

_Count: TypeAlias = "Number | Fraction"

_VERSION = b"version: 8.01 lib/CorScorer.pm\n"
_RULE = b"-" * 74 + b"\n"


class RefusedError(DataError):
    """The response repeats so many mentions that v8.01 refuses to score it."""


def write(metric: str, key: str, response: str, name: bytes | None, stream: IO[bytes]) -> None:
    """Write what ``scorer.pl METRIC KEY RESPONSE [NAME]`` prints.

    Parameters
    ----------
    metric
        A name of `METRICS` in any case, or ``all`` in lower case.
    key, response
        The files.
    name
        The rest of the header line of the only document to score; ``none`` for totals only; None
        for all documents.
    stream
        Where to.

    Raises
    ------
    OptionError
        For an unknown metric, after v8.01's own message was written.
    DataError
        For a file that cannot be read, and where v8.01 dies; what it prints before is written.
    RefusedError
        For more than ten repeated mentions, after the message about the last of them.
    """
    stream.write(_VERSION)
    if metric == "all":
        report = _Report(ALL, key, response, name, stream)
        for each in ALL:
            stream.write(b"\nMETRIC %s:\n" % each.encode())
            report.write(each)
    elif metric.lower() in METRICS:
        _Report([metric.lower()], key, response, name, stream).write(metric.lower())
    else:
        stream.write(b"Invalid metric\n")
        raise unknown("metric", metric, [*METRICS, "all"])


class _Report:
    """One run: the files, what was computed, and how many repeated mentions were met."""

    def __init__(
        self, metrics: Sequence[str], key: str, response: str, name: bytes | None, stream: IO[bytes]
    ) -> None:
        ours = [METRICS[metric] for metric in metrics]
        self.recipe = Recipe(metrics=("mentions", *ours), repeated="official")
        self.metrics = {name: make(name, self.recipe) for name in self.recipe.metrics}
        self.key = File(key)
        self.response = File(response)
        self.verbose = name != b"none"
        self.name = name if self.verbose else None
        self.stream = stream
        self.repeats = 0
        self.statistics: dict[bytes, dict[str, Row]] = {}

    def write(self, metric: str) -> None:
        """The part of one metric: its documents, then the totals."""
        ours = METRICS[metric]
        units: list[Unit] = []
        rows: dict[str, list[Row]] = {"mentions": [], ours: []}
        for label in self.labels():
            if self.name is not None:
                self.say(label + b":\n")
            key = self.read(self.key, label)
            response = self.read(self.response, label)
            if self.name is None:
                self.say(b":\n" if metric == "blanc" else label + b":\n")
            numbers = self.key_repeats(key.entities)
            self.response_repeats(response.entities, numbers)
            statistics = self.document(label, key, response)
            self.identification(statistics["mentions"], sum(map(len, key.entities)))
            if metric != "blanc":
                self.say(_ratios(self.metrics[ours].scores(statistics[ours])))
            units.append(Unit(repr(label), repr(label)))
            for name, column in rows.items():
                column.append(statistics[name])
        totals = Result(self.recipe, units, rows)
        self.stream.write(b"\n====== TOTALS =======\nIdentification of Mentions: ")
        self.stream.write(_ratios(totals["mentions"]))
        if metric == "blanc":
            self.stream.write(_blanc(totals["blanc"]))
        else:
            self.stream.write(b"Coreference: " + _ratios(totals[ours]))

    def say(self, text: bytes) -> None:
        """Write what belongs to a single document."""
        if self.verbose:
            self.stream.write(text)

    def labels(self) -> list[bytes]:
        """The names of the documents to score."""
        if self.name is not None:
            return [self.name]
        labels = self.key.names
        # Both files are opened before the first document, so a missing one fails before any text.
        _ = self.response.names
        return labels

    def read(self, file: File, label: bytes) -> Reading:
        """One side of a document, and its entities as text."""
        reading = file.last(label) if self.name is None else file.first(label)
        self.say(b"====> %s:\n" % reading.name)
        for chunk in reading.discarded:
            self.say(b"Discarded (%s)\n" % chunk)
        if reading.error is not None:
            raise DataError(reading.error)
        self.say(b"File %s:\n" % reading.name)
        for number, entity in enumerate(reading.entities):
            spans = b"".join([b" (%d,%d)" % mention for mention in entity])
            self.say(b"Entity %d:%s\n" % (number, spans))
        return reading

    def key_repeats(self, entities: list[list[Span]]) -> dict[Span, int]:
        """Number the key mentions in order of reading; a repeated one is told and renumbered."""
        numbers: dict[Span, int] = {}
        count = 0
        for entity in entities:
            for mention in entity:
                if mention in numbers:
                    self.repeated(b"key", mention, numbers[mention], count)
                numbers[mention] = count
                count += 1
        return numbers

    def response_repeats(self, entities: list[list[Span]], numbers: dict[Span, int]) -> None:
        """Tell and count the later copies of mentions that the key has."""
        seen = set()
        for entity in entities:
            for mention in entity:
                if mention not in numbers:
                    continue
                if mention not in seen:
                    seen.add(mention)
                    continue
                self.repeated(b"response", mention, numbers[mention], numbers[mention])
                self.repeats += 1
                if self.repeats > MOST_REPEATS:
                    raise RefusedError(
                        Problem("repeated-mention",
                                f"v8.01 refuses to score a response with more than {MOST_REPEATS} "
                                "repeated mentions, counted over all documents and metrics",
                                "error", path=self.response.path,
                                hint='Remove the copies, score one metric at a time, or use '
                                '"corefmeter score", which has no such limit.')
                    )  # fmt: skip

    def repeated(self, side: bytes, mention: Span, before: int, now: int) -> None:
        """The message about a repeated mention, which ``none`` does not silence."""
        span = b"%d, %d" % mention
        self.stream.write(b"Repeated mention in the %s: %s %d%d\n" % (side, span, before, now))

    def document(self, label: bytes, key: Reading, response: Reading) -> dict[str, Row]:
        """The statistics of a document for all metrics of the run."""
        if label not in self.statistics:
            name = repr(label)
            prepared, _ = prepare_pair(
                Document(name, _scored(key)), Document(name, _scored(response)), self.recipe
            )
            self.statistics[label] = dict(count(prepared, self.metrics).rows)
        return self.statistics[label]

    def identification(self, mentions: Row, key_copies: int) -> None:
        """Which mentions were found. Each further copy in the key counts as invented, too."""
        matched, in_key, _, in_response = mentions
        self.say(
            b"Total key mentions: %d\n"
            b"Total response mentions: %d\n"
            b"Strictly correct identified mentions: %d\n"
            b"Partially correct identified mentions: 0\n"
            b"No identified: %d\n"
            b"Invented: %d\n"
            % (in_key, in_response, matched, in_key - matched,
               in_response - matched + key_copies - in_key)
        )  # fmt: skip


def _scored(reading: Reading) -> Entities:
    """The entities that have mentions."""
    return [list(entity) for entity in reading.entities if entity]


def _ratios(scores: Scores) -> bytes:
    """Recall, precision and F1 of one line, and the rule below it.

    Examples
    --------
    >>> from corefmeter.metrics.base import ratios
    >>> print(_ratios(ratios(7 / 3, 6, 3.0, 3)).decode().splitlines()[0].expandtabs(2))
    Recall: (2.33333333333333 / 6) 38.88%  Precision: (3 / 3) 100%  F1: 56%
    """
    recall_numerator = _exact(scores.recall_numerator)
    precision_numerator = _exact(scores.precision_numerator)
    recall = _share(recall_numerator, scores.recall_denominator)
    precision = _share(precision_numerator, scores.precision_denominator)
    return _line(
        (recall_numerator, scores.recall_denominator, recall),
        (precision_numerator, scores.precision_denominator, precision),
        f_measure(recall, precision),
    )


def _blanc(scores: Scores) -> bytes:
    """The totals of BLANC: both kinds of link, then their means over 1, also where they are 0/0."""
    return (
        b"\nCoreference:\nCoreference links: "
        + _ratios(scores.parts["coreference"])
        + b"Non-coreference links: "
        + _ratios(scores.parts["noncoreference"])
        + b"BLANC: "
        + _line(
            (scores.recall, 1, scores.recall), (scores.precision, 1, scores.precision), scores.f1
        )
    )


def _line(
    recall: tuple[_Count, Number, float], precision: tuple[_Count, Number, float], f1: float
) -> bytes:
    """One line from numerator, denominator and their ratio; and the rule below it."""
    return (
        b"Recall: (%s / %s) %s%%" % (_number(recall[0]), _number(recall[1]), _percent(recall[2]))
        + b"\tPrecision: (%s / %s) %s%%"
        % (_number(precision[0]), _number(precision[1]), _percent(precision[2]))
        + b"\tF1: %s%%\n" % _percent(f1)
        + _RULE
    )


def _exact(value: Number) -> _Count:
    """The fraction that a floating-point sum of fractions stands for, if it is simple enough.

    Percentages are cut, so one that is exactly 40 must not be computed from a numerator that is
    off in its last bit. There are about N^2/3 fractions with denominators up to N from one integer
    to the next; with the N below, fewer than one number in a thousand lies within four units in
    the last place of such a fraction by chance, and is then moved by no more than that.

    Examples
    --------
    >>> _exact(0.1 + 0.2), _exact(0.7071067811865476), _exact(3)
    (Fraction(3, 10), 0.7071067811865476, 3)
    """
    if isinstance(value, int):
        return value
    near_by = 4 * ulp(max(value, 1.0))
    most = max(1, isqrt(int(1 / (1000 * near_by))))
    fraction = Fraction(value).limit_denominator(most)
    return fraction if abs(fraction - Fraction(value)) <= near_by else value


def _share(numerator: _Count, denominator: Number) -> float:
    """The correctly rounded ratio; 0 if the denominator is 0."""
    return float(Fraction(numerator) / Fraction(denominator)) if denominator else 0.0


def _number(value: _Count) -> bytes:
    """A count as Perl writes it.

    Examples
    --------
    >>> _number(3), _number(6.0), _number(20 / 3)
    (b'3', b'6', b'6.66666666666667')
    """
    return b"%d" % value if isinstance(value, int) else b"%.15g" % float(value)


def _percent(value: float) -> bytes:
    """A fraction as a percentage, cut after two decimals.

    Examples
    --------
    >>> _percent(2 / 3), _percent(0.875), _percent(1.0)
    (b'66.66', b'87.5', b'100')

    The product is that of doubles, as in v8.01: 0.57 * 10000 is a little less than 5700.

    >>> _percent(0.57)
    b'56.99'
    """
    return b"%.15g" % (int(value * 10000) / 100)
