"""Mutants of a module: its source with one small change each, made in the syntax tree."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

# Each operator, and what it becomes. An order changes at its boundary, and into its opposite.
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Calls whose arguments may be swapped without effect, or whose second one lists types.
SYMMETRIC = {"min", "max", "isinstance", "issubclass", "gcd", "cast"}
# Attributes whose names may be in any order.
UNORDERED = {"__slots__", "aliases", "papers"}


class Mutant(NamedTuple):
    """One change: where it is, its first line before and after, and the whole module after it.

    `function` is the outermost function or method that holds it, "" for what runs at import.
    """

    module: str
    line: int
    function: str
    old: str
    new: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it in the list of equivalent ones, wherever its line moves."""
        return f"{self.module} {self.function}".strip(), self.old, self.new


class Change(NamedTuple):
    """A node of the tree, and the text that replaces it."""

    node: ast.expr | ast.stmt
    text: str


def mutants(root: Path, module: str) -> list[Mutant]:
    """All mutants of a module, which is named by its path below the root of the package."""
    source = (root / module).read_text(encoding="utf-8")
    found = []
    for function, change in _changes(ast.parse(source), "", False):
        after = _replaced(source, change)
        line = change.node.lineno
        old, new = (text.splitlines()[line - 1].strip() for text in (source, after))
        found.append(Mutant(module, line, function, old, new, after))
    return found


def _replaced(source: str, change: Change) -> str:
    """The source after a change; as many lines as before, so that functions stay on theirs."""
    whole, node = source.encode(), change.node
    lines = whole.splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    stop = sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0)
    text = change.text + "\n" * whole[start:stop].count(b"\n")
    if isinstance(node, ast.expr):
        text = f"({text})"
    return (whole[:start] + text.encode() + whole[stop:]).decode()


def _changes(node: ast.AST, scope: str, inside: bool) -> Iterator[tuple[str, Change]]:
    """The changes in a node; `scope` is the name of its class or of the outermost function."""
    for child in ast.iter_child_nodes(node):
        if _without_effect(node, child):
            continue
        if isinstance(child, ast.FunctionDef | ast.ClassDef) and not inside:
            name = f"{scope}.{child.name}" if scope else child.name
            if isinstance(child, ast.ClassDef):
                yield from _changes(child, name, False)
                continue
            for part in [*child.decorator_list, child.args]:  # these are evaluated at import
                yield from _changes(ast.Expression(body=part), scope, False)
            yield from _changes(ast.Module(body=child.body, type_ignores=[]), name, True)
            continue
        for change in _of(child, node):
            yield scope if inside else "", change
        yield from _changes(child, scope, inside)


def _without_effect(parent: ast.AST, node: ast.AST) -> bool:
    """Whether a node decides nothing at run time, or has no place of its own in the source."""
    annotations = [getattr(parent, name, None) for name in ("annotation", "returns")]
    return (
        node in annotations
        or isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.keyword) and node.arg == "strict")
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in UNORDERED)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        or (isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal")
    )


def _of(node: ast.AST, parent: ast.AST) -> Iterator[Change]:
    """The changes of a node itself."""

    def becomes(new: ast.AST | str) -> Change:
        assert isinstance(node, ast.expr | ast.stmt)
        return Change(node, new if isinstance(new, str) else ast.unparse(new))

    match node:
        case ast.Compare(left=left, ops=ops, comparators=rest):
            for place, op in enumerate(ops):
                for other in COMPARISONS[type(op)]:
                    changed = [*ops[:place], other(), *ops[place + 1 :]]
                    yield becomes(ast.Compare(left, changed, rest))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            yield becomes(ast.BinOp(left, ARITHMETIC[type(op)](), right))
        case ast.AugAssign(target=target, op=op, value=value):
            if type(op) in ARITHMETIC:
                yield becomes(ast.AugAssign(target, ARITHMETIC[type(op)](), value))
            yield becomes("pass")
        case ast.BoolOp(op=op, values=values):
            yield becomes(ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values))
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield becomes(operand)
        case ast.Constant(value=bool() as value):
            yield becomes(str(not value))
        case ast.Constant(value=int() | float() as value):
            yield becomes(str(value + 1))
            if value == 1:
                yield becomes("0")
        case ast.Call(func=func, args=args, keywords=keywords):
            name = ast.unparse(func)
            if name in FUNCTIONS:
                yield becomes(ast.Call(ast.Name(FUNCTIONS[name]), args, keywords))
            if name not in SYMMETRIC:
                for other in _swapped(args, ast.Starred | ast.Constant):
                    yield becomes(ast.Call(func, other, keywords))
                for values in _swapped([one.value for one in keywords], ast.Constant):
                    pairs = zip(keywords, values, strict=True)
                    named = [ast.keyword(one.arg, value) for one, value in pairs]
                    yield becomes(ast.Call(func, args, named))
        case ast.Tuple(elts=elements, ctx=ast.Load()) if not isinstance(
            parent, ast.Compare | ast.ExceptHandler | ast.Subscript | ast.Call
        ):
            for other in _swapped(elements):
                yield becomes(ast.Tuple(other, ast.Load()))
        case ast.Continue():
            yield becomes("break")
        case ast.Break():
            yield becomes("continue")
        case ast.Expr() | ast.Raise():
            yield becomes("pass")
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield becomes("pass")
    # A condition that is neither compared nor combined nor denied is denied.
    tests = node.ifs if isinstance(node, ast.comprehension) else [getattr(node, "test", None)]
    for test in tests:
        if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
            yield Change(test, f"not {ast.unparse(test)}")


def _swapped(
    values: list[ast.expr], kept: type[ast.expr] | types.UnionType = ast.Starred
) -> Iterator[list[ast.expr]]:
    """The values with two neighbors swapped, for each two that differ and are not kept in place."""
    for place, (first, second) in enumerate(pairwise(values)):
        plain = not isinstance(first, kept) and not isinstance(second, kept)
        if plain and ast.unparse(first) != ast.unparse(second):
            yield [*values[:place], second, first, *values[place + 2 :]]


def equivalents(root: Path) -> dict[tuple[str, str, str], str]:
    """The mutants that no test can tell from the source, with the reason."""
    path = root / "tests" / "mutate" / "equivalent.txt"
    found = {}
    for block in path.read_text(encoding="utf-8").strip().split("\n\n") if path.exists() else []:
        if not block or block.startswith("#"):
            continue
        place, old, new, reason = block.split("\n", 3)
        found[place, old.removeprefix("- "), new.removeprefix("+ ")] = reason
    return found
