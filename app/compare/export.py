"""Export of a comparison: a table with a row for each photograph and column, or everything as JSON."""

from __future__ import annotations

from app.compare.results import CompareResult
from app.machine.csv_table import CsvTable
from app.machine.output_file import DOCUMENT, OutputFile, document, table
from app.search.results import MissedPhotograph, ResultPhotograph

_HEADING = (
    "column", "text", "reference", "overlap", "rank", "true_rank", "missed", "similarity", "hamming", "bits",
    "estimate", "code_rank", "id", "path", "filters",
)  # fmt: skip
_TABLE = table(_HEADING)


def write_comparison(result: CompareResult, file: OutputFile) -> None:
    """Write a comparison as a table, or as JSON if the name ends in .json.

    Raises
    ------
    TwinlensError
        If it cannot be written, or must not be replaced.
    """
    if file.ending == ".json":
        file.write(document(result), DOCUMENT)
        return
    with file.opened_text(_TABLE) as out:
        writer = CsvTable(out)
        writer.writerow(_HEADING)
        writer.writerows(_rows(result))


def _rows(result: CompareResult) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    narrowed = "; ".join(f"{name}={value}" for name, value in result.filters.items())
    for one in result.columns:
        standing = {each.id: each for each in one.standings}
        photographs: list[ResultPhotograph | MissedPhotograph] = [*one.answer.hits, *one.missed]
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
