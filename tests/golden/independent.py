"""The golden set: scores of our examples by the definitions, not by the scorer.

``python -m tests.golden.independent`` writes ``values.tsv``, one line for each pair of files,
policy and metric. Nothing here uses the package: CoNLL is read by the few lines below, policies are
applied as docs/metrics.md says, and the metrics are those of ``tests/metrics/slow.py``. Numbers are
exact fractions; ``0/0`` is undefined. Metrics that see texts or the alignment of mentions have
golden tests of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ..metrics.slow import BLANC, SLOW, Definition, Entities, Expected, lea, score

HERE = Path(__file__).parent
VALUES = HERE / "values.tsv"
EXAMPLES = HERE.parents[1] / "examples"

#: Key and response by the name of the pair.
PAIRS = {
    "system-a": (EXAMPLES / "key.conll", EXAMPLES / "system-a.conll"),
    "system-b": (EXAMPLES / "key.conll", EXAMPLES / "system-b.conll"),
    "edge": (HERE / "edge-key.conll", HERE / "edge-response.conll"),
    "alone": (HERE / "alone-key.conll", HERE / "alone-response.conll"),
}

#: Options of the recipe by the name of the policy.
POLICIES: dict[str, dict[str, object]] = {
    "default": {},
    "singletons:drop": {"singletons": "drop"},
    "repeated:merge": {"repeated": "merge"},
    "documents:strict": {"documents": "strict"},
    "average:macro": {"average": "macro"},
    "one-document": {"as_one_document": True},
    "drop,macro": {"singletons": "drop", "average": "macro"},
    "merge,drop,one-document": {"repeated": "merge", "singletons": "drop", "as_one_document": True},
}

#: The definition of each metric, and of each with other options than usual.
METRICS: dict[str, Definition] = {
    **{name: definition for name, definition in SLOW.items() if name != "ceaf"},
    **{f"blanc:{name}": BLANC[name] for name in BLANC if name != "official"},
    "lea:one": lea(lambda entity: 1),
}
AVERAGES = {"conll": ("muc", "b3", "ceafe"), "mela": ("muc", "b3", "ceafe")}

#: Documents of a file by name and part; a mention is its document, first and last token.
Side = dict[str, Entities]


class Row(NamedTuple):
    """One line of the golden set; a value is a fraction, twelve decimals, or ``0/0``."""

    pair: str
    policy: str
    metric: str
    recall: str
    precision: str
    f1: str


def read(path: Path) -> Side:
    """Entities in the order of their first mention, mentions in the order of their beginnings."""
    side: Side = {}
    for block in path.read_text("utf-8").split("#begin document ")[1:]:
        name, *lines = block.split("#end document")[0].splitlines()
        found: dict[str, list] = {}
        open_at: dict[str, list] = {}
        cells = [line.split()[-1] for line in lines if line.strip()]
        for token, cell in enumerate(cells):
            for chunk in re.findall(r"\(?[^()|-]+\)?", cell):
                entity = chunk.strip("()")
                if chunk.startswith("("):
                    mention = [name, token]
                    found.setdefault(entity, []).append(mention)
                    open_at.setdefault(entity, []).append(mention)
                if chunk.endswith(")"):
                    open_at[entity].pop().append(token)
        side[name] = [[tuple(mention) for mention in entity] for entity in found.values()]
    return side


def first(entities: Entities, others: Entities) -> Entities:
    """Each mention stays in the entity that comes first; what the other side lacks stays in all."""
    taken, shared = set(), {mention for entity in others for mention in entity}
    kept = []
    for entity in entities:
        mentions = [m for m in dict.fromkeys(entity) if m not in taken or m not in shared]
        taken.update(mentions)
        kept.append(mentions)
    return [entity for entity in kept if entity]


def merged(entities: Entities) -> Entities:
    """Entities that share a mention are one."""
    found: Entities = []
    for entity in entities:
        joined = [other for other in found if set(other) & set(entity)]
        found = [other for other in found if other not in joined]
        found.append(list(dict.fromkeys(m for other in [*joined, entity] for m in other)))
    return found


def prepared(key: Side, response: Side, options: dict) -> list[tuple[Entities, Entities]]:
    """What is scored: repeated mentions, then joined documents, then singletons."""
    names = list(key)
    if options.get("documents") == "strict":
        names += [name for name in response if name not in key]
    pairs = []
    for name in names:
        k, r = key.get(name, []), response.get(name, [])
        if options.get("repeated") == "merge":
            pairs.append((merged(k), merged(r)))
        else:
            k = first(k, k)  # in a key no copy counts
            pairs.append((k, first(r, k)))
    if options.get("as_one_document"):
        pairs = [tuple([entity for pair in pairs for entity in pair[side]] for side in (0, 1))]
    if options.get("singletons") == "drop":
        pairs = [tuple([e for e in side if len(e) > 1] for side in pair) for pair in pairs]
    return pairs


def mean(values: list) -> Fraction | float:
    """Of documents; 0/0 counts as 0."""
    known = [value or 0 for value in values]
    return sum(known) / Fraction(len(known))


def scores(definition: Definition, pairs: list, macro: bool) -> Expected:
    """Recall, precision and F1 of all documents."""
    if not macro:
        return score(definition, pairs)
    return Expected(*map(mean, zip(*(score(definition, [pair]) for pair in pairs), strict=True)))


def rows() -> Iterator[Row]:
    """All lines of the golden set."""
    for pair, (key, response) in PAIRS.items():
        for policy, options in POLICIES.items():
            pairs = prepared(read(key), read(response), options)
            macro = options.get("average") == "macro"
            found = {name: scores(METRICS[name], pairs, macro) for name in METRICS}
            for name, expected in found.items():
                yield Row(pair, policy, name, *map(text, expected))
            for name, parts in AVERAGES.items():
                value = sum(found[part].f1 or 0 for part in parts) / Fraction(len(parts))
                yield Row(pair, policy, name, "-", "-", text(value))


def text(value: Fraction | float | None) -> str:
    """A value as the file has it."""
    if value is None:
        return "0/0"
    # The last digits of logarithms are those of the machine.
    return f"{value:.12f}" if isinstance(value, float) else str(value)


def written() -> str:
    """The file."""
    lines = ["\t".join(Row._fields), *("\t".join(row) for row in rows())]
    return "\n".join(lines) + "\n"


def digest() -> str:
    """What a fragment names when a value has moved."""
    return sha256(VALUES.read_bytes()).hexdigest()[:12]


if __name__ == "__main__":
    VALUES.write_text(written(), "utf-8")
    print(f"golden set {digest()}")
