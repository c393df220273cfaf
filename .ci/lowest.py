"""Print the lowest declared versions of what the package needs, as pip takes them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
DECLARED = [*PROJECT["dependencies"], *EXTRAS["plot"], *EXTRAS["tables"]]

for declared in DECLARED:
    name, version, marker = re.fullmatch(r"([\w.-]+)>=([\d.]+)(.*)", declared).groups()
    print(f"{name}=={version}{marker}")
