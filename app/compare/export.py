"""Export of a comparison: a table with a row for each photograph and column, or everything as JSON."""

from __future__ import annotations

from pathlib import Path

from app.compare.results import CompareResult
from app.machine.csv_table import Table
from app.search.results import Hit, Missed
from core.errors import TwinlensError
from core.message import Message

_HEADING = (
    "column", "text", "reference", "overlap", "rank", "true_rank", "missed", "similarity", "hamming", "bits",
    "estimate", "code_rank", "id", "path", "filters",
)  # fmt: skip


def write_comparison(result: CompareResult, file: Path) -> int:
    """Write a comparison as a table, or as JSON if the name ends in .json; return the number of bytes.

    Raises
    ------
    TwinlensError
        If it cannot be written.
    """
    try:
        if file.suffix.lower() == ".json":
            file.write_text(result.model_dump_json(indent=2) + "\n", "utf-8")
        else:
            with file.open("w", newline="", encoding="utf-8") as out:
                writer = Table(out)
                writer.writerow(_HEADING)
                writer.writerows(_rows(result))
    except OSError as error:
        raise TwinlensError(
            Message("Twinlens could not write {file}: {strerror}.", file=file, strerror=error.strerror),
            Message("Choose another place."),
        ) from None
    return file.stat().st_size


def _rows(result: CompareResult) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    narrowed = "; ".join(f"{name}={value}" for name, value in result.filters.items())
    for one in result.columns:
        standing = {each.id: each for each in one.standings}
        photographs: list[Hit | Missed] = [*one.answer.hits, *one.missed]
        for photograph in photographs:
            known = standing.get(photograph.id)
            where = (None,) * 5 if known is None else (
                known.rank, known.true_rank, known.hamming, known.estimate, known.code_rank
            )  # fmt: skip
            rank, true, hamming, estimate, code = where
            lost = rank is None and known is not None
            rows.append(
                (one.name, one.text, one.reference, one.overlap, rank, true, int(lost), photograph.similarity, hamming,
                 one.bits, estimate, code, photograph.id, photograph.path, narrowed)
            )  # fmt: skip
    return rows
