"""Printing and exporting of results, comparisons and analyses.

Results do not import reports. The package registers the module that renders them,
`Shown.renderer`, which is imported when a method is called.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

from corefmeter.problems import reject_unknown_keywords


class Shown:
    """A value with a report; ``print`` shows it as the program does."""

    __slots__ = ()

    #: The name of the module that renders results; set by the package.
    renderer: ClassVar[str]

    def __str__(self) -> str:
        return str(rendered(self, "text_of", "text"))

    def _repr_html_(self) -> str:
        return str(rendered(self, "html_of"))

    @reject_unknown_keywords()
    def to_latex(self, digits: int = 2) -> str:
        """Return the tables in LaTeX (with booktabs), as the program's ``-f latex``.

        Parameters
        ----------
        digits
            Decimals of scores in percent.

        Examples
        --------
        >>> import corefmeter
        >>> result = corefmeter.score([["a", "b"]], [["a", "b"]], metrics=["muc"])
        >>> print(result.to_latex(digits=1).splitlines()[10])
        response & 100.0 & 100.0 & 100.0 \\\\
        """
        return str(rendered(self, "text_of", "latex", digits))

    @reject_unknown_keywords()
    def to_markdown(self, digits: int = 2) -> str:
        """Return the tables in Markdown, as the program's ``-f markdown``.

        Parameters
        ----------
        digits
            Decimals of scores in percent.

        Examples
        --------
        >>> import corefmeter
        >>> result = corefmeter.score([["a", "b"]], [["a", "b"]], metrics=["muc"])
        >>> print(result.to_markdown().splitlines()[2])
        | MUC | 100.00 | 100.00 | 100.00 |
        """
        return str(rendered(self, "text_of", "markdown", digits))

    @reject_unknown_keywords()
    def to_frame(self) -> Any:
        """Return the rows of the program's ``-f csv``, unrounded, as a data frame.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            The one that is installed; of both, Polars only if it is imported already and pandas is
            not.

        Raises
        ------
        OptionError
            When neither is installed.
        """
        return rendered(self, "frame_of")


def rendered(value: Shown, function: str, *arguments: Any, **options: Any) -> Any:
    """Call a function of the renderer with a result."""
    return getattr(import_module(Shown.renderer), function)(value, *arguments, **options)
