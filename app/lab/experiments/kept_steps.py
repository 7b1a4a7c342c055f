"""Steps of the runs of the Lab, which a library keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.bench.cached_steps import CachedSteps
from app.bench.step_rows import measured_of, row_of
from app.library.library import Library
from core.evaluation.steps import MeasuredStep


class LibrarySteps:
    """The steps of runs, in the library. Those that the cache has of other measurements are taken over.

    Parameters
    ----------
    library : Library
    """

    def __init__(self, library: Library) -> None:
        self._library = library

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return those of some steps that were measured."""
        with self._library.store.reading() as r:
            found = {key: measured_of(row) for key, row in r.lab.steps(keys).items()}
        for key, one in CachedSteps.of(self._library).kept([key for key in keys if key not in found]).items():
            self.keep(one)
            found[key] = one
        return found

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step."""
        with self._library.store.writing("keeping a step of the Lab") as w:
            w.lab.put(row_of(one))
