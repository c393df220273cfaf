"""Hints are followed: what they say, applied to the input, gives the right reading.

A hint that names an option is found in the source, and has a case or a test here.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

import corefmeter

from ..command import run

OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")


def conll(*documents: str) -> str:
    """Documents d0, d1, ... of words with cells, as in ``New=(1 York=1)``."""
    lines = []
    for number, words in enumerate(documents):
        lines.append(f"#begin document (d{number}); part 000")
        for place, word in enumerate(words.split()):
            form, _, cell = word.partition("=")
            lines.append(f"d{number}\t0\t{place}\t{form}\t{cell or '-'}")
        lines += ["", "#end document"]
    return "\n".join([*lines, ""])


KEY = conll("New=(1 York=1) it=(1)")
PAIR, APART = "a=(1) b=(1)", "a=(1) b=(2)"
HEAD = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
COLUMNS = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING "
)
COLUMNS += "DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"


def conllua(*rows: str) -> str:
    """Rows of id, word and cell of IDENTITY."""
    cells = (row.split() for row in rows)
    lines = ["\t".join([id, word, *"________", cell, *"____"]) for id, word, cell in cells]
    return "\n".join([*lines, "", ""])


def pieces(*texts: str) -> str:
    """Documents of e2e, one a text, in which the first and the last word corefer."""
    documents = [
        {"doc_key": f"p{n}", "sentences": [text.split()]}
        | {"clusters": [[[0, 0], [len(text.split()) - 1] * 2]]}
        for n, text in enumerate(texts)
    ]
    return "".join(json.dumps(document) + "\n" for document in documents)


def conllu(*words: str) -> str:
    """Words with what opens and closes at each."""
    rows = (f"{n}\ta" + "\t_" * 7 + f"\tEntity={cell}\n" for n, cell in enumerate(words, 1))
    return HEAD + "".join(rows) + "\n"


def mmax2(*sets: str, **levels: list[str]) -> dict[str, str]:
    """A project of levels, each with the attributes of its markables, which are a word each.

    A scheme declares attributes as sets.
    """
    words = "".join(f'<word id="word_{n}">w</word>' for n in range(1, 5))
    listed = "".join(
        f'<level name="{name}" schemefile="own.xml">$_{name}_level.xml</level>' for name in levels
    )
    declared = "".join(f'<attribute name="{name}" type="markable_set"/>' for name in sets)
    files = {
        "s.mmax": "<mmax_project><words>s_words.xml</words></mmax_project>",
        "s_words.xml": f"<words>{words}</words>",
        "common_paths.xml": f"<common_paths><annotations>{listed}</annotations></common_paths>",
        "own.xml": f"<annotationscheme>{declared}</annotationscheme>",
    }
    for name, markables in levels.items():
        rows = (
            f'<markable id="markable_{n}" span="word_{n}" {attributes}/>\n'
            for n, attributes in enumerate(markables, 1)
        )
        files[f"s_{name}_level.xml"] = f"<markables>\n{''.join(rows)}</markables>"
    return files


def b3(recall: str, precision: str, f1: str) -> str:
    return f"B³ +{recall} +{precision} +{f1}"


class Case(NamedTuple):
    """A hint that names an option.

    Parameters
    ----------
    hint
        A part of it, as in the source.
    files
        The input, by name.
    command
        The command that prints the hint.
    applied
        What it says to add; with a minus before it, to leave out. Its words are in the message.
    then
        What is printed then.
    edited
        Files that the hint says to change.
    after
        The command to which it is added, if that is another one.
    own_value
        Whether only the user knows the value of the option.
    """

    hint: str
    files: dict[str, str]
    command: str
    applied: str
    then: str
    edited: Mapping[str, str] = MappingProxyType({})
    after: str = ""
    own_value: bool = False


CASES = [
    # All of the key is right. e has two mentions more, so that 2 of 4 are: P 50.
    Case(
        "With --documents strict, its mentions count as spurious",
        {"k": KEY, "r": conll("New=(1 York=1) it=(1)", PAIR)},
        "score k r -m b3",
        "--documents strict",
        b3("100.00", "50.00", "66.67"),
    ),
    Case(
        "Run with --strict to find the first word",
        {"k": KEY, "r": conll("NewYork=(1) it=(1)")},
        "score k r -m b3",
        "--strict",
        "NewYork",
    ),
    Case(
        "or join them with --documents concatenate",
        {"k": KEY + KEY},
        "score k k -m b3",
        "--documents concatenate",
        b3("100.00", "100.00", "100.00"),
    ),
    Case(
        "or --match overlap",
        {"k": KEY},
        "score k k -m b3 --match head",
        "--match overlap",
        b3("100.00", "100.00", "100.00"),
    ),
    Case(
        "with --force; nothing was written.",
        {"k.conll": KEY, "out/d0_part_000.conllu": "old", "out/d0.conllu": "old"},
        "convert k.conll out/ --to conllu",
        "--force",
        "",
    ),
    # {x, y} {z} against {x, y}: R 2/3, P 1.
    Case(
        "identifies the item to both, and name it with --item",
        {"k.csv": "cluster\na\na\nb\n", "r.csv": "cluster\na\na\n"},
        "clusters k.csv r.csv -m b3",
        "--item who",
        b3("66.67", "100.00", "80.00"),
        {"k.csv": "who,cluster\nx,a\ny,a\nz,b\n", "r.csv": "who,cluster\nx,a\ny,a\n"},
        own_value=True,
    ),
    Case(
        "It is ignored; --documents strict counts its mentions as spurious",
        {
            "k.csv": "id,cluster,d\na,1,x\nb,1,x\n",
            "r.csv": "id,cluster,d\na,1,x\nb,1,x\nc,2,y\n",
        },
        "clusters k.csv r.csv --within d -m b3",
        "--documents strict",
        b3("100.00", "66.67", "80.00"),
    ),
    # {1} {2} {3} against {1, 2} {3}: P (1/2 + 1/2 + 1)/3.
    Case(
        "--noise -1 makes each of these items",
        {"k.csv": "id,cluster\n1,-1\n2,-1\n3,4\n", "r.csv": "id,cluster\n1,7\n2,7\n3,4\n"},
        "clusters k.csv r.csv -m b3",
        "--noise -1",
        b3("100.00", "66.67", "80.00"),
    ),
    Case(
        "use --numeric-ids to read such ids as numbers",
        {"k": conll("a=(e1) b=(e1) c=(e2)")},
        "conll-scorer muc k k",
        "--numeric-ids",
        r"Coreference: Recall: \(1 / 1\) 100%",
    ),
    Case(
        "Use at least --trials ",
        {"k": conll(*[PAIR] * 30), "a": conll(*[PAIR] * 30, ""), "b": conll(*[APART] * 30)},
        "compare k a b -m b3 --trials 3",
        "--trials 19",
        "b3|B³",
    ),
    Case(
        "Intervals of --test t are more reliable",
        {"k": conll(*[PAIR] * 10), "a": conll(*[PAIR] * 10, ""), "b": conll(*[APART] * 10)},
        "compare k a b -m b3",
        "--test t",
        "Student's t over 10 documents",
    ),
    Case(
        "without --as-one-document",
        {"k": conll(*[PAIR] * 3), "a": conll(*[PAIR] * 3, ""), "b": conll(*[APART] * 3)},
        "compare k a b -m b3 --as-one-document",
        "-as-one-document",
        "B³",
    ),
    Case(
        "--singletons drop leaves them out",
        {"k": conll(*[f"{PAIR} c=(2)"] * 40), "r": conll(*[f"{PAIR} c"] * 40)},
        "score k r -m b3",
        "--singletons drop",
        b3("100.00", "100.00", "100.00"),
    ),
    Case(
        "Score with --align characters, which compares the texts",
        {
            "k": KEY.replace("; part 000", ""),
            "r": '{"doc_key": "d0", "text": "New York it", "clusters": [[[0, 8], [9, 11]]]}\n',
        },
        "score k r -m b3",
        "--align characters",
        b3("100.00", "100.00", "100.00"),
    ),
    Case(
        "the file then counts as a response without mentions",
        {"k": KEY, "r": "<e1>Eve</e1> slept"},
        "score k r -m b3",
        "--from conll,inline",
        b3("0.00", "0.00†", "0.00"),
    ),
    # What is named replaces what is known: all that are identity are to be named.
    Case(
        "If some are, name all that are, as in --identity ",
        {
            "x.txt": "Ann saw her. She left.",
            "x.ann": "T1\tP 0 3\tAnn\nT2\tP 8 11\ther\nT3\tP 13 16\tShe\n"
            "R1\tkin Arg1:T1 Arg2:T2\nR2\tCoref Arg1:T1 Arg2:T3\n",
        },
        "validate x.ann",
        "--identity Coref+kin",
        "1 entity, 3 mentions",
    ),
    Case(
        "If they are, name all that are, as in --identity ",
        {
            "w.tsv": "#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.Referent|entity\n"
            "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n#Text=a b c\n"
            "1-1\t0-1\ta\tp\tkin\t1-2\n1-2\t2-3\tb\tp\tana\t1-3\n1-3\t4-5\tc\tp\t_\t_\n"
        },
        "validate w.tsv",
        "--identity ana+kin",
        "1 entity, 3 mentions",
    ),
    Case(
        "contain the separator. To read lists of members, one cluster per line, add --members",
        {"k": "a,b\nc\n", "r": "a,b\nc\n"},
        "clusters k r -m b3",
        "--members",
        b3("100.00", "100.00", "100.00"),
    ),
    Case(
        "label in each row. To read lists of members, one cluster on each line, add --members",
        {"k": "a b\nc\n", "r": "a b\nc\n"},
        "clusters k r -m b3",
        "--members",
        b3("100.00", "100.00", "100.00"),
    ),
    Case(
        "Choose with --header yes or --header no",
        {"k": "a\na\nb\n", "r": "x\nx\ny\n"},
        "clusters k r -m b3",
        "--header no",
        b3("100.00", "100.00", "100.00"),
    ),
    # "b" is in both pieces; fewer than eight words in common are not believed by themselves.
    Case(
        "if they have tokens in common, give their number with --overlap",
        {"p.jsonl": pieces("a b", "b c")},
        "stitch p.jsonl",
        "--overlap 1",
        "3 tokens, 3 mentions, 1 entity",
        own_value=True,
    ),
    Case(
        "Correct --overlap, or the first token in the name of the piece",
        {"p.jsonl": pieces("a b c d e f g h i", "b c d e f g h i j")},
        "stitch p.jsonl --overlap=2",
        "-overlap=2",
        "10 tokens, 4 mentions, 2 entities",
    ),
    # {a, b} {c} against {a, b} {a', c}, whose a' is in no key: P (1 + 1 + 0 + 1/2)/4, R 1.
    Case(
        "as in CorefUD, score with --repeated distinct",
        {"k": conll(f"{PAIR} c=(2)"), "r": conll("a=(1)|(2) b=(1) c=(2)")},
        "validate r",
        "--repeated distinct",
        b3("100.00", "62.50", "76.92"),
        after="score k r -m b3",
    ),
    Case(
        "Read it with --from ",
        {"k.conll": conll("Ann left")},
        "convert k.conll out.txt --to inline",
        "--from inline",
        "1 document, 0 entities, 0 mentions",
        after="validate out.txt",
    ),
    # Both mentions are right; their heads are not those of the key.
    Case(
        "or use --match partial, which ignores them",
        {
            "k.conllu": conllu("(e1-x-2-", "e1)", "(e1--1-)"),
            "r.conllu": conllu("(e1-x-1-", "e1)", "(e1--1-)"),
        },
        "score k.conllu r.conllu -m b3 --match head",
        "--match partial",
        b3("100.00", "100.00", "100.00"),
    ),
    # "York" is half of "New York": the Dice coefficient is 2/3.
    Case(
        "Minimum spans need the parse column of OntoNotes; or use --match overlap",
        {"k": KEY, "r": conll("New York=(1) it=(1)")},
        "score k r -m b3 --match minspan",
        "--match overlap",
        b3("100.00", "100.00", "100.00"),
    ),
    # {a, b} {c} against {a, b, c}.
    Case(
        "Write mentions as half-open spans (start, end), or use --match exact",
        {
            "k": '{"type": "clusters", "clusters": [["a", "b"], ["c"]]}',
            "r": '{"type": "clusters", "clusters": [["a", "b", "c"]]}',
        },
        "score k r -m b3 --match overlap",
        "--match exact",
        b3("100.00", "55.56", "71.43"),
    ),
    Case(
        "--show worst:N chooses how many",
        {"k": conll(*[PAIR] * 3), "r": conll(*[APART] * 3)},
        "report k r -o page.html --show worst:1",
        "--show worst:3",
        "",
        own_value=True,
    ),
    Case(
        "or --unit document",
        {
            "k": conll(*[PAIR] * 8).replace("(d", "(nw/d"),
            "a": conll(*[PAIR] * 7, "a b").replace("(d", "(nw/d"),
            "b": conll(*[APART] * 8).replace("(d", "(nw/d"),
        },
        "compare k a b -m b3 --unit genre",
        "--unit document",
        "over 8 documents",
    ),
    Case(
        "Give the file of the level itself with --from mmax2",
        mmax2(one=['coref_class="set_1"'] * 2, two=['coref_class="set_1"'] * 2),
        "validate s.mmax",
        "--from mmax2",
        "1 entity, 2 mentions",
        after="validate s_one_level.xml",
    ),
    Case(
        "or name its attribute with --identity.",
        mmax2(one=['mine="set_1"'] * 2, two=['other="x"'] * 2),
        "validate s.mmax",
        "--identity mine",
        "1 entity, 2 mentions",
        own_value=True,
    ),
    Case(
        "If it means identity, name it with --identity",
        mmax2(coref=['chain="set_1"'] * 2),
        "validate s.mmax",
        "--identity chain",
        "1 entity, 2 mentions",
    ),
    Case(
        "or name one attribute with --identity",
        mmax2(coref=['coref_class="set_1" coref_set="a"', 'coref_class="set_2" coref_set="a"']),
        "validate s.mmax",
        "--identity coref_set",
        "1 entity, 2 mentions",
        own_value=True,
    ),
]

#: What is said of options in other places than a hint.
MORE = [
    Case(
        "align the characters of the texts with --align characters",
        {"k": KEY, "r": conll("NewYork=(1) it=(1)")},
        "score k r -m b3",
        "--align characters",
        b3("100.00", "100.00", "100.00"),
    ),
    Case(
        "--hull fills gaps",
        {
            "k.conllu": HEAD
            + "".join(
                f"{n}\ta" + "\t_" * 4 + "\t0" + "\t_" * 2 + f"\t{misc}\n"
                for n, misc in enumerate(["Entity=(e1[1/2]--1)", "_", "Entity=(e1[2/2]--1)"], 1)
            )
            + "\n"
        },
        "convert k.conllu out.conll --force",
        "--hull",
        "",
    ),
    Case(
        "does not show its format; give it with --to: ",
        {"k.conll": KEY},
        "convert k.conll out.xyz",
        "--to conllu",
        "",
    ),
    Case(
        "Sets and pointers are mine of one.",
        mmax2("mine", one=['mine="a"'] * 2),
        "validate s.mmax",
        "--identity mine",
        "1 entity, 2 mentions",
        own_value=True,
    ),
]

#: Hints with an option that are followed below, each in a test of its own: parts of them.
FOLLOWED = [
    "give both: --from KEYFORMAT,RESPONSEFORMAT",  # in the tests of score
    "-m gap --by gender",  # in the tests of the metric
    "--force compares them as they are",
    "prints a query that makes an overlap table of two tables",
    "convert the file --to conllua",
    "use --unit part",  # in the tests of compare
    "Decide them (--decisions)",  # in the tests of decisions
    '"corefmeter clusters estimate --drawn size"',  # in the tests of samples
]


def placed(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder with files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.wings
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.hint.strip()) for case in CASES + MORE],
)
def test_an_option_that_a_hint_names_does_what_it_says(case, tmp_path):
    folder = placed(tmp_path, case.files)
    before = run(*case.command.split(), folder=folder, columns=200)
    said = before.stdout + before.stderr
    assert case.hint in " ".join(said.split())
    option = case.applied.split()[0]
    command = (case.after or case.command).split()
    if option.startswith("--"):
        said_of_it = [option] if case.own_value else case.applied.split()
        assert all(word in said for word in said_of_it)
        command += case.applied.split()
    else:
        command.remove(f"-{option}")
    placed(tmp_path, case.edited)
    done = run(*command, folder=folder, columns=200)
    assert (done.returncode == 0) == (option != "--strict"), done.stderr
    said = done.stdout + done.stderr
    assert re.search(case.then, said), said
    assert case.hint not in " ".join(said.split())


@pytest.mark.wings
@pytest.mark.parametrize(
    ("name", "wrong", "hint", "old", "new"),
    [
        (
            "a.conllu",
            HEAD + "1\ta" + "\t_" * 7 + "\tEntity=(e1\n\n",
            'Close it with "e1)"',
            "(e1\n",
            "(e1)\n",
        ),
        (
            "a.conllu",
            "1\ta" + "\t_" * 7 + "\tEntity=(e1)\n\n",
            "# global.Entity",
            "1\ta",
            HEAD + "1\ta",
        ),
        (
            "a.conllua",
            COLUMNS + conllua("1 a (EntityID=1|MarkableID=m)"),
            'Begin the document with "# newdoc id = NAME"',
            "\n1",
            "\n# newdoc id = d\n1",
        ),
        (
            "a.conllua",
            COLUMNS + "# newdoc id = d\n" + conllua("1 a (EntityID=1)"),
            "Write (EntityID=1|MarkableID=m1|...",
            "=1)",
            "=1|MarkableID=m1)",
        ),
        (
            "a.conll",
            "#begin document (d); part 000\nd\t0\t0\ta\t(1\n#end document\n",
            'Close it with "1)"',
            "(1\n",
            "(1)\n",
        ),
    ],
)
def test_an_edit_that_a_hint_names_is_enough(name, wrong, hint, old, new, tmp_path):
    folder = placed(tmp_path, {name: wrong})
    before = run("validate", name, folder=folder, columns=200)
    assert before.returncode == 3
    assert hint in before.stdout + before.stderr
    placed(tmp_path, {name: wrong.replace(old, new, 1)})
    done = run("validate", name, folder=folder, columns=200)
    assert done.returncode == 0, done.stdout
    assert "1 entity, 1 mention" in done.stdout


def test_results_of_two_recipes_are_compared_by_force(tmp_path):
    """By exact match 1 of 2 mentions is right: B³ 25. By overlap both are: "York" is 2/3."""
    folder = placed(tmp_path, {"k": conll(*["New=(1 York=1) it=(1)"] * 8)})
    placed(folder, {name: conll(*["New York=(1) it=(1)"] * 8) for name in "ab"})
    for name, mode in (("a", "exact"), ("b", "overlap")):
        recipe = f"-m b3 --match {mode} --by document -f json -o {name}.json"
        run("score", "k", name, *recipe.split(), folder=folder)
    compare = ["compare", "a.json", "b.json", "--results", "-m", "b3"]
    before = run(*compare, folder=folder, columns=200)
    assert "--force compares them as they are" in before.stderr
    done = run(*compare, "--force", folder=folder, columns=200)
    assert done.returncode == 0
    assert re.search(r"25\.00[^%]* 100\.00", done.stdout, re.DOTALL), done.stdout


@pytest.mark.wings
def test_a_query_makes_the_overlap_table_that_is_missing(tmp_path):
    """{1 2 3} {4} against {1 2} {3 4}: R (2 2/3 + 1/3 + 1)/4, P (2 + 1/2 + 1/2)/4."""
    duckdb = pytest.importorskip("duckdb")
    wrong = "key,response,n,key_size,response_size\na,u,2,3,2\na,v,1,3,2\nb,v,1,1,1\n"
    folder = placed(tmp_path, {"cells.csv": wrong})
    before = run("clusters", "--overlap", "cells.csv", "-m", "b3", folder=folder, columns=200)
    option = "--sql ENGINE --item ID --cluster CLUSTER"
    assert option in before.stderr
    for word, value in (("ENGINE", "duckdb"), ("ID", "id"), ("CLUSTER", "cluster")):
        option = option.replace(word, value, 1)
    query = run("clusters", "k", "r", *option.split(), folder=folder).stdout
    with duckdb.connect() as database:
        for name, clusters in (("k", "aaab"), ("r", "uuvv")):
            database.sql(f"CREATE TABLE {name} (id INTEGER, cluster VARCHAR)")
            database.executemany(f"INSERT INTO {name} VALUES (?, ?)", [*enumerate(clusters)])
        database.sql(query).write_csv(str(folder / "cells.csv"))
    done = run("clusters", "--overlap", "cells.csv", "-m", "b3", folder=folder, columns=200)
    assert re.search(b3("66.67", "75.00", "70.59"), done.stdout), done.stdout


@pytest.mark.wings
@pytest.mark.parametrize(
    "rows",
    [
        ["1 a (EntityID=1|MarkableID=m", "2 b (EntityID=2|MarkableID=n)", "3 c m)"],
        ["1 a (EntityID=1|MarkableID=m", "2 b (EntityID=2|MarkableID=n))"],
        ["1 a (EntityID=1|MarkableID=m", "1.1 _ )"],
    ],
)
def test_a_file_that_a_scorer_refuses_is_converted_as_the_hint_says(rows, tmp_path):
    files = {"a.conllua": COLUMNS + "# newdoc id = d\n" + conllua(*rows)}
    folder = placed(tmp_path, files)
    before = run("validate", "a.conllua", folder=folder, columns=200)
    assert "convert the file --to conllua" in before.stdout
    run("convert", "a.conllua", "b.conllua", "--to", "conllua", folder=folder)
    done = run("validate", "b.conllua", folder=folder, columns=200)
    assert "no problems" in done.stdout
    one, other = (
        corefmeter.read(folder / name).documents[0] for name in ("a.conllua", "b.conllua")
    )
    assert one.entities == other.entities


def texts(node: ast.expr) -> str:
    """The texts in an expression; what is only known later is left out."""
    constants = (sub.value for sub in ast.walk(node) if isinstance(sub, ast.Constant))
    return "".join(value for value in constants if isinstance(value, str))


def hints_with_options() -> Iterator[str]:
    """What is called a hint in the source, if it names an option."""
    for path in sorted(Path(corefmeter.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            pairs: list[tuple[ast.expr, ast.expr]] = []
            if isinstance(node, ast.keyword) and node.arg == "hint":
                pairs = [(ast.Name("hint"), node.value)]
            elif isinstance(node, ast.Assign):
                (target,) = node.targets[:1]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                else:
                    pairs = [(target, node.value)]
            elif isinstance(node, ast.AugAssign):
                pairs = [(node.target, node.value)]
            for target, value in pairs:
                named = isinstance(target, ast.Name) and "hint" in target.id.lower()
                if named and OPTION.search(texts(value)):
                    yield texts(value)


@pytest.mark.wings
def test_each_hint_with_an_option_is_followed():
    known = [*(case.hint for case in CASES), *FOLLOWED]
    found = list(hints_with_options())
    assert [hint for hint in found if not any(part in hint for part in known)] == []
    assert [part for part in known if not any(part in hint for hint in found)] == []
