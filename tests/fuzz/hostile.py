"""Files that were made to harm, beside the fixtures: each is a seed that is damaged further.

Kinds of harm: numbers of thousands of digits, columns that are there twice or not at all, documents
without tokens, mentions that cross, nest, repeat or lead in circles, names that are empty or no
names, words that are none, depth.
"""

from __future__ import annotations

import json

__all__ = ["HOSTILE"]

HUGE = "9" * 4400
DEEP = 400


def table(*rows: str) -> str:
    """Lines whose cells are written with blanks and separated by TABs."""
    return "".join("\t".join(row.split(" ")) + "\n" for row in rows)


def conllu(*entities: str, ids: str = "1234567") -> str:
    head = "# newdoc id = x\n# global.Entity = eid-etype-head-other\n"
    rows = zip(ids, entities, strict=False)
    return head + table(*(f"{i} w _ _ _ _ _ _ _ {entity}" for i, entity in rows)) + "\n"


CONLLUA = "# global.columns = ID FORM IDENTITY BRIDGING DISCOURSE_DEIXIS\n# newdoc id = x\n"
WEBANNO = (
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Coref|kind\n#T_RL=custom.Link|type|BT_custom.Coref\n"
)
WORDS = ["the", "vet", "\u00a0", "", "a b", "saw", "her", "\ud800"]


def objects(clusters: str, **words: object) -> list[str]:
    """Objects of JSON with clusters of all kinds."""
    values = [
        [[[0, 1], [3, 3]], [[0, 5]], [[0, 1], [0, 1]]], [[]], [[[0, 0]], [[0, 0]]],
        [[[2, 1]]], [[[0, int(HUGE[:300])]]], None,
    ]  # fmt: skip
    lines = [json.dumps({"doc_key": "x", **words, clusters: value}) for value in values]
    lines += [json.dumps({"id": 1.0, **words, clusters: [[[0, 1]]]}) + "\n"]
    lines += [lines[0].replace("[0, 1]", f"[0, {HUGE}]", 1), lines[0] + "\n" + lines[0]]
    return [*lines, lines[0].replace("[[[", "[" * DEEP).replace("]]]", "]" * DEEP)]


