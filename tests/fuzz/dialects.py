"""Write the same documents in every format, and in every dialect of it.

A writer takes documents and a `Style`, and returns the text of each file. What it asks the style
for is a choice between dialects: the first is the usual one, and the others mean the same. Choices
that are marked as conventions, such as counting from 1, mean the same to a person only.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple, TypeVar

__all__ = ["SINGLE", "WRITERS", "Doc", "Files", "Style"]

T = TypeVar("T")

#: The first and the last token of a mention, counted in the document from 0.
Span = tuple[int, int]

#: The text of each file by its name.
Files = dict[str, str]


class Doc(NamedTuple):
    """A document: sentences of words, and entities of mentions that do not cross."""

    name: str
    sentences: list[list[str]]
    entities: list[list[Span]]

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence]

    @property
    def text(self) -> str:
        return "\n".join(map(" ".join, self.sentences))

    def characters(self, span: Span, unit: str = "characters") -> Span:
        """Where a mention begins and ends in the text; the end is exclusive."""
        starts, at = [], 0
        for word in self.words:
            starts.append(at)
            at += len(word) + 1
        ends = starts[span[0]], starts[span[1]] + len(self.words[span[1]])
        if unit == "characters":
            return ends
        encoding, size = {"bytes": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}[unit]
        first, end = (len(self.text[:at].encode(encoding)) // size for at in ends)
        return first, end

    def within(self, token: int) -> Span:
        """The number of the sentence of a token, and its number there."""
        for number, sentence in enumerate(self.sentences):
            if token < len(sentence):
                return number, token
            token -= len(sentence)
        raise ValueError(token)

    def string(self, span: Span) -> str:
        first, end = self.characters(span)
        return self.text[first:end].replace("\n", " ")


class Style:
    """The choices of one file; `taken` names those that are not the usual ones."""

    def __init__(
        self, chance: random.Random | None = None, conventions: bool = False, rate: float = 0.1
    ) -> None:
        self.chance, self.conventions, self.rate = chance, conventions, rate
        self.taken: list[str] = []
        self.quote: str | None = None

    def pick(self, name: str, usual: T, *others: T, convention: bool = False) -> T:
        """One of several ways to write the same."""
        if self.chance is None or (convention and not self.conventions):
            return usual
        if not others or self.chance.random() >= self.rate:
            return usual
        chosen = self.chance.choice(others)
        self.taken.append(f"{name}={chosen!r}")
        return chosen

    def order(self, name: str, values: Sequence[T]) -> list[T]:
        """The values in another order."""
        found = list(values)
        if self.pick(name, "", "shuffled") and self.chance:
            self.chance.shuffle(found)
        return found

    def ids(self, count: int) -> list[str]:
        """Names of so many entities."""
        way = self.pick("ids", "from 0", "from 1", "from 100", "e1", "001", "letters")
        return [
            {"from 0": f"{n}", "from 1": f"{n + 1}", "from 100": f"{n + 100}", "e1": f"e{n + 1}",
             "001": f"{n + 1:03}", "letters": "abcdefghijkl"[n]}[way] for n in range(count)
        ]  # fmt: skip

    def ends(self, usual: int, last: int = 10**9) -> Callable[[Span], Span]:
        """How half-open positions are written; `usual` is what is added to the end."""
        first = self.pick("counted from", 0, 1, convention=True)
        end = usual + self.pick("ends", 0, -1 - 2 * usual, convention=True)
        return lambda span: (span[0] + first, span[1] + first + end)

    def rows(self, records: list[dict[str, Any]]) -> str:
        """Objects of JSON."""
        layout = self.pick("layout", "lines", "array", "indented", "one by one")
        if self.pick("keys", "", "reversed"):
            records = [dict(reversed(record.items())) for record in records]
        ascii_only = self.pick("escapes", True, False)
        if layout == "lines":
            return "".join(json.dumps(r, ensure_ascii=ascii_only) + "\n" for r in records)
        if layout == "one by one":
            return "".join(json.dumps(r, indent=1, ensure_ascii=ascii_only) + "\n" for r in records)
        indent = 2 if layout == "indented" else None
        text = json.dumps(records, indent=indent, ensure_ascii=ascii_only)
        fence = self.pick("fence", "", "```json\n{}\n```\n")
        return fence.format(text) if fence else text

    def attributes(self, **values: str) -> str:
        """Attributes of a tag."""
        self.quote = quote = self.quote or self.pick("quotes", '"', "'")
        return " ".join(
            f"{k}={quote}{v}{quote}" for k, v in self.order("attributes", list(values.items()))
        )


def named(doc: Doc) -> str:
    """The name of a document as that of a file."""
    return doc.name.replace("/", "_")


def halves(span: Span) -> Span:
    return span[0], span[1] + 1


def ordered(doc: Doc, style: Style) -> list[list[Span]]:
    """The entities, and their mentions, in another order."""
    return [
        style.order("mentions", entity) for entity in style.order("entities", list(doc.entities))
    ]


def cells(
    doc: Doc, ids: Sequence[str], style: Style, opened: Callable[[str, Span], str],
    closed: Callable[[str], str], alone: Callable[[str, Span], str],
) -> list[list[str]]:  # fmt: skip
    """What begins and ends at each token; closings first, then by length."""
    found: list[list[str]] = [[] for _ in doc.words]
    spans = [(span, name) for name, e in zip(ids, doc.entities, strict=True) for span in e]
    for (first, last), name in sorted(spans, key=lambda s: (s[0][1], -s[0][0])):
        if first != last:
            found[last].append(closed(name))
    for (first, last), name in sorted(spans, key=lambda s: (s[0][0], -s[0][1])):
        found[first].append(
            opened(name, (first, last)) if first != last else alone(name, (first, last))
        )
    return found


def alone(part: str) -> bool:
    """Whether a part of a cell is a mention of one word."""
    return part[0] == "(" and part[-1] == ")"


def brackets(doc: Doc, style: Style, nothing: str, joint: str = "|") -> list[str]:
    ids = style.ids(len(doc.entities))
    found = cells(doc, ids, style, lambda n, _: f"({n}", lambda n: f"{n})", lambda n, _: f"({n})")
    other = style.pick("mixed ids", "", "zeros", "case", convention=True)
    if other and style.chance:  # single words only, so that both ends stay alike
        change = {
            "zeros": lambda name: f"(0{name}" if name[:-1].isdigit() else f"({name}",
            "case": lambda name: "(" + name.swapcase(),
        }[other]
        found = [
            [
                change(part[1:]) if alone(part) and style.chance.random() < 0.5 else part
                for part in parts
            ]
            for parts in found
        ]
    if style.pick("cells", "", "openings first"):
        found = [sorted(parts, key=lambda part: part[0] != "(") for parts in found]
    return [joint.join(parts) or nothing for parts in found]


def sentences(doc: Doc, lines: Sequence[str], between: str = "\n") -> str:
    """A line for each token, and something after each sentence."""
    at, found = 0, []
    for sentence in doc.sentences:
        found += [f"{line}\n" for line in lines[at : at + len(sentence)]]
        found.append(between)
        at += len(sentence)
    return "".join(found)


def conll(docs: list[Doc], style: Style) -> Files:
    separator = style.pick("separator", "  ", "\t", " ", "        ")
    columns = style.pick("columns", 5, 2, 3, 12)
    begin = style.pick(
        "begin", "#begin document ({}); part 000", "#begin document ({}); part 0",
        "#begin document {}", "#begin document ({})", "#begin document  ({});  part  000",
    )  # fmt: skip
    end = style.pick("end", "#end document", "#end document ({})", "")
    nothing = style.pick("nothing", "-", "_", "*")
    joint = style.pick("joint", "|", "| ", " |") if separator == "\t" else "|"
    between = style.pick("between sentences", "\n", "\n\n", "")
    last = style.pick("line", "", " ", "\t" if separator == "\t" else " ")
    comment = style.pick("comment", "", "# a comment\n")
    found = ""
    for doc in docs:
        lines = []
        for token, cell in enumerate(brackets(doc, style, nothing, joint)):
            word = doc.words[token]
            row = {
                2: [word, cell], 3: [str(doc.within(token)[1]), word, cell],
                5: [doc.name, "0", str(doc.within(token)[1]), word, cell],
                12: [doc.name, "0", str(doc.within(token)[1]), word, "NN", *"*----", "*", cell],
            }[columns]  # fmt: skip
            lines.append(separator.join(row) + last)
        first = begin.format(doc.name)
        if part := re.fullmatch(r"(.*)_part_(\d+)", doc.name):
            first = f"#begin document ({part[1]}); part {part[2]}"
        found += first + "\n" + comment + sentences(doc, lines, between)
        found += end.format(doc.name) + "\n"
    return {"docs.conll": found}


def craft(docs: list[Doc], style: Style) -> Files:
    """As CoNLL; each document ends with a mention of two pieces, ``(9a)`` and ``(9a)``."""
    separator = style.pick("separator", " ", "\t", "  ")
    nothing = style.pick("nothing", "-", "_")
    found = ""
    for doc in docs:
        lines = [
            separator.join((doc.name, "0", str(doc.within(n)[1]), doc.words[n], cell))
            for n, cell in enumerate(brackets(doc, style, nothing))
        ]
        found += f"#begin document ({doc.name}); part 000\n{sentences(doc, lines)}#end document\n"
    return {"docs.conll": found}


def semeval(docs: list[Doc], style: Style) -> Files:
    separator = style.pick("separator", "\t", " ")
    nothing = style.pick("nothing", "_", "-")
    begin = style.pick("begin", "#begin document {}", "#begin document {} ")
    end = style.pick("end", "#end document {}", "#end document")
    fill = style.pick("columns", 14, 10, 6)
    found = ""
    for doc in docs:
        lines = [
            separator.join((str(doc.within(n)[1] + 1), doc.words[n], *"_" * fill, cell))
            for n, cell in enumerate(brackets(doc, style, nothing))
        ]
        found += f"{begin.format(doc.name)}\n{sentences(doc, lines)}{end.format(doc.name)}\n"
    return {"docs.semeval": found}


def conllua(docs: list[Doc], style: Style) -> Files:
    columns = style.pick(
        "columns", "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING",
        "ID FORM IDENTITY", "ID FORM BRIDGING IDENTITY", "ID FORM MISC IDENTITY REFERENCE NOM_SEM",
    )  # fmt: skip
    keys = style.pick("fields", "EntityID MarkableID", "MarkableID EntityID", "EntityID",
                      "EntityID MarkableID SemType")  # fmt: skip
    again = style.pick("global.columns", "once", "for each document")
    closing = style.pick("closing", ")", "EntityID={})")
    found = f"# global.columns = {columns}\n"
    for number, doc in enumerate(docs):
        ids = style.ids(len(doc.entities))

        def opened(name: str, span: Span) -> str:
            values = {"EntityID": name, "MarkableID": f"m{span[0]}x{span[1]}", "SemType": "dn"}
            return "(" + "|".join(f"{key}={values[key]}" for key in keys.split())

        parts = cells(doc, ids, style, opened, closing.format, lambda n, s: opened(n, s) + ")")
        lines = []
        for token, word in enumerate(doc.words):
            values = {"ID": str(doc.within(token)[1] + 1), "FORM": word,
                      "IDENTITY": "".join(parts[token])}  # fmt: skip
            lines.append("\t".join(values.get(column) or "_" for column in columns.split()))
        if number and again == "for each document":
            found += f"# global.columns = {columns}\n"
        found += f"# newdoc id = {doc.name}\n{sentences(doc, lines)}"
    return {"docs.conllua": found}


def conllu(docs: list[Doc], style: Style) -> Files:
    fields = style.pick("global.Entity", "eid-etype-head-other", "eid-etype-head",
                        "eid", "eid-head-etype-other", "etype-eid-head")  # fmt: skip
    misc = style.pick("MISC", "{}", "SpaceAfter=No|{}", "{}|Gloss=x")
    newdoc = style.pick("newdoc", "# newdoc id = {}", "# newdoc id={}", "#newdoc id = {}")
    again = style.pick("global.Entity", "once", "for each document")
    sent_id = style.pick("sent_id", True, False)
    prefix = style.pick("eid", "e", "", "x-1 e"[0])
    found = ""
    for number, doc in enumerate(docs):
        ids = [prefix + name for name in style.ids(len(doc.entities))]

        def opened(name: str, span: Span) -> str:
            values = {"eid": name, "etype": "person", "head": "1", "other": ""}
            return "(" + "-".join(values[field] for field in fields.split("-"))

        parts = cells(doc, ids, style, opened, "{})".format, lambda n, s: opened(n, s) + ")")
        found += newdoc.format(doc.name) + "\n"
        if not number or again == "for each document":
            found += f"# global.Entity = {fields}\n"
        at = 0
        for place, sentence in enumerate(doc.sentences):
            if sent_id:
                found += f"# sent_id = {number}-{place}\n# text = {' '.join(sentence)}\n"
            for n, word in enumerate(sentence):
                entity = "".join(parts[at + n])
                value = misc.format(f"Entity={entity}") if entity else "_"
                head = "0" if n == 0 else "1"
                deprel = "root" if n == 0 else "dep"
                found += "\t".join((str(n + 1), word, *"____", head, deprel, "_", value)) + "\n"
            found += "\n"
            at += len(sentence)
    return {"docs.conllu": found}


def e2e(docs: list[Doc], style: Style) -> Files:
    name = style.pick("name", "doc_key", "doc_id", "id", "document_id", "name")
    place, more = style.ends(-1), style.pick("more", {}, {"speakers": []}, {"x": 1})
    whole = style.pick("tokens", "sentences", "one sentence")
    records = [
        {name: re.sub(r"_part_0*(\d+)$", r"_\1", doc.name),
         "sentences": [doc.words] if whole != "sentences" else doc.sentences,
         "clusters": [[place(halves(m)) for m in e] for e in ordered(doc, style)], **more}
        for doc in docs
    ]  # fmt: skip
    return {"docs.jsonl": style.rows(records)}


def preco(docs: list[Doc], style: Style) -> Files:
    name = style.pick("name", "id", "doc_id", "doc_key")
    place = style.ends(0)

    def at(doc: Doc, span: Span) -> list[int]:
        sentence, first = doc.within(span[0])
        return [sentence, *place((first, doc.within(span[1])[1] + 1))]

    records = [
        {name: doc.name, "sentences": doc.sentences,
         "mention_clusters": [[at(doc, m) for m in e] for e in ordered(doc, style)]}
        for doc in docs
    ]  # fmt: skip
    return {"docs.jsonl": style.rows(records)}


def maverick(docs: list[Doc], style: Style) -> Files:
    name = style.pick("name", "doc_key", "doc_id", "id")
    strings, place = style.pick("strings", True, False), style.ends(-1)
    records = []
    for doc in docs:
        found = ordered(doc, style)
        record: dict[str, Any] = {name: doc.name, "tokens": doc.words}
        record["clusters_token_offsets"] = [[place(halves(m)) for m in e] for e in found]
        if strings:
            record["clusters_token_text"] = [[doc.string(m) for m in e] for e in found]
        records.append(record)
    return {"docs.jsonl": style.rows(records)}


def crac(docs: list[Doc], style: Style) -> Files:
    name, place = style.pick("name", "doc_id", "doc_key", "id"), style.ends(-1)
    records = []
    for doc in docs:
        found = ordered(doc, style)
        records.append({
            name: doc.name, "tokens": doc.words,
            "clusters_token_offsets": [[place(halves(m)) for m in e] for e in found],
            "clusters_text_mentions": [[doc.string(m) for m in e] for e in found],
        })  # fmt: skip
    return {"docs.json": style.rows(records)}


def fastcoref(docs: list[Doc], style: Style) -> Files:
    name = style.pick("name", "doc_key", "id", "doc_id")
    unit = style.pick("unit", "characters", "bytes", "utf-16", convention=True)
    strings, place = style.pick("strings", False, True), style.ends(0)
    lines = style.pick("line ends of the text", "\n", " ")
    records = []
    for doc in docs:
        found = ordered(doc, style)
        record: dict[str, Any] = {name: doc.name, "text": doc.text.replace("\n", lines)}
        record["clusters"] = [[place(doc.characters(m, unit)) for m in e] for e in found]
        if strings:
            record["clusters_strings"] = [[doc.string(m) for m in e] for e in found]
        records.append(record)
    return {"docs.jsonl": style.rows(records)}


def clusters(docs: list[Doc], style: Style) -> Files:
    """Mentions are names."""
    listed = style.pick("entities", "named", "listed")
    name, records = style.pick("name", "doc_key", "doc_id", "id"), []
    for doc in docs:
        entities = [[f"m{first}.{last}" for first, last in e] for e in ordered(doc, style)]
        named = dict(zip(style.ids(len(entities)), entities, strict=True))
        records.append({name: doc.name, "type": "clusters",
                        "clusters": entities if listed == "listed" else named})  # fmt: skip
    return {"docs.json": style.rows(records)}


def links(entity: list[Span], style: Style) -> list[tuple[Span, Span]]:
    """Pairs that hold an entity together: (mention, antecedent)."""
    way = style.pick("links", "chain", "star", "backwards")
    mentions = sorted(entity)
    if way == "star":
        return [(mention, mentions[0]) for mention in mentions[1:]]
    pairs = list(zip(mentions[1:], mentions, strict=False))
    return [(b, a) for a, b in pairs] if way == "backwards" else pairs


def webanno(docs: list[Doc], style: Style) -> Files:
    version, files = style.pick("version", "3.2", "3.3", "3.1"), {}
    label = style.pick("label", "person", "*")
    for doc in docs:
        spans = sorted(span for entity in doc.entities for span in entity)
        numbers = {span: number for number, span in enumerate(style.order("numbers", spans), 1)}
        place = {n: f"{doc.within(n)[0] + 1}-{doc.within(n)[1] + 1}" for n in range(len(doc.words))}
        related: dict[Span, list[str]] = {}
        for entity in doc.entities:
            for mention, other in links(entity, style):
                related.setdefault(mention, []).append(
                    f"{place[other[0]]}[{numbers[other]}_{numbers[mention]}]"
                )
        text = (
            f"#FORMAT=WebAnno TSV {version}\n#T_SP=webanno.custom.Referent|entity\n"
            "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n"
        )
        token = 0
        for sentence in doc.sentences:
            text += f"\n#Text={' '.join(sentence)}\n"
            for word in sentence:
                first, end = doc.characters((token, token), "utf-16")
                here = [f"{label}[{numbers[s]}]" for s in spans if s[0] <= token <= s[1]]
                bound = [value for s in spans if s[0] == token for value in related.get(s, [])]
                cell = ["|".join(["ana"] * len(bound)), "|".join(bound)] if bound else ["_", "_"]
                row = [place[token], f"{first}-{end}", word, "|".join(here) or "_", *cell]
                text += "\t".join(row) + style.pick("last", "\t", "") + "\n"
                token += 1
        files[f"{named(doc)}.tsv"] = text
    return files


def brat(docs: list[Doc], style: Style) -> Files:
    unit = style.pick("unit", "characters", "bytes", "utf-16", convention=True)
    place, files = style.ends(0), {}
    spaces = style.pick("spaces", " ", "\u00a0", "  ")
    for doc in docs:
        spans = [span for entity in doc.entities for span in entity]
        ids = {s: f"T{n}" for n, s in enumerate(style.order("numbers", spans), 1)}
        lines = []
        for span in spans:
            first, end = place(doc.characters(span, unit))
            string = doc.string(span).replace(" ", spaces)
            lines.append(f"{ids[span]}\tPER {first} {end}\t{string}")
        number, way = 0, style.pick("relations", "R", "*")
        for entity in doc.entities:
            if way == "*" and len(entity) > 1:
                lines.append("*\tCoref " + " ".join(ids[span] for span in entity))
            for mention, other in links(entity, style) if way == "R" else ():
                number += 1
                lines.append(f"R{number}\tcoref Arg1:{ids[mention]} Arg2:{ids[other]}")
        lines = style.order("lines", lines)
        files[f"{named(doc)}.ann"] = "".join(f"{line}\n" for line in lines)
        files[f"{named(doc)}.txt"] = doc.text + "\n"
    return files


def litbank(docs: list[Doc], style: Style) -> Files:
    place, files = style.ends(-1), {}
    for doc in docs:
        lines, links_of = [], []
        for entity, name in zip(doc.entities, style.ids(len(doc.entities)), strict=True):
            for first, last in entity:
                sentence, begin = doc.within(first)
                begin, end = place((begin, doc.within(last)[1] + 1))
                number = f"T{len(lines) + 1}"
                row = ("MENTION", number, sentence, begin, sentence, end, doc.string((first, last)),
                       "PER", "NOM")  # fmt: skip
                lines.append("\t".join(map(str, row)))
                links_of.append(f"COREF\t{number}\tx-{name}")
        lines = style.order("lines", lines + style.order("links", links_of))
        files[f"{named(doc)}.tsv"] = "".join(f"{line}\n" for line in lines)
        files[f"{named(doc)}.txt"] = doc.text + "\n"
    return files


def booknlp(docs: list[Doc], style: Style) -> Files:
    columns = style.pick("columns", "COREF start_token end_token prop cat text",
                         "COREF text start_token end_token cat prop",
                         "COREF start_token end_token")  # fmt: skip
    place, files = style.ends(-1), {}
    for doc in docs:
        rows = []
        for entity, name in zip(doc.entities, style.ids(len(doc.entities)), strict=True):
            for span in entity:
                first, end = place(halves(span))
                values = {"COREF": name, "start_token": str(first), "end_token": str(end),
                          "prop": "NOM", "cat": "PER", "text": doc.string(span)}  # fmt: skip
                rows.append("\t".join(values[column] for column in columns.split()))
        head = "\t".join(columns.split())
        files[f"{named(doc)}.entities"] = "\n".join([head, *style.order("lines", rows)]) + "\n"
        tokens = ["sentence_ID\ttoken_ID_within_document\tword"]
        tokens += [f"{doc.within(n)[0]}\t{n}\t{word}" for n, word in enumerate(doc.words)]
        files[f"{named(doc)}.tokens"] = "\n".join(tokens) + "\n"
    return files


MARKS = {
    "]_1": ("[", "]_{0}"), "]_{1}": ("[", "]_{{{0}}}"), "]{1}": ("[", "]{{{0}}}"),
    "](#1)": ("[", "](#{0})"), "]^1": ("[", "]^{0}"), "<e1>": ("<e{0}>", "</e{0}>"),
    "<mention>": ('<mention id="{0}">', "</mention>"), "| 1]": ("[", " | {0}]"),
}  # fmt: skip


def marked(doc: Doc, begin: str, end: str, ids: Sequence[str], between: str = "\n") -> str:
    """A text with something before and after each mention; both may name the entity."""
    before: list[list[str]] = [[] for _ in doc.words]
    after: list[list[str]] = [[] for _ in doc.words]
    spans = [(span, name) for name, e in zip(ids, doc.entities, strict=True) for span in e]
    for (first, last), name in sorted(spans, key=lambda s: (s[0][0], -s[0][1])):
        before[first].append(begin.format(name, first, last))
    for (first, last), name in sorted(spans, key=lambda s: (s[0][1], -s[0][0])):
        after[last].append(end.format(name, first, last))
    words = ["".join((*b, w, *a)) for b, w, a in zip(before, doc.words, after, strict=True)]
    at, found = 0, []
    for sentence in doc.sentences:
        found.append(" ".join(words[at : at + len(sentence)]))
        at += len(sentence)
    return between.join(found)


def inline(docs: list[Doc], style: Style) -> Files:
    begin, end = MARKS[style.pick("marks", *MARKS)]
    title = style.pick("title", "# document {}\n", "#begin document ({}); part 000\n", "json")
    between = style.pick("between sentences", "\n", " ", "\n\n")
    texts = []
    for doc in docs:
        ids = style.ids(len(doc.entities))
        ids = [name if name.isdigit() else str(n) for n, name in enumerate(ids)]
        texts.append(marked(doc, begin, end, ids, between))
    if title == "json":
        pairs = zip(docs, texts, strict=True)
        return {
            "docs.jsonl": "".join(
                json.dumps({"doc_id": d.name, "text": t}) + "\n" for d, t in pairs
            )
        }
    pairs = zip(docs, texts, strict=True)
    text = "".join(f"{title.format(doc.name)}{text}\n" for doc, text in pairs)
    fence = style.pick("fence", "{}", "```\n{}```\n")
    return {"docs.txt": fence.format(text)}


def xml(style: Style) -> str:
    return style.pick("declaration", '<?xml version="1.0"?>\n',
                      '<?xml version="1.0" encoding="UTF-8"?>\n', "")  # fmt: skip


def ace(docs: list[Doc], style: Style) -> Files:
    place, files = style.ends(-1), {}
    gap = style.pick("white space", "\n", "", "\n  ")
    doctype = style.pick("doctype", '<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n', "")
    for doc in docs:
        name = named(doc)
        before = f"\n {name} \n\n"  # what is not in tags before the text
        found = [xml(style), doctype, f'<source_file URI="{name}.sgm" TYPE="text">{gap}']
        found.append(f'<document DOCID="{name}">{gap}')
        for number, entity in enumerate(ordered(doc, style)):
            found.append(
                f"<entity {style.attributes(ID=f'E{number}', TYPE='PER', CLASS='SPC')}>{gap}"
            )
            for m, span in enumerate(entity):
                first, end = place(doc.characters(span))
                attributes = style.attributes(ID=f"E{number}-{m}", TYPE="NOM")
                charseq = style.attributes(
                    START=str(first + len(before)), END=str(end + len(before))
                )
                text = doc.text[slice(*doc.characters(span))]
                found.append(
                    f"<entity_mention {attributes}>{gap}<extent>{gap}<charseq {charseq}>"
                    f"{text}</charseq>{gap}</extent>{gap}</entity_mention>{gap}"
                )
            found.append(f"</entity>{gap}")
        found.append(f"</document>{gap}</source_file>\n")
        files[f"{name}.apf.xml"] = "".join(found)
        files[f"{name}.sgm"] = (
            f"<DOC>\n<DOCID> {name} </DOCID>\n<TEXT>\n{doc.text}\n</TEXT>\n</DOC>\n"
        )
    return files


def arrau(docs: list[Doc], style: Style) -> Files:
    columns = style.pick("columns", "TOKEN MARKABLE MIN GENDER REFERENCE", "TOKEN MARKABLE",
                         "TOKEN MARKABLE REFERENCE", "TOKEN MIN MARKABLE")  # fmt: skip
    files = {}
    for doc in docs:
        pairs = zip(style.ids(len(doc.entities)), doc.entities, strict=True)
        found = [(span, name) for name, entity in pairs for span in entity]
        spans = sorted(found, key=lambda s: (s[0][0], -s[0][1]))
        numbers = {s: n for n, (s, _) in enumerate(style.order("numbers", spans), 1)}
        lines = []
        for token, word in enumerate(doc.words):
            here = [(s, name) for s, name in spans if s[0] <= token <= s[1]]
            marks = [
                f"{'B' if s[0] == token else 'I'}-markable_{numbers[s]}=set_{name}"
                for s, name in here
            ]
            values = {
                "TOKEN": word, "MARKABLE": "@".join(marks) or "O",
                "MIN": "@".join(f"word_{s[0] + 1}" for s, _ in here) or "O",
                "GENDER": "@".join("fem" for _ in here) or "O",
                "REFERENCE": "@".join("referring" for _ in here) or "O",
            }  # fmt: skip
            lines.append("\t".join(values[column] for column in columns.split()))
        head = "\t".join(columns.split())
        files[f"{named(doc)}.CONLL"] = f"{head}\n{sentences(doc, lines)}"
    return files


def gap(docs: list[Doc], style: Style) -> Files:
    """Of each document, three words are the pronoun and two names."""
    head = "ID,Text,Pronoun,Pronoun-offset,A,A-offset,A-coref,B,B-offset,B-coref,URL".split(",")  # noqa: SIM905
    unit = style.pick("unit", "characters", "bytes", "utf-16", convention=True)
    true, place = style.pick("truth", "TRUE", "true", "True"), style.ends(0)
    false = {"TRUE": "FALSE", "true": "false", "True": "False"}[true]
    rows = ["\t".join(head)] if style.pick("header", True, False) else []
    for doc in docs:
        one, other, pronoun = sorted(span for entity in doc.entities for span in entity)
        ((first, *more),) = [entity for entity in doc.entities if pronoun in entity]
        values = [doc.name, doc.text.replace("\n", " "), doc.string(pronoun)]
        values.append(str(place(doc.characters(pronoun, unit))[0]))
        for span in (one, other):
            values += [doc.string(span), str(place(doc.characters(span, unit))[0])]
            values.append(true if span in (first, *more) else false)
        rows.append("\t".join([*values, "http://x"]))
    return {"docs.tsv": "".join(f"{row}\n" for row in rows)}


def mmax2(docs: list[Doc], style: Style) -> Files:
    files, spans = {}, style.pick("spans", "..", ",")
    start = style.pick("words from", 1, 0, 101)
    for doc in docs:
        name, top = named(doc), xml(style)
        files[f"{name}.mmax"] = (
            f"{top}<mmax_project>\n<words>{name}_words.xml</words>\n</mmax_project>\n"
        )
        words = [f'<word id="word_{n}">{escape(w)}</word>' for n, w in enumerate(doc.words, start)]
        files[f"{name}_words.xml"] = (
            f'{top}<!DOCTYPE words SYSTEM "words.dtd">\n<words>\n'
            + "\n".join(words)
            + "\n</words>\n"
        )
        rows = []
        for entity, number in zip(doc.entities, style.ids(len(doc.entities)), strict=True):
            for first, last in entity:
                ids = [f"word_{n}" for n in range(first + start, last + start + 1)]
                span = ids[0] if len(ids) == 1 else (
                    ",".join(ids) if spans == "," else f"{ids[0]}..{ids[-1]}"
                )  # fmt: skip
                rows.append(style.attributes(
                    id=f"markable_{len(rows)}", span=span, coref_class=f"set_{number}"
                ))  # fmt: skip
        rows = [f"<markable {row}/>" for row in style.order("lines", rows)]
        files[f"{name}_coref_level.xml"] = (
            f'{top}<!DOCTYPE markables SYSTEM "markables.dtd">\n'
            '<markables xmlns="www.eml.org/NameSpaces/coref">\n'
            + "\n".join(rows)
            + "\n</markables>\n"
        )
    return files


def muc(docs: list[Doc], style: Style) -> Files:
    files = ""
    for doc in docs:
        spans = sorted(span for entity in doc.entities for span in entity)
        ids = {s: str(n) for n, s in enumerate(style.order("numbers", spans), 1)}
        reference = {}
        for entity in doc.entities:
            reference |= {m: ids[a] for m, a in links(entity, style)}
        singles = doc._replace(entities=[[span] for span in spans])
        tags = [
            style.attributes(ID=ids[s], TYPE="IDENT", REF=reference[s])
            if s in reference
            else style.attributes(ID=ids[s])
            for s in spans
        ]
        text = marked(singles, "<COREF {0}>", "</COREF>", tags)
        docid = style.pick(
            "DOCID", "<DOCID> {} </DOCID>", "<DOCID>{}</DOCID>", "<DOCNO> {} </DOCNO>"
        )
        part = style.pick("part", "TXT", "TEXT")
        files += f"<DOC>\n{docid.format(doc.name)}\n<{part}>\n{text}\n</{part}>\n</DOC>\n"
    return {"docs.sgm": files}


def moves(doc: Doc, unit: str) -> bool:
    """Whether another unit moves the beginning of the last mention, or no mention.

    Where it moves an end alone, nobody can say without the text that this is no wrong span.
    """
    spans = [span for entity in doc.entities for span in entity]
    placed = [(doc.characters(span), doc.characters(span, unit)) for span in spans]
    return all(one == other for one, other in placed) or max(placed)[0][0] != max(placed)[1][0]


def tac(docs: list[Doc], style: Style) -> Files:
    more, place, rows = style.pick("columns", 6, 5, 4), style.ends(-1), []
    unit = "characters"
    if place((0, 1)) == (0, 0):  # without a text, both cannot be told apart
        known = [other for other in ("bytes", "utf-16") if all(moves(doc, other) for doc in docs)]
        unit = style.pick("unit", unit, *known, convention=True)
    for number, doc in enumerate(docs):
        for entity, name in zip(doc.entities, style.ids(len(doc.entities)), strict=True):
            for span in entity:
                first, end = place(doc.characters(span, unit))
                row = (doc.name, str(first), str(end), f"E{number}x{name}", "1.0", "PER")
                rows.append("\t".join(row[:more]))
    return {"docs.tab": "".join(f"{row}\n" for row in style.order("lines", rows))}


def tbf(docs: list[Doc], style: Style) -> Files:
    found, first = "", style.pick("tokens from", 1, 0, 2, convention=True)
    run = style.pick("run", "gold", "sys1")
    for doc in docs:
        lines, groups, number = [], [], 0
        for entity, name in zip(doc.entities, style.ids(len(doc.entities)), strict=True):
            ids = []
            for begin, last in entity:
                number += 1
                ids.append(f"E{number}")
                tokens = ",".join(f"t{n + first}" for n in range(begin, last + 1))
                string = doc.string((begin, last))
                lines.append(f"{run}\t{doc.name}\tE{number}\t{tokens}\t{string}\tX\tActual")
            if len(ids) > 1:
                groups.append(f"@Coreference\tC{name}\t{','.join(style.order('members', ids))}")
        body = style.order("lines", lines) + style.order("groups", groups)
        found += "\n".join([f"#BeginOfDocument {doc.name}", *body, "#EndOfDocument\n"])
    return {"docs.tbf": found}


WRITERS: dict[str, Callable[[list[Doc], Style], Files]] = {
    "conll": conll, "craft": craft, "semeval": semeval, "conllua": conllua, "conllu": conllu,
    "e2e": e2e, "preco": preco, "maverick": maverick, "crac": crac, "fastcoref": fastcoref,
    "clusters": clusters, "webanno": webanno, "brat": brat, "litbank-tsv": litbank,
    "booknlp": booknlp, "inline": inline, "ace-apf": ace, "arrau": arrau, "gap": gap,
    "mmax2": mmax2, "muc-sgml": muc, "tac-kbp": tac, "tbf": tbf,
}  # fmt: skip

#: Formats with a file for each document, which is called as the document is.
SINGLE = {"webanno", "brat", "litbank-tsv", "booknlp", "ace-apf", "arrau", "mmax2"}
