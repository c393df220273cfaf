"""Where the real data are, and how the recorded values of other scorers are read and compared.

The data lie in ``../shared/data`` beside the checkout and are no part of the project; tests that
need them are skipped without them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from math import isclose
from pathlib import Path

import pytest

DATA = Path(__file__).parents[2].parent / "shared" / "data"

#: The names of the official scorer for our metrics.
NAMES = {"bcub": "b3"}


def needs(folder: str):
    """Skip the tests of a module when the folder is not there."""
    return pytest.mark.skipif(
        not (DATA / folder).is_dir(), reason=f"no real data: {DATA / folder} is not there"
    )


def table(path: Path) -> Iterator[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t")


def component(result, metric: str):
    """The scores that the official scorer prints under this name."""
    if metric == "blanc_coref":
        return result.blanc.coreference
    if metric == "blanc_noncoref":
        return result.blanc.noncoreference
    return result[NAMES.get(metric, metric)]


def differences(result, rows) -> list[str]:
    """Where a result differs by more than 1e-9 from recorded counts and scores.

    BLANC is recorded as a value over 1, so of its two fractions only the value is compared.
    """
    found = []
    for row in rows:
        scores = component(result, row["metric"])
        pairs = [(field, getattr(scores, field), row[field]) for field in
                 ("recall", "precision", "f1")]  # fmt: skip
        if row["metric"] != "blanc":
            pairs += [
                (f"{side}_{part}", getattr(scores, f"{side}_{part}"), row[f"{side}_{short}"])
                for side in ("recall", "precision")
                for part, short in (("numerator", "num"), ("denominator", "den"))
            ]
        found += [
            f"{row['metric']} {field}: {value}, recorded {recorded}"
            for field, value, recorded in pairs
            if not isclose(value, float(recorded), rel_tol=1e-9, abs_tol=1e-12)
        ]
    return found


_FRACTION = r"(?:\(([\d.]+) / (\d+)\) )?([\d.]+)%?"
_LINE = re.compile(
    rf"^(\S+)\s+(?:(.*): )?Recall: {_FRACTION}\s+Precision: {_FRACTION}\s+F1: ([\d.]+)%?$"
)


def printed_blocks(path: Path) -> dict[str, list[dict[str, str]]]:
    """What a scorer printed, by response: one row for each line with recall and precision.

    The rows of a BLANC of the official scorer are named as in its tables: ``blanc_coref``,
    ``blanc_noncoref``, ``blanc``.
    """
    blocks: dict[str, list[dict[str, str]]] = {}
    rows: list[dict[str, str]] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            named = re.search(r"response=(\S+)", line)
            rows = blocks.setdefault(named[1] if named else line[1:].strip(), [])
        elif match := _LINE.match(line):
            metric, what, *numbers = match.groups()
            if what in ("Coreference links", "Non-coreference links"):
                metric = "blanc_coref" if what == "Coreference links" else "blanc_noncoref"
            fields = (
                "recall_num", "recall_den", "recall", "precision_num", "precision_den",
                "precision", "f1",
            )  # fmt: skip
            rows.append({"metric": metric, **dict(zip(fields, numbers, strict=True))})
    return blocks


def printed_differences(result, rows) -> list[str]:
    """Where counts differ from printed fractions, of 15 digits, or scores from printed percents.

    The official scorer cuts percentages after two decimals; its floats may be off in the last bits.
    """
    found = []
    for row in rows:
        scores = component(result, row["metric"])
        for side in ("recall", "precision"):
            value = getattr(scores, side)
            numerator, denominator = row[f"{side}_num"], row[f"{side}_den"]
            ratio = float(numerator) / float(denominator)
            if not isclose(value, ratio, rel_tol=1e-9):
                found.append(f"{row['metric']} {side}: {value}, printed {numerator}/{denominator}")
            if row["metric"] != "blanc":
                counts = (
                    getattr(scores, f"{side}_numerator"), getattr(scores, f"{side}_denominator")
                )  # fmt: skip
                if not isclose(counts[0], float(numerator), rel_tol=1e-9) or counts[1] != int(
                    denominator
                ):
                    found.append(f"{row['metric']} {side}: {counts}, printed {numerator}/"
                                 f"{denominator}")  # fmt: skip
        if not truncates_to(scores.f1, row["f1"]):
            found.append(f"{row['metric']} F1: {scores.f1}, printed {row['f1']}%")
    return found


def truncates_to(value: float, printed: str) -> bool:
    """Whether a fraction, cut after two decimals of its percentage, is what was printed."""
    return any(
        int((value + slip) * 10000) == round(float(printed) * 100) for slip in (0, 1e-12, -1e-12)
    )
