"""Numbers as the page writes them."""

from __future__ import annotations

from science.papers.busy import QUIET
from science.papers.result import MeanFigure, Result


def percent(share: float, digits: int = 1) -> str:
    """Write a share.

    Examples
    --------
    >>> percent(0.0412), percent(1)
    ('4.1 %', '100.0 %')
    """
    return f"{100 * share:.{digits}f} %"


def plus_minus(figure: MeanFigure, digits: int = 3) -> str:
    """Write a mean with the deviation of single runs, where there are several.

    Examples
    --------
    >>> plus_minus(Figure(0.5, 0.0123, 3)), plus_minus(Figure(0.5))
    ('0.500 ± 0.012', '0.500')
    """
    return f"{figure.mean:.{digits}f}" + (f" ± {figure.deviation:.{digits}f}" if figure.runs > 1 else "")


def seconds(value: float) -> str:
    """Write a time in the unit that suits it.

    Examples
    --------
    >>> seconds(12.34), seconds(0.0021), seconds(0.0000412)
    ('12.3 s', '2.1 ms', '41 µs')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= size or unit == "µs":
            number = value / size
            return f"{number:,.0f} {unit}" if number >= 20 else f"{number:.3g} {unit}"
    raise AssertionError


def megabytes(value: float) -> str:
    """Write a number of bytes.

    Examples
    --------
    >>> megabytes(1.6e9), megabytes(82_000)
    ('1,600 MB', '0.082 MB')
    """
    number = value / 1e6
    return f"{number:,.0f} MB" if number >= 20 else f"{number:.2g} MB"


def load(*results: Result) -> str:
    """Say how busy the machine was with other programs while times were taken; empty where it was quiet.

    Examples
    --------
    >>> load(Result("x", (), "", {}, others=1.234), Result("y", (), "", {}))
    'While this was measured, other programs used 1.2 cores.'
    """
    others = max(result.others for result in results)
    return f"While this was measured, other programs used {others:.1f} cores." if others > QUIET else ""
