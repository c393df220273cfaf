"""Small CoNLL-U texts and documents for the tests of matching."""

from __future__ import annotations

from corefmeter import Document
from corefmeter.corpus.text import Detail, Text

HEADER = "# newdoc id = a\n# global.Entity = eid-etype-head-other\n"


def conllu(*words: str) -> str:
    """A document of one sentence: ``form``, ``form Entity`` or, for an empty node, ``.k Entity``.

    After an empty node may stand its dependencies: ``.1 (e1--1-) 2:nsubj``.
    """
    lines = []
    number = 0
    for word in words:
        form, cell, deps = [*word.split(" "), "_", "_"][:3]
        if form.startswith("."):
            id, form = f"{number}{form}", "_"
        else:
            number += 1
            id = str(number)
        misc = "_" if cell == "_" else f"Entity={cell}"
        lines.append("\t".join([id, form, "_", "_", "_", "_", "_", "_", deps, misc]))
    return HEADER + "\n".join(lines) + "\n\n"


def document(*entities: list[tuple], name: str = "a") -> Document:
    """A document of mentions with heads: ``(position, head)`` or ``(position, head, deps)``."""
    return Document(
        name,
        [[mention[0] for mention in entity] for entity in entities],
        details=[
            [
                Detail(head=mention[1], attributes={"deps": mention[2]} if mention[2:] else None)
                for mention in entity
            ]
            for entity in entities
        ],
        text=Text(["w"] * 30),
    )
