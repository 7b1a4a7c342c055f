"""Table III of Bodó and Csató, 2012, as it is printed."""

from __future__ import annotations

from science.papers.result import MeanFigure

RUNS = 10

REPORTED_WAYS = {"ineq": "exact, bound (2)", "klsh": "kLSH", "preimage-klsh": "kLSHp"}
"""What Table III compares, and what it is called there."""

REPORTED: dict[str, dict[str, dict[str, MeanFigure]]] = {
    paper: {
        way: {
            "compared": MeanFigure(compared / 100, off / 100, RUNS),
            "accuracy": MeanFigure(right / 100, spread / 100, RUNS),
        }
        for way, (compared, off, right, spread) in zip(REPORTED_WAYS, rows, strict=True)
    }
    for paper, rows in {
        "Optdigits": ((81.5, 0.17, 97.87, 0.02), (4.12, 0.23, 93.18, 0.63), (5.26, 0.88, 94.64, 0.45)),
        "DNA": ((99.75, 0.04, 78.47, 0.24), (3.24, 0.03, 66.48, 1.37), (3.33, 0.09, 67.04, 1.3)),
        "Adult": ((100, 0, 82.03, 0.17), (3.98, 0.21, 79.71, 0.41), (3.92, 0.4, 79.91, 0.42)),
        "Forest Covertype": ((41.64, 0, 94.76, 0.01), (8.93, 10.12, 95.43, 0.06), (4.67, 3.09, 95.35, 0.05)),
        "Poker Hand": ((52.34, 0, 61.14, 0.07), (0.89, 0.22, 60.38, 0.34), (0.97, 0.2, 60.07, 0.38)),
    }.items()
}
"""Of Table III: the shares that are compared and right, over the paper's 10 runs; its deviations of 1e-6 are 0 here."""

SECONDS: dict[str, dict[str, tuple[float, float]]] = {
    paper: dict(zip(REPORTED_WAYS, rows, strict=True))
    for paper, rows in {
        "Optdigits": ((1.09, 0.004), (0.17, 0.005), (0.08, 0.01)),
        "DNA": ((1.12, 0.004), (0.21, 0.004), (0.045, 0.005)),
        "Adult": ((24.96, 0.01), (5.89, 0.05), (1.23, 0.1)),
        "Forest Covertype": ((4509.95, 3.25), (1979.67, 1987.6), (1081.7, 687.48)),
        "Poker Hand": ((1323.29, 0.65), (94.13, 22.52), (101.87, 20.57)),
    }.items()
}
"""To label all that are asked, and the deviation, in seconds."""


def sooner(way: str, than: str) -> dict[str, float]:
    """Say of each set how many times as fast one way is as another.

    Examples
    --------
    >>> {name: round(times, 1) for name, times in sooner("preimage-klsh", "klsh").items()}
    {'Optdigits': 2.1, 'DNA': 4.7, 'Adult': 4.8, 'Forest Covertype': 1.8, 'Poker Hand': 0.9}
    """
    return {name: times[than][0] / times[way][0] for name, times in SECONDS.items()}
