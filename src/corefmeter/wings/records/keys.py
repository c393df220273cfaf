"""One form for the values of items, documents and clusters, so that all engines compare alike.

Whole numbers have 64 bits, or become text if one side has wider ones. Decimals become text without
trailing zeros, categories become text, and 0.0 loses its sign. Other values are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from numbers import Integral
from typing import Any

from corefmeter.metrics.overlap import SIDES
from corefmeter.problems import DataError, OptionError, Problem
from corefmeter.wings.records.frames import Engine

#: With more items on a side, the sum of squares of sizes may not fit into 64 bits.
MOST = 3_000_000_000

_TEXT, _WHOLE, _DECIMAL = "text", "whole numbers", "decimal numbers"
_FRACTIONAL = "fractional numbers"

#: Other forms of an id, by their description.
FORMS: dict[str, Callable[[Any], Any]] = {
    "without outer spaces": lambda text: text.str.strip_chars(),
    "in lower case": lambda text: text.str.to_lowercase(),
    "without leading zeros": lambda text: text.str.replace_all("^0+", ""),
    "without a final .0": lambda text: text.str.replace_all(r"\.0+$", ""),
}


def in_all_forms(text: Any) -> Any:
    """Return an id with all of `FORMS` applied."""
    for form in FORMS.values():
        text = form(text)
    return text


def normalize(
    engine: Engine,
    frames: Sequence[Any],
    names: Sequence[Mapping[str, str]],
    paths: Sequence[str | None],
) -> list[Any]:
    """Convert the columns of key and response, or of one table with both, to one form.

    `names` has the user's names of the columns of each frame. Columns in both frames are compared.

    Raises
    ------
    DataError
        ``no-item`` and ``empty-cell``; ``bad-key`` for lists, records and columns of several types;
        ``types-differ`` if the values of the two sides cannot be equal.
    """
    for side, frame in enumerate(frames):
        _require_values(engine, frame, names[side], side, paths[side])
    plain_frames, kinds, problems = [], [], []
    for side, frame in enumerate(frames):
        plain_frame, side_kinds, reasons = _kinds(engine, frame)
        plain_frames.append(plain_frame)
        kinds.append(side_kinds)
        hint = "Convert it to numbers or to text, such as by .astype(str)."
        for name, reason in reasons.items():
            message = f"the column {names[side][name]!r} of the {_side(name, side)} holds {reason}"
            problems.append(Problem("bad-key", message, "error", path=paths[side], hint=hint))
    if problems:
        raise DataError(problems)
    common = [name for name in kinds[0] if name in kinds[-1] and len(frames) > 1]
    for name in common:
        key_kind, response_kind = kinds[0][name], kinds[1][name]
        if key_kind != response_kind:
            message = (
                f"the column {names[0][name]!r} holds {key_kind} in the key but {response_kind} "
            )
            message += "in the response, so that no value would be the same"
            hint = "Convert one of them."
            problems.append(Problem("types-differ", message, "error", path=paths[1], hint=hint))
    if problems:
        raise DataError(problems)
    schemas = [frame.collect_schema() for frame in plain_frames]
    result = []
    for side, frame in enumerate(plain_frames):
        casts = []
        for name, kind in kinds[side].items():
            types = [schemas[side][name]]
            if name in common:
                types.append(schemas[1 - side][name])
            if (cast := _conversion(engine, name, kind, types)) is not None:
                casts.append(cast.alias(name))
        result.append(frame.with_columns(*casts) if casts else frame)
    return result


def _side(name: str, side: int) -> str:
    """Return the side of a column, in a table that may have both."""
    return SIDES[1] if name == "r" else SIDES[side]


def _require_values(
    engine: Engine, frame: Any, names: Mapping[str, str], side: int, path: str | None
) -> None:
    """Refuse a table without rows, and cells without a value."""
    import narwhals as nw

    schema = frame.collect_schema()
    sums = []
    for name in schema.names():
        is_empty = nw.col(name).is_null()
        if schema[name].is_float():
            is_empty |= nw.col(name).is_nan()
        sums.append(is_empty.cast(nw.Int64()).sum().alias(name))
    ((rows, *counts),) = engine.rows(frame.select(nw.len().alias("rows"), *sums))
    require_rows(int(rows), side, path)
    hint = "Leave out these rows, or give each item a cluster: an item that is alone is a cluster "
    hint += "of its own."
    problems = []
    for name, count in zip(schema.names(), map(int, counts), strict=True):
        if count:
            column = f"the column {names[name]!r} of the {_side(name, side)}"
            message = f"{column} is empty in {count} of {rows} rows"
            problems.append(
                Problem("empty-cell", message, "error", path=path, count=count, hint=hint)
            )
    if problems:
        raise DataError(problems)


def require_rows(number: int, side: int, path: str | None) -> None:
    """Refuse a side without rows, and one with more than can be counted."""
    if not number:
        message = f"the {SIDES[side]} has no row"
        hint = "A table has a row for each item, with its cluster."
        raise DataError(Problem("no-item", message, "error", path=path, hint=hint))
    if number > MOST:
        raise OptionError(f"the table has more than {MOST:,} rows; score parts of it")


def _kinds(engine: Engine, frame: Any) -> tuple[Any, dict[str, str], dict[str, str]]:
    """Return a frame, and by column the kind of values, or the reason why they cannot be compared.

    Columns of Python objects that are all numbers or all text are converted in the frame.
    """
    import narwhals as nw

    kinds, reasons = {}, {}
    schema = frame.collect_schema()
    for name in schema.names():
        dtype = schema[name]
        if dtype == nw.Object and engine.name == "pandas":
            column = frame.to_native()[name]
            types = set(map(type, column))
            if (common := _common_type(types)) is None:
                type_names = ", ".join(sorted(value_type.__name__ for value_type in types))
                reasons[name] = f"values of several types: {type_names}"
            elif not all(issubclass(value_type, Hashable) for value_type in types):
                reasons[name] = f"values of the type {common.__name__}"
            else:
                kinds[name], plain = _plain(column, common)
                frame = engine.frame(frame.to_native().assign(**{name: plain}))
        elif dtype == nw.Object or dtype.is_nested():
            reasons[name] = f"values of the type {str(dtype).partition('(')[0].lower()}"
        else:
            kinds[name] = _kind(dtype)
    return frame, kinds, reasons


def _kind(dtype: Any) -> str:
    """Return the kind of the values of a type, for messages."""
    import narwhals as nw

    if dtype.is_integer():
        return _WHOLE
    if dtype.is_decimal():
        return _DECIMAL
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _TEXT
    if dtype == nw.Float64:
        return _FRACTIONAL
    # 0.1 in 32 bits is not the same number as in 64.
    return f"{_FRACTIONAL} of 32 bits" if dtype.is_float() else str(dtype).lower()


def _common_type(types: set[type]) -> type | None:
    """Return a type that all of these types are or inherit from; None if there is none."""
    if len(types) == 1 or bool not in types:
        for known in (str, bool, Integral, float, Decimal):
            if all(issubclass(value_type, known) for value_type in types):
                return known
    return next(iter(types)) if len(types) == 1 else None


def _plain(column: Any, common: type) -> tuple[str, Any]:
    """Return the kind of the values of a pandas object column, and the column converted to it."""
    if common is str:
        return _TEXT, column.astype("str")
    if common is bool:
        return "boolean", column.astype("bool")
    if common is Integral:
        fits = min(column) >= -(2**63) and max(column) < 2**63
        return _WHOLE, column.astype("int64" if fits else "str")
    if common is float:
        return _FRACTIONAL, column.astype("float64")
    if common is Decimal:
        return _DECIMAL, column.map(_shortest).astype("str")
    return common.__name__, column


def _shortest(number: Decimal) -> str:
    """Format a decimal without trailing zeros.

    >>> [_shortest(Decimal(text)) for text in ("1.50", "-0.0", "2E+2", "10")]
    ['1.5', '0', '200', '10']
    """
    text = f"{abs(number) if number == 0 else number:f}"
    return text.rstrip("0").removesuffix(".") if "." in text else text


def _conversion(engine: Engine, name: str, kind: str, types: Sequence[Any]) -> Any:
    """Return an expression that converts a column to its form; None if no conversion is needed.

    `types` has the type of the column and, if they are compared, that of the other side's column.
    """
    import narwhals as nw

    column, text = nw.col(name), nw.col(name).cast(nw.String())
    if kind == _WHOLE and len({*types}) > 1:
        wide_types = (nw.UInt64, nw.Int128, nw.UInt128, nw.String)
        is_wide = any(dtype in wide_types for dtype in types)
        return text if is_wide else column.cast(nw.Int64())
    if kind == _TEXT:
        # pyarrow has several types of text, and does not compare them.
        return text if types[0] != nw.String or engine.name == "pyarrow" else None
    if types[0].is_float():
        return nw.when(column == 0).then(nw.lit(0.0, types[0])).otherwise(column)
    if types[0].is_decimal():
        short = text.str.replace_all("0+$", "").str.replace_all(r"\.$", "")
        return nw.when(text.str.contains(r"\.")).then(short).otherwise(text)
    return None
