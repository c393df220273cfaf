"""What results, comparisons and analyses share: how they are printed and taken elsewhere.

This is the one late door from results to reports, which know them: `corefmeter.reports.handed` is
imported when a method is called, and never by importing a result. The contract test ``layers``
names the door.
"""

from __future__ import annotations

from typing import Any

from corefmeter.problems import spelt


class Shown:
    """Something of which there is a report; ``print`` shows it as the program does."""

    __slots__ = ()

    def __str__(self) -> str:
        from corefmeter.reports.handed import text_of

        return text_of(self, "text")

    def _repr_html_(self) -> str:
        from corefmeter.reports.handed import html_of

        return html_of(self)

    @spelt()
    def to_latex(self, digits: int = 2) -> str:
        """The tables in LaTeX (with booktabs), as the program's ``-f latex``.

        Parameters
        ----------
        digits
            Decimals of scores in percent.

        Examples
        --------
        >>> import corefmeter
        >>> result = corefmeter.score([["a", "b"]], [["a", "b"]], metrics=["muc"])
        >>> print(result.to_latex(digits=1).splitlines()[8])
        MUC & 100.0 & 100.0 & 100.0 \\\\
        """
        from corefmeter.reports.handed import text_of

        return text_of(self, "latex", digits)

    @spelt()
    def to_markdown(self, digits: int = 2) -> str:
        """The tables in Markdown, as the program's ``-f markdown``.

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
        from corefmeter.reports.handed import text_of

        return text_of(self, "markdown", digits)

    @spelt()
    def to_frame(self) -> Any:
        """The rows of the program's ``-f csv``, unrounded, as a data frame.

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
        from corefmeter.reports.handed import frame_of

        return frame_of(self)
