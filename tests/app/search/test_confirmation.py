"""The check of the first answers and the explanation of each: the figures are those of a plain count."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, SIZE, histograms, make
from tests.features.keypoints.test_geometric_check import painted
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.search.confirmation import (
    FROM_PARTS,
    Confirmation,
    ConfirmationCache,
    Confirmations,
    confirm,
    reordered,
)
from twinlens.app.search.explanation import colour_shares, explain
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import ResultPhotograph
from twinlens.app.search.searcher import Searcher, search
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.hashing.packed_codes import hamming
from twinlens.core.methods.lsh import Lsh
from twinlens.features.colour.colour_histogram import HsvHistogram
from twinlens.features.keypoints.geometric_check import (
    ACCEPTED,
    CANDIDATES_TO_CHECK,
    NOTHING,
    CandidateAgreement,
    CandidateCheck,
)
from twinlens.features.query.words_and_colours import Palette

COUNT = 12
CODES, CHECKED_EXACTLY = "Fused", "Fused, exactly"


def written(path: Path, rgb: UInt8Pixels) -> Path:
    Image.fromarray(np.ascontiguousarray(rgb)).save(path, quality=92)
    return path


@pytest.fixture(scope="module")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    for number in range(1, COUNT + 1):
        written(folder / f"{number:02}.jpg", painted(number))
    return folder


@pytest.fixture(scope="module")
def library(photographs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("library") / "library.twinlens", create=True) as opened:
        add(opened, [photographs], Adding(workers=1))
        create_index(opened, NewIndex(descriptor="fusion:first_weight=4", method="itq:bits=64", name=CODES), workers=1)
        create_index(
            opened, NewIndex(descriptor="fusion:first_weight=4", search="exact", name=CHECKED_EXACTLY), workers=1
        )
        yield opened


@pytest.fixture
def searcher(library: Library) -> Searcher:
    return Searcher(library)


def confirmed_names(hits: list[ResultPhotograph]) -> list[str]:
    return [Path(hit.path).stem for hit in hits if hit.check is not None and hit.check.confirmed]


def with_caption(rgb: UInt8Pixels) -> UInt8Pixels:
    captioned = rgb.copy()
    captioned[300:] = 255
    return captioned


EDITS: dict[str, tuple[Callable[[UInt8Pixels], UInt8Pixels], bool, bool]] = {
    "mirrored": (lambda rgb: rgb[:, ::-1], True, False),
    "inverted": (lambda rgb: 255 - rgb, False, True),
    "both": (lambda rgb: 255 - rgb[:, ::-1], True, True),
    "cropped": (lambda rgb: rgb[60:300, 100:400], False, False),
    "captioned": (with_caption, False, False),
}


@pytest.mark.parametrize("edit", ["both", "cropped"])
@pytest.mark.parametrize("index", [AUTOMATIC, CODES, CHECKED_EXACTLY])
def test_the_check_works_on_what_the_search_has_found(
    searcher: Searcher, photographs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: str, index: str
) -> None:
    rgb = np.asarray(Image.open(photographs / "05.jpg"))
    picture = written(tmp_path / "edited.jpg", EDITS[edit][0](rgb))
    whole = searcher.search(picture, index, SearchOptions(k=COUNT, check=True))
    (found,) = searcher.find(SearchQuery.of(picture), [index], SearchOptions(k=COUNT, check=True))
    assert len(found.result.hits) == COUNT
    assert all(hit.check is None for hit in found.result.hits)
    for name in ("twinlens.app.search.searcher.search_index", "twinlens.app.library.library.Library.look_up"):
        monkeypatch.setattr(name, None)  # the check ranks nothing again and looks nothing up
    checked = searcher.check(found)
    assert checked.hits == whole.hits
    assert confirmed_names(checked.hits) == ["05"]
    assert (checked.checked, checked.note) == (whole.checked, whole.note)


def test_a_search_that_wants_no_check_gets_none(searcher: Searcher, photographs: Path) -> None:
    (found,) = searcher.find(SearchQuery.of(photographs / "05.jpg"), [AUTOMATIC], SearchOptions(k=COUNT, check=False))
    assert len(found.candidates) == 0
    assert searcher.check(found) is found.result


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_copy_finds_its_photograph_and_says_what_it_is(searcher: Searcher, tmp_path: Path, edit: str) -> None:
    change, mirrored, inverted = EDITS[edit]
    copy = written(tmp_path / "copy.jpg", change(painted(5)))
    for index in (AUTOMATIC, CODES, CHECKED_EXACTLY):
        result = searcher.search(copy, index, SearchOptions(k=4))
        assert confirmed_names(result.hits) == ["05"], index
        check = result.hits[0].check
        assert check is not None
        assert (check.mirrored, check.inverted) == (mirrored, inverted), index
        assert check.score >= 4
        assert check.inliers >= 8
        assert result.checked == COUNT
        assert result.seconds.check > 0
        assert all(hit.check is not None for hit in result.hits)


def test_without_a_network_a_photograph_is_nearest_to_its_mirror_image_and_negative(
    searcher: Searcher, tmp_path: Path
) -> None:
    for edit in ("mirrored", "inverted", "both"):
        copy = written(tmp_path / f"{edit}.jpg", EDITS[edit][0](painted(7)))
        for index in (CODES, CHECKED_EXACTLY):
            result = searcher.search(copy, index, SearchOptions(k=2))
            assert Path(result.hits[0].path).stem == "07"
            assert result.hits[0].distance < result.hits[1].distance / 1.4


def test_without_a_check_a_question_is_asked_as_it_is(searcher: Searcher, tmp_path: Path) -> None:
    copy = written(tmp_path / "mirrored.jpg", EDITS["mirrored"][0](painted(7)))
    plain = searcher.search(copy, CHECKED_EXACTLY, SearchOptions(k=COUNT, check=False))
    checked = searcher.search(copy, CHECKED_EXACTLY, SearchOptions(k=COUNT))
    assert (plain.hits[0].check, plain.checked, plain.seconds.check) == (None, 0, 0)
    nearer = {hit.id: hit.distance for hit in checked.hits}
    assert all(nearer[hit.id] <= hit.distance for hit in plain.hits)
    assert any(nearer[hit.id] < hit.distance for hit in plain.hits)
    own = searcher.search(7, CHECKED_EXACTLY, SearchOptions(k=1, check=False))
    assert (own.hits[0].id, own.hits[0].distance, own.seconds.extract) == (7, 0, 0)  # its file was not even read


def test_a_photograph_that_asks_itself_stays_first(searcher: Searcher, library: Library, photographs: Path) -> None:
    for index in (AUTOMATIC, CODES, CHECKED_EXACTLY):
        for picture in (3, photographs / "03.jpg"):
            first = searcher.search(picture, index, SearchOptions(k=3)).hits[0]
            assert (first.id, first.query, first.distance) == (3, True, 0)


def test_what_is_pasted_is_found_by_the_parts(
    searcher: Searcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = painted(99)
    host[20:190, 10:237] = cv2.resize(painted(9), (227, 170), interpolation=cv2.INTER_AREA)
    collage = written(tmp_path / "collage.jpg", host)
    for index in (CODES, CHECKED_EXACTLY):
        with monkeypatch.context() as changed:
            changed.setattr(
                "twinlens.app.search.confirmation.CANDIDATES_TO_CHECK", 1
            )  # of the whole only the host's look-alike is checked
            changed.setattr("twinlens.app.search.confirmation.FROM_PARTS", 2)
            result = searcher.search(collage, index, SearchOptions(k=COUNT))
        assert confirmed_names(result.hits) == ["09"]
        assert result.hits[0].check is not None
        assert result.checked <= 3
        others = [hit.distance for hit in result.hits[1:]]
        assert others == sorted(others)  # the other part's candidate fell out again
        assert len({hit.id for hit in result.hits}) == COUNT


def test_only_confirmed_ones(searcher: Searcher, library: Library, tmp_path: Path) -> None:
    copy = written(tmp_path / "copy.jpg", EDITS["mirrored"][0](painted(2)))
    for index in (AUTOMATIC, "Colours"):  # colours are checked, too, where that is asked for
        result = searcher.search(copy, index, SearchOptions(confirmed_only=True))
        assert [Path(hit.path).stem for hit in result.hits] == ["02"]
    stranger = written(tmp_path / "stranger.jpg", painted(77))
    assert searcher.search(stranger, options=SearchOptions(confirmed_only=True)).hits == []
    with pytest.raises(TwinlensError, match="no check"):
        searcher.search(copy, options=SearchOptions(check=False, confirmed_only=True))
    blue = searcher.search(Palette.read("navy"), "Colours", SearchOptions(confirmed_only=True))
    assert (blue.hits, blue.checked) == ([], 0)
    assert "nothing to check" in str(blue.note)
    plain = search(library, [copy], ["Colours"], SearchOptions(k=3)).results[0]
    assert (plain.checked, {hit.check for hit in plain.hits}) == (0, {None})


def test_a_part_is_checked_by_its_own_keypoints(searcher: Searcher, photographs: Path, tmp_path: Path) -> None:
    beside = np.concatenate([painted(6), painted(88)], axis=1)
    both = written(tmp_path / "both.jpg", beside)
    left, right = (SearchQuery((Example(both, region=(start, 0, start + 0.5, 1)),)) for start in (0.0, 0.5))
    assert confirmed_names(searcher.search(left, AUTOMATIC).hits) == ["06"]
    assert confirmed_names(searcher.search(right, AUTOMATIC).hits) == []


def test_of_several_examples_the_best_counts_and_none_that_is_not_wanted(searcher: Searcher, tmp_path: Path) -> None:
    one, other = (written(tmp_path / f"{n}.jpg", EDITS["cropped"][0](painted(n))) for n in (4, 8))
    liked = searcher.search(SearchQuery((Example(one), Example(other, 0.2))), AUTOMATIC, SearchOptions(k=COUNT))
    assert sorted(confirmed_names(liked.hits)) == ["04", "08"]
    unwanted = searcher.search(SearchQuery((Example(one), Example(other, -1))), AUTOMATIC, SearchOptions(k=COUNT))
    assert confirmed_names(unwanted.hits) == ["04"]


def test_overlap_and_what_was_missed_are_of_the_order_before_the_check(searcher: Searcher, tmp_path: Path) -> None:
    host = painted(99)
    host[20:190, 10:237] = cv2.resize(painted(9), (227, 170), interpolation=cv2.INTER_AREA)
    collage = written(tmp_path / "collage.jpg", host)
    plain = searcher.search(collage, CODES, SearchOptions(k=2, compare_exact=True, check=False))
    checked = searcher.search(collage, CODES, SearchOptions(k=2, compare_exact=True))
    assert confirmed_names(checked.hits) == ["09"]
    assert (checked.overlap, checked.missed) == (plain.overlap, plain.missed) == (1.0, [])
    assert checked.looked_at == plain.looked_at


def test_nothing_is_checked_twice(searcher: Searcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = written(tmp_path / "copy.jpg", EDITS["captioned"][0](painted(5)))
    first = searcher.search(copy, AUTOMATIC)
    monkeypatch.setattr(CandidateCheck, "of", lambda *_: pytest.fail("it was compared again"))
    again = searcher.search(copy, AUTOMATIC)
    assert again.hits == first.hits
    assert (again.seconds.extract, again.checked) == (0, COUNT)
    assert explain(searcher, SearchQuery.of(copy), AUTOMATIC, again.hits[0].id).match is not None


def test_the_check_can_be_stopped_and_its_time_is_bounded(
    searcher: Searcher, photographs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: float, __: float, text: object) -> None:
        if str(text).startswith("Comparing the first"):
            raise Cancelled

    with pytest.raises(Cancelled):
        searcher.search(4, AUTOMATIC, progress=stop)
    with searcher.moment() as moment:
        loaded = searcher.index(moment, AUTOMATIC)
        described = searcher.describe(moment, SearchQuery.of(4), [loaded], keypoints=True)
        hurried = confirm(moment.r, described, [1, 2, 4], ConfirmationCache(seconds=0.0))
        patient = confirm(moment.r, described, [1, 2, 4], ConfirmationCache(seconds=math.inf))
    assert (list(hurried.found), hurried.left, hurried.lacking) == ([1], 2, 0)
    assert list(patient.found) == [1, 2, 4]


def test_a_library_that_keeps_no_keypoints_answers_and_says_what_to_do(photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        add(library, [photographs], Adding(workers=1))
        with library.store.writing() as w:
            w.keypoints.put(range(1, COUNT + 1), 0, [b""] * COUNT)  # of a version before
        result = search(library, [1], options=SearchOptions(k=3)).results[0]
        assert (result.checked, result.hits[0].id, result.hits[0].check) == (0, 1, None)
        assert "12 photos could not be checked yet" in str(result.note)


def test_a_photograph_whose_file_is_away_is_asked_as_it_is_kept(
    library: Library, searcher: Searcher, photographs: Path
) -> None:
    there = searcher.search(11, CODES, SearchOptions(k=COUNT))
    file = photographs / "11.jpg"
    status = file.stat()
    contents = file.read_bytes()
    try:
        file.unlink()
        away = Searcher(library).search(11, CODES, SearchOptions(k=COUNT))
        file.write_bytes(contents + b" ")  # changed since it was read
        changed = Searcher(library).search(11, CODES, SearchOptions(k=COUNT))
        file.write_bytes(contents[:99].ljust(len(contents), b"?"))  # broken, and that does not show
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        broken = Searcher(library).search(11, CODES, SearchOptions(k=COUNT))
    finally:
        file.write_bytes(contents)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert there.scanned == 4 * COUNT
    for result in (away, changed, broken):
        assert result.scanned == COUNT
        assert result.seconds.extract == 0
        assert confirmed_names(result.hits)[0] == "11"  # by the keypoints that are kept
        assert all(one.distance >= two.distance for one, two in zip(
            sorted(result.hits, key=lambda hit: hit.id), sorted(there.hits, key=lambda hit: hit.id), strict=True
        ))  # fmt: skip


@pytest.mark.parametrize("edit", ["mirrored", "cropped", "both"])
def test_lines_join_the_same_places(searcher: Searcher, tmp_path: Path, edit: str) -> None:
    change, mirrored, inverted = EDITS[edit]
    copy = written(tmp_path / "copy.jpg", change(painted(5)))
    told = explain(searcher, SearchQuery((Example(2, -1.0), Example(8), Example(copy))), AUTOMATIC, 5)
    match = told.match
    assert match is not None
    assert (match.example, match.mirrored, match.inverted) == (2, mirrored, inverted)
    assert len(match.query) == len(match.result) == match.inliers > 8
    expected = match.query * (300 / 480, 240 / 360) + (100 / 480, 60 / 360) if edit == "cropped" else match.query
    if mirrored:
        expected = np.column_stack((1 - expected[:, 0], expected[:, 1]))
    np.testing.assert_allclose(match.result, expected, atol=0.03)
    assert explain(searcher, SearchQuery.of(copy), AUTOMATIC, 6).match is None
    assert explain(searcher, SearchQuery.of(copy), AUTOMATIC, 5, check=False).match is None
    assert explain(searcher, SearchQuery.of(copy), "Colours", 5).match is None
    assert explain(searcher, SearchQuery.of(copy), "Colours", 5, check=True).match is not None


COPY = CandidateAgreement(replace(NOTHING, score=ACCEPTED, copied=True))
ids = st.lists(st.integers(1, 90), unique=True, max_size=80)


@given(ranked=ids, extra=ids, data=st.data())
def test_the_new_order(ranked: list[int], extra: list[int], data: st.DataObject) -> None:
    checked = list(dict.fromkeys([*ranked[:CANDIDATES_TO_CHECK], *extra[:FROM_PARTS]]))
    first = data.draw(st.lists(st.sampled_from(checked), unique=True)) if checked else []
    asked = set(data.draw(st.lists(st.sampled_from(checked), unique=True, max_size=2))) if checked else set()
    copies = set(data.draw(st.lists(st.sampled_from(first), unique=True))) if first else set()
    found = {one: Confirmation(0, COPY if one in copies else CandidateAgreement(NOTHING)) for one in checked}
    confirmed = Confirmations(found, tuple(first))
    order = reordered(np.array(ranked, np.int64), confirmed, asked, False).tolist()
    assert sorted(order) == sorted({*ranked, *first})
    rest = [one for one in order if one not in first and one not in asked]
    assert rest == [one for one in ranked if one in rest]
    if not first:
        assert order == ranked
    else:
        among = [one for one in ranked[:CANDIDATES_TO_CHECK] if one in asked]
        assert order[: len(among)] == among
        assert [one for one in order if one in first and one not in among] == [one for one in first if one not in among]
    only = reordered(np.array(ranked, np.int64), confirmed, asked, True).tolist()
    assert only == [one for one in order if one in copies]


WAVES = ("Waves", "colour:levels=1", "sik:bits=4096,kernel=laplacian(gamma=0.5)", "scan:candidates=50")
EXPLAINED = 80
VECTORS = histograms(EXPLAINED)


@pytest.fixture(scope="module")
def explaining(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    path = tmp_path_factory.mktemp("library") / "made.twinlens"
    with make(path, VECTORS, (FEW_BITS, LEARNED, EXACTLY, WAVES)) as library:
        yield Searcher(library)


def stored_codes(searcher: Searcher, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    library: Library = searcher._library
    with library.store.reading() as r:
        row = r.indexes.by_name(name)
        assert row is not None
        return r.codes.load(row.id).codes


@given(
    examples=st.lists(st.tuples(st.integers(1, EXPLAINED), st.sampled_from([-1.0, 0.5, 1.0])), min_size=1, max_size=3),
    name=st.sampled_from(["Few bits", "Learned", "Exactly"]),
)
@settings(max_examples=25)
def test_the_figures_are_those_of_the_answer(
    explaining: Searcher, examples: list[tuple[int, float]], name: str
) -> None:
    question = SearchQuery((Example(4), *(Example(*example) for example in examples)))
    result = explaining.search(question, name, SearchOptions(k=EXPLAINED, exact=True))
    for hit in result.hits[::20]:
        explanation = explain(explaining, question, name, hit.id)
        assert explanation.distance == pytest.approx(hit.distance, abs=1e-6)
        assert explanation.similarity == pytest.approx(hit.similarity, abs=1e-6)
        assert explanation.measure == result.measure
        assert question.examples[explanation.example].weight > 0


@pytest.mark.parametrize(("name", "bits", "known"), [("Few bits", 24, True), ("Learned", 40, False)])
def test_the_bits_are_those_of_the_codes(explaining: Searcher, name: str, bits: int, known: bool) -> None:
    codes = stored_codes(explaining, name)
    for one, other in ((1, 1), (1, 2), (7, 60)):
        code = explain(explaining, SearchQuery.of(one), name, other).code
        assert code is not None
        assert code.bits == len(code.differ) == bits
        assert code.hamming == sum(code.differ) == int(hamming(codes[one - 1], codes[other - 1]))
        plain = [bool((codes[one - 1, i // 8] ^ codes[other - 1, i // 8]) >> i % 8 & 1) for i in range(bits)]
        assert code.differ == plain
        assert code.sentence
        assert str(code.estimate_of) == ("cosine" if known else "")
        assert code.estimate == (pytest.approx(math.cos(math.pi * code.hamming / bits)) if known else None)


def test_the_bits_of_waves_estimate_their_kernel(explaining: Searcher) -> None:
    for other in (1, 2, 60):
        code = explain(explaining, SearchQuery.of(1), "Waves", other).code
        assert code is not None
        assert str(code.estimate_of) == "laplacian kernel"
        assert "laplacian kernel" in str(code.sentence)
        expected = math.exp(-0.5 * np.abs(VECTORS[0] - VECTORS[other - 1]).sum())
        assert code.estimate == pytest.approx(expected, abs=0.06)


def test_the_estimate_comes_near_the_cosine() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((40, 16))
    encoder = Lsh(bits=16_384).fit(x)
    codes = encoder.encode(x)
    centred = x - x.mean(axis=0)
    for i in range(39):
        cosine = centred[i] @ centred[i + 1] / np.linalg.norm(centred[i]) / np.linalg.norm(centred[i + 1])
        share = int(hamming(codes[i], codes[i + 1])) / 16_384
        assert Lsh().estimate(share) == pytest.approx(cosine, abs=0.06)


def test_an_index_without_codes_has_no_bits(explaining: Searcher) -> None:
    assert explain(explaining, SearchQuery.of(1), "Exactly", 2).code is None


def test_the_example_that_the_photograph_is_like_is_compared(explaining: Searcher) -> None:
    question = SearchQuery((Example(20, -1.0), Example(30), Example(40)))
    explanation = explain(explaining, question, "Few bits", 40)
    assert explanation.example == 2
    assert explanation.code is not None
    assert explanation.code.hamming == 0
    assert explanation.overlap == pytest.approx(1)


def test_a_photograph_that_the_index_does_not_know_is_a_sentence(explaining: Searcher) -> None:
    with pytest.raises(TwinlensError, match="number 4711"):
        explain(explaining, SearchQuery.of(1), "Few bits", 4711)


@given(st.integers(0, EXPLAINED - 1), st.integers(0, EXPLAINED - 1), st.integers(1, 3))
def test_colours_are_shares_of_the_whole_picture(one: int, other: int, levels: int) -> None:
    declared = HsvHistogram(levels=levels)
    padding = np.full(declared.dimensions - SIZE, 0.25, np.float32)
    query, hit = (np.concatenate([VECTORS[i] / levels, padding]).astype(np.float32) for i in (one, other))
    colours = colour_shares(declared, query, hit)
    assert sum(colour.query for colour in colours) == pytest.approx(1)
    assert sum(colour.result for colour in colours) == pytest.approx(1)
    overlap = sum(min(colour.query, colour.result) for colour in colours)
    assert overlap == pytest.approx(sum(min(a, b) for a, b in zip(VECTORS[one], VECTORS[other], strict=True)), abs=1e-5)
    assert all(len(colour.rgb) == 7 and int(colour.rgb[1:], 16) >= 0 for colour in colours)


def test_where_nothing_is_visible_there_is_no_colour() -> None:
    nothing = np.zeros(SIZE, np.float32)
    assert colour_shares(HsvHistogram(levels=1), nothing, nothing) == []
    assert {colour.query for colour in colour_shares(HsvHistogram(levels=1), nothing, VECTORS[0])} == {0.0}
