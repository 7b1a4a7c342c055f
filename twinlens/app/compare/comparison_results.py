"""Results of ``compare``: one query in several indexes, with the photographs that each found and missed.

They are exported as a table with a row for each photograph and column, or as JSON.
"""

from __future__ import annotations

from pydantic import Field

from twinlens.app.machine.output_file import DOCUMENT, CsvTable, OutputFile, document, table
from twinlens.app.results import Result
from twinlens.app.search.search_results import MissedPhotograph, ResultPhotograph, SearchResult
from twinlens.core.message import Message, counted, joined


class ColumnStanding(Result):
    """Ranks of one photograph in one column."""

    id: int
    rank: int | None = Field(description="among the hits, from 1; None where it was not found")
    agrees: bool = Field(description="it is of the exact first k of the reference")
    true_rank: int | None = Field(description="in the exact answer of the reference; None where that does not know it")
    similarity: float | None = Field(description="by the column's own measure; None where it does not know it")
    hamming: int | None = Field(description="bits in which its code differs from what was asked; None without codes")
    estimate: float | None = Field(description="what that many differing bits estimate; None where they do nothing")
    code_rank: int | None = Field(description="its place by (differing bits, id) among all that may be found")


class ColumnBytes(Result):
    """Bytes that a column keeps."""

    model: int = Field(description="of what was learned")
    codes: int
    search: int = Field(description="what the search structure keeps beside the codes")
    per_photograph: int = Field(description="of a code; of a vector where there are no codes")


class ComparedColumn(Result):
    """One index, or one with changed parameters that was made for this comparison alone."""

    name: str
    title: Message = Field(description="the name in words of a language", exclude=True)
    index: str = Field(description="the library's index that it is, or whose vectors it uses")
    changed: bool = Field(description="made for this comparison: the library does not keep it")
    text: str = Field(description="descriptor · metric · method · search, in text form; the metric where it has one")
    descriptor: str
    metric: str = Field(description="by which it measures: a name, or what is fitted with it; empty for none")
    method: str = Field(description="empty where nothing is hashed")
    search: str
    bits: int | None
    fitted_on: int | None = Field(description="photographs it was fitted on; None: it answers exactly")
    build_seconds: float | None = Field(description="that making it took, where it was made for this comparison")
    bytes: ColumnBytes
    answer: SearchResult = Field(description="as search --compare-exact gives it")
    passing: int = Field(description="photographs that may be found")
    reference: str = Field(description="the column whose exact answer this one is held against")
    overlap: float | None = Field(description="share of the exact first k of the reference among the hits")
    agreeing: int | None = Field(description="how many those are")
    missed: list[MissedPhotograph] = Field(description="of the exact first k of the reference")
    estimate_of: Message = Field(description="what the differing bits estimate; empty where nothing")
    bits_tell: Message = Field(description="the meaning of differing bits")
    standings: list[ColumnStanding] = Field(description="of all photographs that a column found or missed, by id")

    def sentence(self) -> Message:
        """Return how many photographs were compared on the way to the result, and how many were missed."""
        answer = self.answer
        steps = [Message("looked at {looked_at} of {passing}", looked_at=answer.looked_at, passing=self.passing)]
        if self.passing < answer.of:
            steps = [
                Message(
                    "looked at {looked_at} of {passing} that pass the filters, of {of} in all",
                    looked_at=answer.looked_at,
                    passing=self.passing,
                    of=answer.of,
                )
            ]
        if answer.scanned:
            steps.append(counted("compared {count} code", "compared {count} codes", answer.scanned))
        if answer.probed:
            steps.append(counted("visited {count} bucket or list", "visited {count} buckets or lists", answer.probed))
        if self.agreeing is not None:
            lost = len(self.missed)
            first = self.agreeing + lost
            steps.append(
                Message("missed {lost} of the true first {first}", lost=lost, first=first)
                if lost
                else Message("missed none")
            )
        return joined(steps, ", ")


class CompareResult(Result):
    """Result of ``compare``."""

    query: Message
    k: int
    reference: str | None = Field(description="the column whose exact answer all are held against; None: each its own")
    filters: dict[str, str] = Field(
        default_factory=dict,
        description="what the answers are narrowed down to, by the options of search; empty for none",
    )
    columns: list[ComparedColumn]


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
