"""No number of any command depends on how files list documents, entities, mentions or rows."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest

from corefmeter.cli.main import COMMANDS as OF_CORE
from corefmeter.cli.main import program

from ..command import run

WORDS = ["he", "she", "it", "they", "Ann", "Bob", "Eve", "the", "dog", "a", "cat", "his", "her"]

Entities = list[list[tuple[int, int]]]
#: Name, words and entities of each document; ends of spans are inclusive.
Book = list[tuple[str, list[str], Entities]]

#: What is run, by the command that it is of. Lists are shown whole.
LINES = [
    "score k.jsonl r.jsonl s.jsonl --by document -m "
    "mentions,muc,b3,ceafm,ceafe,blanc,lea,conll,ari,nmi,vi,links,gmd,mela",
    "score k.jsonl r.jsonl --match overlap --overlap-threshold 0.3",
    "score k.jsonl r.jsonl --as-one-document",
    "compare k.jsonl r.jsonl s.jsonl --trials 30",
    "compare k.jsonl r.jsonl s.jsonl --trials 30 --test bootstrap --interval bca",
    "agree k.jsonl r.jsonl s.jsonl --trials 30 --feature tokens",
    "merge k.jsonl r.jsonl s.jsonl",
    "merge k.jsonl r.jsonl --least 1",
    "stitch w.jsonl",
    "stitch w.jsonl --key k.jsonl",
    "clusters k.csv r.csv --item id --cluster cluster --within document",
    "clusters estimate k.csv r.csv --drawn size --item document --item id --cluster cluster",
    "errors k.jsonl r.jsonl --feature tokens --feature entity_size --pronouns en --top 2",
    "errors k.jsonl r.jsonl --entities --links --mentions --pronouns en --top 0",
    "errors k.jsonl r.jsonl s.jsonl --feature tokens",
    "card k.jsonl r.jsonl s.jsonl --feature kind --feature tokens --pronouns en --window 7 "
    "--character 2 --largest 3",
    "card k.jsonl r.jsonl --match overlap --overlap-threshold 0.3 --window 7",
    "card k.jsonl r.jsonl --as-one-document",
    "match k.jsonl r.jsonl --match overlap --overlap-threshold 0.3",
    "stats k.jsonl r.jsonl",
    "validate r.jsonl --against k.jsonl",
    "correlate scores.csv --disagreements",
    "ace k.apf.xml r.apf.xml",
    "lab experiment luo-sweep k.jsonl",
    "lab damage k.jsonl --kind split --levels 0,1",
    "lab damage k.jsonl --kind move --levels 0,50% --order largest",
    "lab experiment lea-table1 k.jsonl r.jsonl",
    "lab experiment lea-table4 k.jsonl",
]

#: Commands without a line above.
WITHOUT = {
    "report": "a page of the numbers of score, compare, errors and card",
    "conll-scorer": "the order of its files is that of the text",
    "convert": "writes what it reads",
    "codabench": "the numbers of score",
    "leaderboard": "the numbers of score, compare, errors and card",
    "list": "reads no data",
    "completion": "reads no data",
    "cite": "reads no data",
}


def test_every_command_is_here():
    commands = {*program.list_commands(click.Context(program)), *OF_CORE}
    assert {line.split()[0] for line in LINES} | WITHOUT.keys() == commands


# ---- books ------------------------------------------------------------------------------------


def entities_of(homes: dict[tuple[int, int], int]) -> Entities:
    found: dict[int, list[tuple[int, int]]] = {}
    for mention, home in homes.items():
        found.setdefault(home, []).append(mention)
    return list(found.values())


def some_spans(random: Random, tokens: int, most: int) -> list[tuple[int, int]]:
    starts = [random.randrange(tokens) for _ in range(random.randint(1, most))]
    return [(start, min(tokens - 1, start + random.randrange(3))) for start in starts]


def book(random: Random, documents: int) -> Book:
    """Documents in which no mention occurs twice."""
    made = []
    for number in range(documents):
        words = [random.choice(WORDS) for _ in range(random.randint(6, 30))]
        homes = {span: random.randrange(4) for span in some_spans(random, len(words), 12)}
        made.append((f"d{number}x", words, entities_of(homes)))
    return made


def noisy(random: Random, entities: Entities, tokens: int) -> Entities:
    """Entities with wrong spans, mentions that are missing or extra, and wrong links."""
    homes = {}
    for home, entity in enumerate(entities):
        for start, end in entity:
            chance = random.random()
            if chance < 0.1:
                continue
            if chance < 0.2:
                end = min(end + 1, tokens - 1)
            other = random.randrange(len(entities) + 1)
            homes[start, end] = other if random.random() < 0.3 else home
    extra = {span: random.randrange(len(entities) + 1) for span in some_spans(random, tokens, 2)}
    return entities_of(homes | extra)


def answers(random: Random, key: Book) -> Book:
    return [(name, words, noisy(random, entities, len(words))) for name, words, entities in key]


def windows(random: Random, key: Book) -> Book:
    """Noisy windows of 8 tokens, of which the next ones have 3."""
    made = []
    for name, words, entities in key:
        for begin in range(0, max(1, len(words) - 3), 5):
            end = min(begin + 8, len(words))
            inside = [[(a - begin, b - begin) for a, b in entity if begin <= a and b < end]
                      for entity in entities]  # fmt: skip
            inside = noisy(random, [*filter(None, inside)], end - begin)
            made.append((f"{name}@{begin}", words[begin:end], inside))
    return made


def shuffled(random: Random, of: Sequence[Any]) -> list[Any]:
    return random.sample(of, len(of))


def in_another_order(random: Random, given: Book) -> Book:
    return shuffled(random, [
        (name, words, shuffled(random, [shuffled(random, entity) for entity in entities]))
        for name, words, entities in given
    ])  # fmt: skip


# ---- files ------------------------------------------------------------------------------------


def write(folder: Path, random: Random | None, books: dict[str, Book]) -> None:
    """Write books to files of all formats, as they are or in another order."""
    for name, given in books.items():
        if random is not None:
            given = in_another_order(random, given)
        lines = [json.dumps({"doc_key": document, "tokens": words, "clusters": entities})
                 for document, words, entities in given]  # fmt: skip
        (folder / f"{name}.jsonl").write_text("\n".join(lines))
        rows = [f"{document},{a}-{b},{min(entity)}".replace(", ", "-")
                for document, _, entities in given for entity in entities
                for a, b in entity]  # fmt: skip
        rows = rows if random is None else shuffled(random, rows)
        (folder / f"{name}.csv").write_text("\n".join(["document,id,cluster", *rows]))
        if name in ("k", "r"):
            _write_ace(folder / f"{name}.apf.xml", *given[[d for d, *_ in given].index("d0x")])
    systems = ["a,1,2", "b,2,1", "c,3,3", "d,2,2"]
    systems = systems if random is None else shuffled(random, systems)
    (folder / "scores.csv").write_text("\n".join(["system,muc,b3", *systems]))


def _write_ace(path: Path, document: str, words: list[str], entities: Entities) -> None:
    """Entities with the types and levels that their mentions' places give."""
    at = [sum(len(word) + 1 for word in words[:n]) for n in range(len(words) + 1)]
    made = []
    for entity in entities:
        mentions = "".join(
            f'<entity_mention ID="m{a}-{b}" TYPE="{["NAM", "NOM", "PRO"][a % 3]}"><extent>'
            f'<charseq START="{at[a]}" END="{at[b + 1] - 2}">x</charseq></extent><head>'
            f'<charseq START="{at[b]}" END="{at[b + 1] - 2}">x</charseq></head></entity_mention>'
            for a, b in entity
        )
        first = min(entity)
        made.append(f'<entity ID="e{first}" TYPE="{["PER", "ORG"][first[0] % 2]}" CLASS="SPC">'
                    f"{mentions}</entity>")  # fmt: skip
    path.write_text(
        f'<source_file URI="{document}.sgm"><document DOCID="{document}">{"".join(made)}'
        "</document></source_file>"
    )


