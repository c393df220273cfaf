"""The values of options that are names."""

from __future__ import annotations

from typing import Literal, TypeAlias

Match: TypeAlias = Literal["exact", "head", "partial", "overlap", "minspan", "min", "craft"]
Align: TypeAlias = Literal["tokens", "characters"]
Zeros: TypeAlias = Literal["position", "dependency"]
Singletons: TypeAlias = Literal["keep", "drop", "drop-key", "drop-response"]
Repeated: TypeAlias = Literal["first", "error", "merge", "distinct", "official"]
Documents: TypeAlias = Literal["official", "strict", "concatenate"]
Layer: TypeAlias = Literal["identity", "deixis"]
PooledOrMacro: TypeAlias = Literal["pooled", "macro"]
Undefined: TypeAlias = Literal["zero", "one", "skip"]
