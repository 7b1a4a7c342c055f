"""What ``twinlens search`` prints: a mark on what shows the same, in words where it is not as it was asked."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from app.cli.search import print_result
from app.search.search_results import GeometricCheck, ResultPhotograph, SearchResult, SearchSeconds, SimilarityLevels


def hit(number: int, check: GeometricCheck | None) -> ResultPhotograph:
    return ResultPhotograph(path=f"/photographs/{number}.jpg", id=number, distance=0.5, similarity=0.9, check=check)


def found(confirmed: bool, mirrored: bool = False, inverted: bool = False) -> GeometricCheck:
    return GeometricCheck(confirmed=confirmed, score=9.0, inliers=30, mirrored=mirrored, inverted=inverted)


def printed(
    hits: list[ResultPhotograph], checked: int, likeness: SimilarityLevels | None = None, numbers: bool = True
) -> list[str]:
    result = SearchResult(
        query="/asked.jpg",
        index="Automatic",
        text="compact-vlad",
        measure="linear",
        exact=False,
        hits=hits,
        seconds=SearchSeconds(extract=0.01, encode=0.001, scan=0.001, rerank=0.002, check=0.034, total=0.05),
        looked_at=3,
        scanned=3,
        of=3,
        checked=checked,
        likeness=likeness,
    )
    out = io.StringIO()
    print_result(Console(file=out, width=120), result, numbers)
    return out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (found(True), "✓ same picture"),
        (found(True, mirrored=True), "✓ same picture, mirrored"),
        (found(True, inverted=True), "✓ same picture, in negative"),
        (found(True, mirrored=True, inverted=True), "✓ same picture, mirrored, in negative"),
        (found(False, mirrored=True), ""),
        (None, ""),
    ],
)
def test_a_hit_that_shows_the_same_is_marked(check: GeometricCheck | None, words: str) -> None:
    lines = printed([hit(1, check), hit(2, None)], checked=1)
    (row,) = [line for line in lines if "/photographs/1.jpg" in line]
    assert " ".join(row.split()) == " ".join(f"1 {words} /photographs/1.jpg 0.900 0.500".split())
    assert any(line.split() == ["rank", "how", "alike", "photo", "similarity", "distance"] for line in lines)
    assert any("checked 1 in 34.0" in line for line in lines)


def test_without_a_check_there_is_no_column_for_it() -> None:
    lines = printed([hit(1, None)], checked=0)
    assert any(line.split() == ["rank", "photo", "similarity", "distance"] for line in lines)
    assert not any("checked" in line for line in lines)


def test_a_line_stands_above_what_is_less_similar() -> None:
    hits = [hit(number, None).model_copy(update={"similarity": 0.5 - 0.1 * number}) for number in (1, 2, 3)]
    rows = [" ".join(line.split()) for line in printed(hits, 0, SimilarityLevels(very_similar=0.4, similar=0.25))]
    start = next(place for place, row in enumerate(rows) if row.startswith("1 very similar /photographs/1.jpg"))
    assert rows[start + 1].startswith("2 similar /photographs/2.jpg")
    assert rows[start + 2] == "— the rest is less similar —"
    assert rows[start + 3].startswith("3 /photographs/3.jpg")


def test_numbers_are_shown_when_asked_for_only() -> None:
    limits = SimilarityLevels(very_similar=0.4, similar=0.25)
    lines = printed([hit(1, found(True))], 1, limits, numbers=False)
    assert any(line.split() == ["rank", "how", "alike", "photo"] for line in lines)
    assert not any(word in line for line in lines for word in ("0.900", "0.500", "compact-vlad", "checked"))
    assert any(line.split() == ["rank", "photo", "similarity"] for line in printed([hit(1, None)], 0, None, False))


def test_a_stack_is_one_row_and_opens_with_the_numbers() -> None:
    hits = [hit(number, None).model_copy(update={"stack": 1 if number < 4 else None}) for number in (1, 2, 3, 4)]
    rows = [line.split() for line in printed(hits, 0, None, numbers=False) if "/photographs/" in line]
    assert [row[0] for row in rows] == ["1", "4"]
    assert rows[0][1:] == ["/photographs/1.jpg", "(and", "2", "more", "of", "this", "series)", "0.900"]
    assert len([line for line in printed(hits, 0) if "/photographs/" in line]) == 4
