"""Settings of an evaluation: which indexes are judged, by which right results, and with which photographs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class EvaluationSettings(Request):
    """A request for an evaluation.

    Attributes
    ----------
    indexes : tuple of str
        Names; empty, without descriptors too, for all that can answer.
    descriptors : tuple of str
        Text forms: each is measured exactly, without codes, by the vectors of an index of it.
    photographs : int
        How many are drawn; 0 for what is usual with the truth.
    edits : tuple of str
        Names; empty for all of `twinlens.features.pictures.edits.EDITS`.
    check : bool, optional
        Whether results are checked geometrically; None as a search does.
    folder : Path, optional
        Draw from what lies in it; found may be everything.
    """

    key = "evaluate"

    truth: Literal["edits", "folders", "concepts", "marks", "exact"] = parameter(
        "edits",
        help="Right results: originals of edited copies, others in the same folder, those that surely show the same "
        "thing, those that you marked similar, or what exact search finds.",
    )
    indexes: tuple[str, ...] = parameter((), option="--index", metavar="NAME", help="Index to measure. Default: all.")
    descriptors: tuple[str, ...] = parameter(
        (),
        option="--descriptor",
        metavar="TEXT",
        help="Measure exact search by the vectors of this descriptor.",
    )
    photographs: int = parameter(
        0,
        ge=1,
        le=100_000,
        help="Number of query photos.  [default: 20 to edit, 200 of folders, concepts or marks, 100 of exact]",
    )
    folder: Path | None = parameter(None, metavar="FOLDER", help="Draw only from this folder.")
    edits: tuple[str, ...] = parameter(
        (), metavar="NAME,...", separated=True, help="Only these edits, such as 'crop 50 %,mirror'."
    )
    further: bool = parameter(False, help="Harder edits too, which are not in the mean.")
    check: bool | None = parameter(
        None, help="Check the first results point by point, or not.  [default: as in a search]"
    )
    seed: int = parameter(0, ge=0, help="Seed of the draw and of the edits.")
