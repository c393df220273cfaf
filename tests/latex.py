"""A checker of LaTeX tables that knows nothing of how they are written.

It reads only what a table for a paper needs: environments, braces, mathematics, the cells of rows.
"""

from __future__ import annotations

import re

#: One token: a command, an escaped character, a comment, or a character that means something.
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|(?<!\\)%.*|[{}$&_^#~<>|\n]", re.DOTALL)

#: Without packages or other encodings, these would be other characters or an error.
_OTHER = set("<>|") | set("†−³²τρφ…")

#: A column of a page with two, of the style of ACL, in points.
COLUMN = 219.0

#: Widths of characters of Computer Modern at 10 points, in hundredths of a point (cmr10.tfm).
_WIDTHS = {
    **dict.fromkeys("0123456789*/", 500),
    **dict.fromkeys(".,:;[]|'il", 278),
    **dict.fromkeys("()r", 390), **dict.fromkeys("fj", 306), **dict.fromkeys("ts", 394),
    **dict.fromkeys("cez", 444), **dict.fromkeys("ago", 500), **dict.fromkeys("kqvxy", 528),
    **dict.fromkeys("bdhnpu", 556), "m": 833, "w": 722, "%": 833, "$": 778, "-": 333, " ": 333,
    "\N{EN DASH}": 500, **dict.fromkeys("AHNUVXYRDTCKOQG", 785), **dict.fromkeys("BEFPSZLIJ", 708),
    "M": 917, "W": 1028, "_": 300, "\N{HORIZONTAL ELLIPSIS}": 1172,
}  # fmt: skip


def widest(text: str) -> float:
    """How wide the widest table is, in points, of type of 9 points with 8 between columns."""
    found = 0.0
    for table in re.findall(
        r"\\begin\{tabular\}\{[^}]*\}[^}]*\}?(.*?)\\end\{tabular\}", text, re.S
    ):
        rows = [row.split(" & ") for row in re.split(r"\\\\\n", table) if " & " in row]
        columns = zip(*([_width(cell) for cell in row] for row in rows), strict=True)
        widths = [max(column) for column in columns]
        found = max(found, sum(widths) + 8 * (len(widths) - 1))
    return found


def _width(cell: str) -> float:
    cell = re.sub(r"\\(toprule|midrule|bottomrule)|\\multicolumn\{\d\}\{c\}|\n", "", cell)
    bold = 1.15 if r"\textbf" in cell else 1.0
    raised = sum(map(len, re.findall(r"\\textsuperscript\{(.*?)\}", cell)))
    cell = re.sub(r"\\textsuperscript\{.*?\}", "", cell)
    cell = cell.replace(r"\ldots{}", "\N{HORIZONTAL ELLIPSIS}").replace(r"\textbf", "")
    cell = (
        re.sub(r"\$\^(.)\$", r"\1", cell)
        .replace(r"$_{\phi_3}$", "n3")
        .replace(r"$_{\phi_4}$", "n4")
        .replace("$-$", "$")
        .replace("$+$", "$")
        .replace(r"$\pm$", "$")
    )
    cell = re.sub(r"\\([&%$#_{}])", r"\1", cell).replace("{", "").replace("}", "").strip()
    return 0.9 * (bold * sum(_WIDTHS[c] for c in cell) / 100 + 4 * raised)


def problems(text: str) -> list[str]:
    """What is wrong with a text; nothing if LaTeX would accept it and show what is meant."""
    found: list[str] = []
    open_environments: list[str] = []
    braces = 0
    math = False
    body = re.sub(r"(?<!\\)%.*", "", text)
    for match in _TOKEN.finditer(body):
        token = match[0]
        if token in (r"\begin", r"\end"):
            name = re.match(r"\{(\w+\*?)\}", body[match.end() :])
            if name is None:
                found.append(f"{token} without a name")
            elif token == r"\begin":
                open_environments.append(name[1])
            elif not open_environments or open_environments.pop() != name[1]:
                found.append(f"{name[1]} ends but was not open")
        elif token == "{":
            braces += 1
        elif token == "}":
            braces -= 1
            if braces < 0:
                found.append("a brace too many")
        elif token == "$":
            math = not math
        elif token in ("_", "^") and not math:
            found.append(f"{token} outside of mathematics")
        elif token in ("#", "~"):
            found.append(f"{token} is not escaped")
        elif token in ("<", ">", "|") and not math:
            found.append(f"{token} outside of mathematics is another character")
    if open_environments or braces or math:
        found.append(f"left open: {open_environments}, {braces} braces, mathematics {math}")
    found += [f"{sign} is no character of LaTeX" for sign in _OTHER - set("<>|") if sign in body]
    for columns, table in re.findall(
        r"\\begin\{tabular\}\{(?:@\{\})?([lrc]+)(?:@\{\})?\}(.*?)\\end\{tabular\}", body, re.S
    ):
        for row in re.split(r"\\\\", table)[:-1]:
            cells = re.split(r"(?<!\\)&", row)
            wide = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", row))
            if len(cells) + wide != len(columns):
                found.append(f"{len(cells) + wide} cells in {len(columns)} columns: {row.strip()}")
    if r"\begin{tabular}" not in body:
        found.append("no table")
    return found