#: Keys with lines of files, which move, or numbers of entities, which have no names here.
MOVING = {"line", "digests", "entity", "key_entity", "response_entity"}


def canonical(value: Any) -> Any:
    """JSON without an order, and without the places of lines in files."""
    if isinstance(value, dict):
        return {
            key: canonical(inside) for key, inside in sorted(value.items())
            if key not in MOVING and not (key == "response" and not isinstance(inside, dict))
        }  # fmt: skip
    if isinstance(value, list):
        if all(isinstance(one, int) for one in value):
            return value  # a position
        kept = [one for one in value if not _of_bytes(one)]
        return sorted(map(canonical, kept), key=lambda one: json.dumps(one, sort_keys=True))
    if isinstance(value, float):
        return round(value, 9) + 0.0
    if isinstance(value, str):
        return re.sub(r"(jsonl|csv|xml):\d+", r"\1", value)
    return value


def _of_bytes(one: Any) -> bool:
    return isinstance(one, dict) and one.get("code") == "same-file"


def outcome(line: str, folder: Path) -> tuple[int, Any]:
    done = run(*line.split(), "-f", "json", folder=folder)
    if done.returncode:
        return done.returncode, sorted(re.findall(r"\[[a-z-]+\]", done.stderr))
    return 0, canonical(json.loads(done.stdout))


def check(line: str, random: Random) -> None:
    key = book(random, 8 if line.startswith("compare") else random.randint(1, 3))
    response = [one for one in answers(random, key) if one[0] == "d0x" or random.random() < 0.8]
    books = {"k": key, "r": response, "s": answers(random, key), "w": windows(random, key)}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        write(folder, None, books)
        expected = outcome(line, folder)
        write(folder, random, books)
        assert outcome(line, folder) == expected


@pytest.mark.parametrize("line", LINES)
def test_no_order_changes_a_number(line):
    for seed in range(3):
        check(line, Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_no_order_changes_a_number_ten_thousand_times(line):
    """Over all lines together; a sweep takes as long as ten other commands, so it has 20."""
    times = 20 if "luo-sweep" in line else 10_000 // (len(LINES) - 1) + 1
    for seed in range(3, 3 + times):
        check(line, Random(seed))