HOSTILE: dict[str, list[str]] = {
    "conll": [
        "#begin document (x); part 000\n#end document\n#begin document (y); part 999999999\n"
        "x 0 0 w (1|(2\nx 0 1 w 1)|(1)\nx 0 2 w 2)\n#end document\n",
        "#begin document (); part 1.0\n" + "w\t(1\n" * 30 + "w\t1)\n" * 30 + "#end document\n",
    ],
    "semeval": [
        "#begin document x\n"
        + table(*(f"{i} w{' _' * 6} {HUGE}{' _' * 7} ({i})" for i in (1, 2, 3)))
        + "#end document x\n",
    ],
    "conllua": [
        CONLLUA
        + table(
            "1 a (EntityID=1|MarkableID=m1|Min=1,9|ElementOf=2) "
            "(MarkableID=m1|Rel=x|MentionAnchor=m2) _",
            "1.0 _ (EntityID=2|MarkableID=m2|ElementOf=1) _ (EntityID=1|MarkableID=m1",
            "2 b (EntityID=3|MarkableID=m3 _ )",
            "3 c _ _ _",
            "4 d ) _ _",
        ),
        CONLLUA.replace("FORM", "ID").replace("BRIDGING", "") + table("1 a _ _ _"),
        CONLLUA + table(f"{HUGE} a (EntityID={HUGE}|MarkableID=) _ _"),
        "# global.columns = IDENTITY\n# newdoc id =\n(\n)\n",
        CONLLUA
        + table(*(f"{i} a (EntityID={i}|MarkableID=m{i}|ElementOf={i + 1}) _ _" for i in range(9))),
    ],
    "conllu": [
        conllu(
            "Entity=(e1-x-1-(e2-x-1-",
            "Entity=e1)",
            "Entity=e2)(e1[1/2]-x-2-)",
            "_",
            "Entity=(e1[2/2])|SplitAnte=e1<e2,e2<e1|Bridge=e1<e2:part",
        ),
        conllu(f"Entity=(e1-x-{HUGE}-)", f"Entity=(e1[1/{HUGE}]-x-1-)"),
        conllu("Entity=(--1-)", "Entity=(e-1-x-1-)", "Entity=(e1-x-0-)", "Entity=(e1)"),
        conllu("_", "_").replace("1\tw", "0.1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-x-1-)\n1\tw"),
        "# newdoc id = x\n# global.Entity = eid\n# newdoc id = y\n" + conllu("Entity=(e1)"),
    ],
    "e2e": objects("clusters", sentences=[WORDS[:3], [], WORDS[3:]], subtoken_map=list(range(8))),
    "preco": [
        *objects("mention_clusters", sentences=[WORDS[:3], [], WORDS[3:]]),
        '{"id": 1.0, "sentences": [["a"]], "mention_clusters": [[[0, 0, 1], [1, 0, 1]]]}',
    ],
    "maverick": objects("clusters_token_offsets", tokens=WORDS),
    "crac": objects("clusters_token_offsets", tokens=["##a", *WORDS], clusters_text_mentions=None),
    "fastcoref": objects("clusters", text="".join(WORDS)),
    "clusters": [
        '{"x": {"a": ["0-1", 1, null, ["n"]], "": []}, "type": "clusters"}',
        '{"type": "clusters", "clusters": [["\\ud800", "b"], ["b"], [[0, 1], [0, 1]]]}',
    ],
    "webanno": [
        WEBANNO
        + "\n#Text=a b\n"
        + table(
            f"1-1 0-1 a x[1]|y[{HUGE}] ana|cata 1-2[{HUGE}_1]|1-2[0_0]",
            "1-2 2-3 b x[2] _ _",
            "1-2.1 3-3 _ x[1] _ _",
        ),
        WEBANNO + WEBANNO + "\n#Text=\n1-1\t9-1\t\t_\t_\t_\n",
    ],
    "brat": [f"T1\tx 0 {HUGE};1 2\t\nR1\tCoref Arg1:T1 Arg2:T1\n*\tEquiv T1 T9\nE1\tx:E1\n"],
    "litbank-tsv": [table(f"MENTION T1 0 {HUGE} 9 0 x PER PROP", "COREF T1 a", "COP T1 T1")],
    "inline": [
        "[" * DEEP + "a" + "]_1" * DEEP,
        "# document \n[a [b]_1]_1 [ ]_2 [\ufeff]_3 <e1>x</e1>",
        "[a](#1)(#2) [b]_{} \\[ [c]_{x, x}\n# document \n# document \n",
    ],
    "ace-apf": [
        f'<source_file URI="x"><document DOCID=""><entity ID="e" TYPE="">'
        f'<entity_mention ID="m" TYPE=""><extent><charseq START="0" END="{HUGE}"/></extent>'
        "<head></head></entity_mention></entity><entity/></document></source_file>",
    ],
    "arrau": [
        "TOKEN\na\nb\n",
        table(
            "TOKEN MARKABLE MIN REFERENCE", f"a B-m=set_1@B-n word_{HUGE}@word_0 x@non_referring"
        ),
        table(
            "TOKEN MARKABLE MARKABLE REFERENCE REFERENCE",
            "a B-m=s B-m=s non_referring non_referring",
        ),
    ],
    "gap": [
        table(
            "ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref URL",
            f"e-1 a a 0 a 0 TRUE a {HUGE} FALSE x",
            "e-1 a a ٣ a 0 TRUE a 0 TRUE x",
        ),
        table("ID A-coref B-coref", "e-1 TRUE TRUE"),
    ],
    "mmax2": [],
    "muc-sgml": [
        '<DOC><DOCID>x</DOCID><TXT><COREF ID="1" REF="1" MIN="y">a</COREF><COREF ID="1">b</COREF>'
        '<COREF ID="2" REF="3"></COREF></TXT></DOC>\n'
    ],
    "tac-kbp": [
        table(f"d 0 {HUGE} E1 0.9", "d 0 0 E1 nan", "d ٣ 4 NIL 1e9"),
        table(f"run M1 x d:0-{HUGE} NIL PER NAM 1 x x x", "run M1 x :0-0 E PER NAM 1 x x x"),
    ],
    "tbf": [
        f"#BeginOfDocument x\ns\tx\tE1\tt1,t{HUGE}\ta\tb\tc\ns\tx\tE2\t{HUGE},0\ta\tb\tc\n"
        "@Coreference\tC1\tE1,E2,E9\n@Coreference\tC1\tE1\n@After\tR1\tE1,E1\n#EndOfDocument\n"
    ],
}
