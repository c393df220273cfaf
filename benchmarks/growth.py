"""How do time and memory grow on the worst inputs? ``python benchmarks/growth.py [NAME ...]``

Each case is a file that somebody made to be slow, or a limit case of an honest one, at two sizes.
CPU seconds and peak memory are those of a process of its own, with the start of the program taken
off; the exponent is that of the larger size to the smaller, n in n^exponent. ``--limit`` ends with
status 1 if any is above, or if a command does not end as its case says; ``--markdown`` prints the
table that is in ``growth.md``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

#: What a command may take: seconds of CPU, and bytes of memory.
SECONDS, MEMORY = 120, 4 << 30

#: Below so many seconds growth is not told from noise.
LEAST = 0.05


#: A file, or several by name.
Made = str | bytes | dict[str, str]


class Case(NamedTuple):
    """A worst case.

    Parameters
    ----------
    what
        What grows.
    command
        With KEY, RESPONSE and OUT where the files are named.
    make
        The texts of key and response, of a size; a file with those that belong to it, or a folder,
        is a dictionary of texts by name, of which the first is given to the command.
    sizes
        The smaller and the larger.
    ending
        That of the files' names.
    code
        That of the message with which the file is refused, where that is meant. Else the command
        must succeed: a file that is refused early proves nothing.
    """

    what: str
    command: str
    make: Callable[[int], tuple[Made, ...]]
    sizes: tuple[int, int]
    ending: str = ".txt"
    code: str = ""


# ---- texts ------------------------------------------------------------------------------------


def conll(tokens: int, cells: dict[int, str], name: str = "x") -> str:
    """A document of one-letter words; cells by token."""
    rows = [f"{name}\t0\t{i}\tw\t{cells.get(i, '-')}" for i in range(tokens)]
    return "\n".join([f"#begin document ({name}); part 000", *rows, "", "#end document", ""])


def nested(n: int, shift: int = 0) -> str:
    """A document with n mentions inside each other, each an entity."""
    opened = {i: f"({2 * i + shift}" for i in range(n)}
    closed = {2 * n - i + shift: f"{2 * i + shift})" for i in range(n)}
    return conll(2 * n + 2 + shift, opened | closed)


def conllu(rows: list[str], comment: str = "") -> str:
    head = f"# newdoc id = x\n# global.Entity = eid-etype-head-other\n{comment}"
    return head + "\n".join(rows) + "\n\n"


def row(number: object, misc: str = "_", parent: str = "0:root") -> str:
    """A line of CoNLL-U."""
    empty = "." in str(number)
    basic = ("_", "_", parent) if empty else ("0", "root", "_")
    return "\t".join([str(number), "w", "w", "NOUN", "_", "_", *basic, misc])


def heads(n: int, shift: int = 0) -> str:
    """n mentions inside each other around one head, in CoNLL-U; they end a word later by `shift`."""
    ends = [*["_"] * shift, *(f"Entity=e{i})" for i in reversed(range(n))), *["_"] * (1 - shift)]
    before = [row(i + 1, f"Entity=(e{i}-x-{n - i}-") for i in range(n)]
    return conllu(before + [row(n + 1 + i, misc) for i, misc in enumerate(ends)])


def conllua(rows: list[tuple[str, str]]) -> str:
    """Rows of id and cell of IDENTITY."""
    head = "# global.columns = ID FORM IDENTITY\n# newdoc id = x\n"
    return head + "".join(f"{id}\tw\t{cell}\n" for id, cell in rows) + "\n"


def tbf(lines: list[str], name: str = "x") -> str:
    return "\n".join([f"#BeginOfDocument {name}", *lines, "#EndOfDocument", ""])


def nugget(number: int, span: str, name: str = "x") -> str:
    return "\t".join(["s", name, f"E{number}", span, "w", "Conflict_Attack", "Actual"])


def webanno(rows: list[str]) -> str:
    head = "#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.Referent|entity\n"
    return head + "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n" + "".join(rows)


def e2e(clusters: object, words: int, **more: object) -> str:
    values = {"doc_key": "x_0", "sentences": [["w"] * words], "clusters": clusters, **more}
    return json.dumps(values) + "\n"


def tac(mentions: int, length: int, shift: int = 0) -> str:
    """Mentions of so many characters, each an entity of two."""
    return "".join(
        f"d\t{i + shift}\t{i + shift + length - 1}\tE{i // 2}\t1.0\tPER\n" for i in range(mentions)
    )


def brat(text: str, lines: list[str]) -> dict[str, str]:
    return {"x.ann": "".join(lines), "x.txt": text}


def ace(text: str, spans: list[tuple[int, int]], said: str) -> dict[str, str]:
    """Mentions of the characters from one to another, which are said to be something."""
    mentions = (
        f'<entity_mention ID="m{i}" TYPE="NAM"><extent><charseq START="{start}" END="{end}">'
        f"{said}</charseq></extent></entity_mention>\n"
        for i, (start, end) in enumerate(spans)
    )
    entity = f'<entity ID="e" TYPE="PER">{"".join(mentions)}</entity>'
    root = f'<source_file URI="x.sgm"><document DOCID="x">\n{entity}</document></source_file>\n'
    return {"x.apf.xml": root, "x.sgm": text}


def mmax2(words: list[str], spans: list[str]) -> dict[str, str]:
    """Markables of some spans in one entity."""
    head = '<?xml version="1.0"?>\n'
    word = (f'<word id="word_{i}">{word}</word>\n' for i, word in enumerate(words, 1))
    markable = (
        f'<markable id="markable_{i}" span="{span}" coref_class="set_1"/>\n'
        for i, span in enumerate(spans, 1)
    )
    return {
        "x.mmax": f"{head}<mmax_project><words>x_words.xml</words></mmax_project>\n",
        "x_words.xml": f"{head}<words>\n{''.join(word)}</words>\n",
        "x_coref_level.xml": f"{head}<markables>\n{''.join(markable)}</markables>\n",
    }


def booknlp(words: list[str], spans: list[tuple[int, int]], said: str) -> dict[str, str]:
    rows = "".join(
        f"{i}\t{start}\t{end}\tPROP\tPER\t{said}\n" for i, (start, end) in enumerate(spans)
    )
    tokens = "".join(f"0\t{word}\n" for word in words)
    return {
        "x.entities": f"COREF\tstart_token\tend_token\tprop\tcat\ttext\n{rows}",
        "x.tokens": f"sentence_ID\tword\n{tokens}",
    }


def litbank(text: str, spans: list[str], said: str) -> dict[str, str]:
    rows = (f"MENTION\tT{i}\t{span}\t{said}\tPER\tPROP\n" for i, span in enumerate(spans))
    return {"x.tsv": "".join(rows), "x.txt": text}


def packed(text: str) -> bytes:
    return gzip.compress(text.encode(), 9)


# ---- cases ------------------------------------------------------------------------------------

READ, SCORE, ERRORS = "validate KEY", "score KEY RESPONSE", "errors KEY RESPONSE"
MARKED = "<m id=1>a</m> <m id=1>b</m> "
COREF = '<COREF ID="1">a</COREF> <COREF ID="2" REF="1">b</COREF> '


def _tags(n: int) -> tuple[str]:
    return ("</" + "1" * n,)


def _nested_empties(n: int) -> tuple[str]:
    opened = [row(i + 1, f"Entity=(e{i}-x-1-") for i in range(n)]
    empties = [row(f"{n}.{k}") for k in range(1, n + 1)]
    closed = [row(n + 1 + i, f"Entity=e{n - 1 - i})") for i in range(n)]
    return (conllu(opened + empties + closed),)


def _webanno_span(n: int) -> tuple[str]:
    rows = [f"1-{i}\t{2 * i}-{2 * i + 1}\tw\tperson[1]\t_\t_\t\n" for i in range(1, n + 1)]
    return (webanno(rows),)


def _webanno_links(n: int) -> tuple[str]:
    (span,) = _webanno_span(n)
    links = (
        f"1-{i}\t{2 * i}-{2 * i + 1}\tw\tperson[{i}]\tpart\t1-1[1_{i}]\t\n"
        for i in range(n + 1, 2 * n + 1)
    )
    return (span + "".join(links),)


def _repeated(n: int) -> tuple[str, str]:
    cell = "|".join(f"({i})" for i in range(n))
    cells = {0: cell} | {i + 1: f"({i})" for i in range(n)}
    return conll(n + 1, cells), conll(n + 1, {0: "(1)", 1: "(1)"})


def _parts(n: int) -> tuple[str]:
    """A document of one name n times."""
    one = conll(4, {0: "(1)", 2: "(1)"})
    return (one * n,)


def _documents(n: int) -> tuple[str]:
    return ("".join(conll(3, {0: "(1)", 2: "(1)"}, f"d{i}") for i in range(n)),)


CASES = [
    # Expressions that go back
    Case("inline: a tag `</111…`", READ, _tags, (8_000, 32_000), code="unknown-format"),
    Case("inline: attributes of a tag", READ, lambda n: (MARKED + "<m " + "a" * n + ">c</m>",), (8_000, 32_000), code="no-entity-name"),
    Case("inline: bracket and blanks", READ, lambda n: ("[a]_1 [b]_1 [c" + " " * n + "]",), (50_000, 200_000)),
    Case("inline: inside, blanks", READ, lambda n: ("[a | 1] [b | 1] [c" + " " * n + "x]",), (8_000, 32_000)),
    Case("inline: inside, name of parts", READ, lambda n: ("[a | 1] [b | 1] [c |" + "a_" * n + "!]",), (8_000, 32_000)),
    Case("inline: words with marks", READ, lambda n: ("a|[1] b|1] c|[" + "1,[" * n + "!",), (8_000, 32_000), code="close-without-open"),
    Case("inline: nested brackets", READ, lambda n: ("[" * n + "a" + "]_1" * n,), (2_000, 8_000)),
    Case("inline: brackets never closed", READ, lambda n: ("[a]_1 [b]_1" + "[c " * n,), (8_000, 32_000), code="unclosed-mention"),
    Case("muc-sgml: a tag", READ, lambda n: (COREF + "<" + "a" * n,), (8_000, 32_000)),
    Case("muc-sgml: quotes", READ, lambda n: (COREF + "<a " + '"b" ' * n + '"',), (8_000, 32_000)),
    Case("muc-sgml: attributes", READ, lambda n: (COREF + "<COREF " + "a" * n + ">c</COREF>",), (8_000, 32_000), code="missing-field"),
    Case("muc-sgml: DOCID without a name", READ, lambda n: ("<DOC>" + COREF + "<DOCID></DOCID>" * n + "</DOC>",), (4_000, 16_000)),
    Case("muc-sgml: MIN", READ, lambda n: (COREF + f'<COREF ID="3" MIN="{"a " * n}b">{"a " * 2 * n}</COREF>',), (1_000, 4_000), code="text-differs"),
    # Positions
    Case("tac-kbp: mentions of 10^6 characters, errors", ERRORS, lambda n: (tac(n, 1_000_000), tac(n, 1_000_000, 1)), (10, 40), ".tab"),
    Case("tac-kbp: the same, overlap", "score KEY RESPONSE --match overlap", lambda n: (tac(n, 1_000_000), tac(n, 1_000_000, 1)), (10, 40), ".tab"),
    Case("tac-kbp: mentions of 10^6 characters that overlap", "score KEY RESPONSE --match overlap", lambda n: (tac(n, 999_900), tac(n, 999_900, n)), (10, 40), ".tab"),
    Case("tac-kbp: the same, craft", "score KEY RESPONSE --match craft", lambda n: (tac(n, 999_900), tac(n, 999_900, n)), (10, 40), ".tab"),
    Case("tac-kbp: the same, match", "match KEY RESPONSE --match overlap", lambda n: (tac(n, 1_000_000), tac(n, 1_000_000, 1)), (10, 40), ".tab"),
    Case("tac-kbp: candidates", READ, lambda n: ("d\t0\t1" + "\tE1\t0.5\tPER" * n + "\n",), (4_000, 16_000), ".tab"),
    Case("tbf: token t999999999999, errors", ERRORS, lambda n: (tbf([nugget(1, f"t{10**n - 1}"), nugget(2, "t1"), "@Coreference\tC\tE1,E2"]), tbf([nugget(1, f"t{10**n - 1}"), nugget(2, "t2"), "@Coreference\tC\tE1,E2"])), (6, 12), ".tbf"),
    Case("tbf: the same to tbf", "convert KEY OUT --to tbf", lambda n: (tbf([nugget(1, f"t{10**n - 1}"), nugget(2, "t1")]),), (6, 12), ".tbf"),
    Case("tbf: one name of entities", READ, lambda n: (tbf([nugget(i, f"t{i}") for i in range(n)] + [f"@Coreference\tC\tE{i}" for i in range(n)]),), (1_000, 4_000), ".tbf"),
    Case("tbf: documents without a name", READ, lambda n: (tbf([], "") * n,), (4_000, 16_000), ".tbf"),
    Case("e2e: subtoken_map jumps", READ, lambda n: (e2e([], 2, subtoken_map=[0, 10**n]),), (5, 9), ".jsonl", code="bad-map"),
    Case("e2e: subtoken_map jumps, errors", "errors KEY KEY", lambda n: (e2e([[[0, 0], [1, 1]]], 2, subtoken_map=[0, 10**n]),), (5, 9), ".jsonl", code="bad-map"),
    # Whole files
    Case("muc-sgml: gzip of newlines", READ, lambda n: (packed(COREF + "\n" * n),), (2_000_000, 8_000_000), ".sgm.gz"),
    Case("inline: gzip of newlines", READ, lambda n: (packed(MARKED + "\n" * n),), (2_000_000, 8_000_000), ".txt.gz"),
    Case("inline: gzip of blanks", READ, lambda n: (packed(MARKED + " " * n),), (2_000_000, 8_000_000), ".txt.gz"),
    Case("e2e: gzip of an array", READ, lambda n: (packed('[{"doc_key": "x", "sentences": [["a"]], "clusters": []},\n' + "[],\n" * n + "[]]"),), (250_000, 1_000_000), ".jsonl.gz", code="bad-field"),
    Case("e2e: gzip of an object", READ, lambda n: (packed('{"doc_key": "x", "sentences": [\n' + '["a"],\n' * n + '[]], "clusters": []}'),), (250_000, 1_000_000), ".jsonl.gz"),
    Case("e2e: gzip of newlines in an object", READ, lambda n: (packed('{\n"clusters": [], "sentences": [["a"]' + "\n" * n + "]}"),), (2_000_000, 8_000_000), ".jsonl.gz"),
    Case("conll: gzip of newlines", READ, lambda n: (packed(conll(2, {0: "(1)"}) + "\n" * n),), (2_000_000, 8_000_000), ".conll.gz"),
    Case("conllu: gzip of newlines", READ, lambda n: (packed(conllu([row(1, "Entity=(e1-x-1-)")]) + "\n" * n),), (2_000_000, 8_000_000), ".conllu.gz"),
    Case("semeval: gzip of newlines", READ, lambda n: (packed("#begin document x\n" + "\n" * n + "1\tw" + "\t_" * 14 + "\t(1)\n#end document x\n"),), (2_000_000, 8_000_000), ".conll.gz"),
    Case("tbf: gzip of newlines", READ, lambda n: (packed(tbf(["\n" * n, nugget(1, "t1")])),), (2_000_000, 8_000_000), ".tbf.gz"),
    Case("e2e: gzip of clusters", READ, lambda n: (packed(e2e([[[0, 0]] * n], 1)),), (250_000, 1_000_000), ".jsonl.gz"),
    Case("e2e: gzip of clusters of one mention", READ, lambda n: (packed(e2e([[[i % 10, i % 10]] for i in range(n)], 10)),), (125_000, 500_000), ".jsonl.gz"),
    # Links, names and texts
    Case("conllua: a chain of ElementOf", READ, lambda n: (conllua([(str(i + 1), f"(EntityID={i}|MarkableID=m{i}|ElementOf={i + 1})") for i in range(n)] + [(str(n + 1), f"(EntityID={n}|MarkableID=m{n})")]),), (2_500, 10_000), ".conllua"),
    Case("conllua: a circle of ElementOf", READ, lambda n: (conllua([(str(i + 1), f"(EntityID={i}|MarkableID=m{i}|ElementOf={(i + 1) % n})") for i in range(n)]),), (2_500, 10_000), ".conllua", code="bad-link"),
    Case("conllua: one plural of all", READ, lambda n: (conllua([(str(i + 1), f"(EntityID={i}|MarkableID=m{i}" + "|ElementOf=0" * (i > 0) + ")") for i in range(n)]),), (2_500, 10_000), ".conllua"),
    Case("conllua: Min of nested markables", READ, lambda n: (conllua([(str(i + 1), f"(EntityID={i}|MarkableID=m{i}|Min={n},{n + 1}") for i in range(n)] + [(str(n + 1 + i), ")") for i in range(n)]),), (1_000, 4_000), ".conllua"),
    Case("conllua: empty nodes", READ, lambda n: (conllua([("1", "(EntityID=1|MarkableID=m1")] + [(f"1.{k}", "_") for k in range(1, n)] + [("2", ")")]),), (4_000, 16_000), ".conllua"),
    Case("conllua: bridges", READ, lambda n: ("# global.columns = ID FORM IDENTITY BRIDGING\n# newdoc id = x\n" + "".join(f"{i + 1}\tw\t(EntityID={i}|MarkableID=m{i})\t(MarkableID=m{i}|Rel=x|MentionAnchor=m0|EntityAnchor=0)\n" for i in range(n)) + "\n",), (2_000, 8_000), ".conllua"),
    Case("conllu: empty nodes", "convert KEY OUT --to conllua", lambda n: (conllu([row(1, "Entity=(e1-x-1-")] + [row(f"1.{k}") for k in range(1, n)] + [row(2, "Entity=e1)")]),), (2_000, 8_000), ".conllu"),
    Case("conllu: empty nodes in nests", READ, _nested_empties, (300, 1_200), ".conllu"),
    Case("conllu: strays", READ, lambda n: (conllu([row(i + 1, f"Entity=(e{i}-x-1-") for i in range(n)] + [row(n + 1 + i, f"Entity=x{i})") for i in range(n)]),), (1_000, 4_000), ".conllu", code="close-without-open"),
    Case("conllu: parts of one entity", READ, lambda n: (conllu([row(i + 1, "Entity=(e[1/3]-x-1-)") for i in range(n)]),), (2_000, 8_000), ".conllu", code="bad-part"),
    Case("conllu: a chain of SplitAnte", READ, lambda n: (conllu([row(i + 1, f"Entity=(e{i}-x-1-)" + (f"|SplitAnte=e{i - 1}<e{i}" if i else "")) for i in range(n)]),), (2_500, 10_000), ".conllu"),
    Case("conllu: mentions of one entity in a sentence", "convert KEY OUT --to conllu", lambda n: (e2e([[[i, i + i % 3] for i in range(0, n, 4)] + [[0, n + 2]]], n + 3),), (8_000, 32_000), ".jsonl"),
    Case("conllu: nested mentions of one entity", "convert KEY OUT --to conllu", lambda n: (e2e([[[i, 2 * n - i] for i in range(n)]], 2 * n + 1),), (2_000, 8_000), ".jsonl"),
    Case("conllua: crossing markables", "convert KEY OUT --to conllua", lambda n: (e2e([[[i, i + 2] for i in range(n)]], n + 2),), (2_000, 8_000), ".jsonl"),
    Case("webanno: a span of many tokens", READ, _webanno_span, (5_000, 20_000), ".webannotsv"),
    Case("webanno: links of a long span", READ, _webanno_links, (1_000, 4_000), ".webannotsv"),
    Case("e2e: keys that occur twice", READ, lambda n: ('{"sentences": [], "clusters": [], ' + ", ".join(f'"k{i}": 1, "k{i}": 1' for i in range(n)) + "}\n",), (750, 3_000), ".jsonl", code="repeated-key"),
    Case("e2e: objects with a key twice, over lines", READ, lambda n: ('{\n"sentences": [["a"]], "clusters": [], "a": 1, "a": 1}\n' * n,), (500, 2_000), ".jsonl", code="repeated-key"),
    Case("fastcoref: texts that differ from offsets", READ, lambda n: (json.dumps({"doc_key": "x", "text": "a" * n, "clusters": [[[i, n] for i in range(n // 50 + 1)]], "clusters_strings": [["b" * 10] * (n // 50 + 1)]}) + "\n",), (100_000, 400_000), ".jsonl", code="text-differs"),
    Case("brat: texts that differ from offsets", READ, lambda n: (brat("a b " * (n // 4 + 1), [f"T{i}\tP 0 {n - 1 - i}\tzzz\n" for i in range(n // 50 + 1)]),), (100_000, 400_000), code="text-differs"),
    Case("brat: the same, but for blanks", READ, lambda n: (brat("a" + " " * n + "b", [f"T{i}\tP 0 {n - i}\tb\n" for i in range(n // 50 + 1)]),), (100_000, 400_000), code="text-differs"),
    Case("brat: long spans without their texts", READ, lambda n: (brat("a" * n, [f"T{i}\tP {i} {n}\n" for i in range(n // 50 + 1)]),), (100_000, 400_000)),
    Case("ace-apf: texts that differ from offsets", READ, lambda n: (ace("a&amp; b " * (n // 9), [(i, n - 20 - i) for i in range(n // 50 + 1)], "zzz"),), (100_000, 400_000), code="text-differs"),
    Case("ace-apf: the same, but for blanks", READ, lambda n: (ace("a" + "\n" * n + "b", [(0, n - i) for i in range(n // 50 + 1)], "b"),), (100_000, 400_000), code="text-differs"),
    Case("booknlp: texts that differ from their tokens", READ, lambda n: (booknlp(["w"] * n, [(i, n - 1) for i in range(n // 50 + 1)], "zzz"),), (50_000, 200_000), code="text-differs"),
    Case("litbank-tsv: texts that differ from their tokens", READ, lambda n: (litbank("w\n" * n, [f"{i}\t0\t{n - 1}\t0" for i in range(n // 50 + 1)], "zzz"),), (50_000, 200_000), code="text-differs"),
    Case("mmax2: spans of many words", READ, lambda n: (mmax2(["w"] * n, [f"word_{i + 1}..word_{n}" for i in range(n // 50 + 1)]),), (25_000, 100_000)),
    Case("mmax2: spans of words that are not there", READ, lambda n: (mmax2(["w"] * n, [f"word_{i + 1}..word_{n + 1}" for i in range(n // 50 + 1)]),), (25_000, 100_000), code="bad-span"),
    Case("inline: nested marks before blanks", READ, lambda n: (MARKED + "<m id=2>" * n + " " * 10 * n + "a" + "</m>" * n,), (5_000, 20_000)),
    # Matching
    *[
        Case(f"{way}: nested mentions", f"score KEY RESPONSE --match {way}", lambda n: (heads(n), heads(n, 1)), (100, 400), ".conllu")
        for way in ("overlap", "head", "partial")
    ],
    Case("overlap: mentions inside each other by one", "score KEY RESPONSE --match overlap", lambda n: (nested(n), nested(n, 1)), (100, 400), ".conll"),
    Case("errors: nested mentions", ERRORS, lambda n: (nested(n), nested(n, 1)), (200, 800), ".conll"),
    Case("match: nested mentions", "match KEY RESPONSE", lambda n: (nested(n), nested(n, 1)), (200, 800), ".conll"),
    # Documents
    Case("conll: one document many times, concatenate", "validate KEY --documents concatenate", _parts, (1_000, 4_000), ".conll"),
    Case("e2e: the same", "validate KEY --documents concatenate", lambda n: (e2e([[[0, 0], [1, 1]]], 4) * n,), (1_000, 4_000), ".jsonl"),
    Case("e2e: the same, errors", "errors KEY KEY --documents concatenate", lambda n: (e2e([[[0, 0], [1, 1]]], 4) * n,), (1_000, 4_000), ".jsonl"),
    Case("convert to a folder", "convert KEY OUT/ --to conll", _documents, (1_000, 4_000), ".conll"),
    Case("convert to a folder, webanno", "convert KEY OUT/ --to webanno", _documents, (1_000, 4_000), ".conll"),
    Case("official: a mention in many entities", "score KEY RESPONSE --repeated official", _repeated, (500, 2_000), ".conll"),
    Case("first: a mention in many entities", "score KEY RESPONSE", _repeated, (500, 2_000), ".conll"),
]  # fmt: skip


# ---- measuring --------------------------------------------------------------------------------


class Run(NamedTuple):
    """What a command took: CPU seconds, peak memory in MB, and what went wrong, if anything."""

    seconds: float
    memory: float
    wrong: str


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def measure(arguments: list[str], code: str = "") -> Run:
    """One run of a command, which must succeed, or refuse its file with the code of a message."""
    command = [sys.executable, "-m", "corefmeter", *arguments]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, preexec_fn=_limited)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read()
    wrong = ""
    if process.returncode < 0:
        wrong = "killed"
    elif b"Traceback" in said or b"[not-understood]" in said or b"MemoryError" in said:
        wrong = said.decode(errors="replace").strip().splitlines()[-1][:40]
    elif process.returncode != (3 if code else 0) or f"[{code}]".encode() not in said + b"[]":
        codes = sorted(set(re.findall(r"\[([a-z-]+)\]", said.decode(errors="replace"))))
        wrong = f"status {process.returncode}, {' '.join(codes)[:40] or 'no code'}"
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wrong)


def written(folder: Path, case: Case, size: int) -> list[str]:
    """The arguments of a command whose files have been written."""
    places = {"OUT": folder / f"out{case.ending}", "OUT/": folder / "out"}
    for name, made in zip(("KEY", "RESPONSE"), case.make(size), strict=False):
        files = made if isinstance(made, dict) else {f"{name.lower()}{case.ending}": made}
        home = folder / name.lower()
        home.mkdir()
        places[name] = home / next(iter(files))
        for file, text in files.items():
            (home / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    places["OUT/"].mkdir()
    return [str(places.get(word, word)) for word in case.command.split()]


def measured(case: Case) -> list[Run]:
    """A run of each size."""
    runs = []
    for size in case.sizes:
        with tempfile.TemporaryDirectory(prefix="corefmeter-growth-") as folder:
            runs.append(measure(written(Path(folder), case, size), case.code))
    return runs


def exponent(case: Case, runs: list[Run], start: float) -> float:
    """How time grows; 0 where it does not show."""
    small, large = (max(run.seconds - start, LEAST) for run in runs)
    return math.log(large / small) / math.log(case.sizes[1] / case.sizes[0])


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of what grows; all cases without any")
    parser.add_argument("--limit", type=float, help="the greatest exponent that is allowed")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    start = min(measure(["validate", "--help"]).seconds for _ in range(3))
    failed = 0
    if options.markdown:
        print("| Case | Sizes | Seconds | Exponent | MB |\n|---|---|---|---|---|")
    for case in CASES:
        if options.names and not any(name in case.what for name in options.names):
            continue
        runs = measured(case)
        power = exponent(case, runs, start)
        wrong = runs[0].wrong or runs[1].wrong
        failed += bool(options.limit and (power > options.limit or wrong))
        sizes = " ".join(f"{size:,}" for size in case.sizes)
        seconds = " ".join(f"{max(run.seconds - start, 0):.2f}" for run in runs)
        memory = " ".join(f"{run.memory:.0f}" for run in runs)
        if options.markdown:
            print(f"| {case.what} | {sizes} | {seconds} | {wrong or f'{power:.1f}'} | {memory} |")
        else:
            print(
                f"{case.what:<50}{sizes:>20}{seconds:>16}{power:>7.1f}{memory:>14}  {wrong}",
                flush=True,
            )
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
