"""The map of a library: alike beside alike, made once, grown, and held by a few groups."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.app.folders import added, write_scenes
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.map import layout as map_cache
from twinlens.app.map.colourings import cluster_names, group_names, map_facts, moment, similarities_to
from twinlens.app.map.layout import library_map, map_summary, ready_map
from twinlens.app.map.map_export import MapPicture, draw_map, write_map_table
from twinlens.app.map.map_groups import MOST, MapGroups, _joined, map_groups
from twinlens.app.map.map_results import MapFacts, MapResult
from twinlens.app.map.map_settings import MapSettings
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.core.errors import Cancelled, TwinlensError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mapped")
    write_scenes(folder / "sea", 6)
    write_scenes(folder / "hills", 6, first=6)
    Image.new("RGB", (80, 60), "black").save(folder / "hills" / "black.png")
    added(folder / "library.twinlens", folder / "sea", folder / "hills")
    return folder


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copy(made / "library.twinlens", tmp_path / "library.twinlens")
    with Library.open(tmp_path / "library.twinlens") as library:
        shutil.rmtree(map_cache._folder(library), ignore_errors=True)
        yield library


def same(first: MapResult, second: MapResult) -> bool:
    return first.key == second.key and np.array_equal(first.ids, second.ids) and np.array_equal(first.xy, second.xy)


@pytest.mark.parametrize("kind", ["pca", "neighbours"])
def test_a_map_is_made_once(library: Library, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = library_map(library, MapSettings(kind=kind))  # type: ignore[arg-type]
    assert len(first.ids) == 13
    assert first.xy.min() >= 0
    assert first.xy.max() <= 1
    assert first.kept_neighbours > 0.5
    kept = map_cache._folder(library)
    shutil.rmtree(kept)
    assert same(first, library_map(library, MapSettings(kind=kind)))  # type: ignore[arg-type]
    monkeypatch.setattr("twinlens.app.map.layout._made", None)  # nothing is made any more
    again = library_map(library, MapSettings(kind=kind))  # type: ignore[arg-type]
    assert same(first, again)
    assert again.clusters == first.clusters
    assert again.groups == first.groups
    assert [int((first.group == n).sum()) for n in range(len(first.groups))] == [g.photographs for g in first.groups]
    assert [first.group[first.rows[one.typical]] for one in first.groups] == list(range(len(first.groups)))


@pytest.mark.parametrize("kind", ["pca", "neighbours"])
def test_very_many_are_laid_out_from_what_the_library_keeps(
    library: Library, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = library_map(library, MapSettings(kind=kind))  # type: ignore[arg-type]
    shutil.rmtree(map_cache._folder(library))
    monkeypatch.setattr(map_cache, "EXACT_UP_TO", 5)
    monkeypatch.setattr(map_cache, "as_float32", None)
    many = library_map(library, MapSettings(kind=kind))  # type: ignore[arg-type]
    assert np.array_equal(many.ids, few.ids)
    if kind == "pca":
        assert np.allclose(many.xy, few.xy, atol=1e-5)
        assert many.kept_neighbours == few.kept_neighbours
    else:
        assert many.kept_neighbours > 0.5


def test_a_damaged_map_is_made_anew(library: Library) -> None:
    first = library_map(library, MapSettings(index="Colours", kind="pca"))
    (file,) = map_cache._folder(library).iterdir()
    file.write_bytes(file.read_bytes()[:200])
    assert same(first, library_map(library, MapSettings(index="Colours", kind="pca")))


def test_what_is_alike_lies_together(library: Library) -> None:
    found = library_map(library, MapSettings(index="Colours", kind="pca"))
    similar = similarities_to(library, found, int(found.ids[0]))
    hits = search(library, [int(found.ids[0])], ["Colours"], SearchOptions(k=13, exact=True)).results[0].hits
    for hit in hits:
        assert similar[found.rows[hit.id]] == pytest.approx(hit.similarity, abs=1e-5)
    with pytest.raises(TwinlensError, match="#99"):
        similarities_to(library, found, 99)


def test_a_photograph_of_which_nothing_can_be_said_lies_in_the_corner(library: Library) -> None:
    library_edges = library_map(library, MapSettings(index="Colours", kind="neighbours"))
    assert library_edges.silent == 0
    with library.store.writing("testing") as w:
        kind = next(one for one in w.descriptors.kinds() if one.text.startswith("colour"))
        w.descriptors.put(kind, [3, 5], np.zeros((2, kind.dimensions)))
    found = library_map(library, MapSettings(index="Colours", kind="neighbours"), True)
    assert found.silent == 2
    corner = found.xy[[found.rows[3], found.rows[5]]]
    assert (corner[:, 0] < 0.1).all()
    assert (corner[:, 1] > 0.9).all()
    assert found.group[[found.rows[3], found.rows[5]]].tolist() == [-1, -1], "they are no group of what is alike"
    others = np.delete(found.xy, [found.rows[3], found.rows[5]], axis=0)
    assert others[:, 1].max() <= 0.91


def test_new_photographs_are_put_beside_their_nearest(library: Library, made: Path, tmp_path: Path) -> None:
    before = library_map(library)
    (tmp_path / "more").mkdir()
    with Image.open(made / "sea" / "0002.jpg") as opened:
        opened.save(tmp_path / "more" / "copy.jpg", quality=60)
    add(library, [tmp_path / "more"], Adding(workers=1))
    after = library_map(library)
    (new,) = set(after.ids.tolist()) - set(before.ids.tolist())
    assert after.placed == 1
    assert after.key != before.key
    for photograph, row in before.rows.items():
        assert after.xy[after.rows[photograph]].tolist() == before.xy[row].tolist()
    facts = map_facts(library, after.ids)
    assert facts.inner[facts.folder[after.rows[new]]] == "more"
    nearest = search(library, [new], ["Automatic"], SearchOptions(k=2, exact=True)).results[0].hits[1].id
    apart = np.abs(after.xy[after.rows[new]] - after.xy[after.rows[nearest]]).max()
    assert apart < 0.06
    anew = library_map(library, anew=True)
    assert (anew.placed, anew.key) == (0, after.key)
    write_scenes(tmp_path / "more", 6, first=20)
    add(library, [tmp_path / "more"], Adding(workers=1))
    assert library_map(library).placed == 0  # so many that it is made anew


def test_what_is_ready_is_given_and_nothing_is_made_for_it(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ready_map(library) is None
    now = moment(library)
    first = library_map(library)
    assert first.of == 13
    monkeypatch.setattr("twinlens.app.map.layout._made", None)
    again = ready_map(library)
    assert again is not None
    assert same(first, again)
    assert moment(library) == now
    write_scenes(tmp_path / "more", 1, first=30)
    add(library, [tmp_path / "more"], Adding(workers=1))
    assert moment(library) != now
    grown = ready_map(library)
    assert grown is not None
    assert grown.placed == 1
    assert ready_map(library, MapSettings(kind="pca")) is None


def test_the_places_are_written_as_a_table(library: Library, tmp_path: Path) -> None:
    found = library_map(library, MapSettings(index="Colours", kind="pca"))
    write_map_table(OutputFile(tmp_path / "map.csv"), map_summary(library, found))
    lines = (tmp_path / "map.csv").read_text("utf-8").splitlines()
    assert lines[0] == "id,path,x,y,cluster,taken"
    assert len(lines) == 14
    with pytest.raises(TwinlensError, match="cannot be written"):
        write_map_table(OutputFile(tmp_path / "no" / "map.csv"), map_summary(library, found))


def test_a_sample_and_its_seed(library: Library) -> None:
    found = library_map(library, MapSettings(kind="pca", sample=4, seed=1))
    assert len(found.ids) == 4
    assert same(found, library_map(library, MapSettings(kind="pca", sample=4, seed=1)))
    with pytest.raises(TwinlensError, match="sample must be"):
        library_map(library, MapSettings(sample=0))
    with pytest.raises(TwinlensError, match="kind must be"):
        library_map(library, MapSettings(kind="tree"))  # type: ignore[arg-type]


def test_layouts_come_while_it_is_made_and_it_can_be_stopped(library: Library) -> None:
    seen: list[np.ndarray] = []
    found = library_map(library, watch=lambda ids, xy: seen.append(xy))
    assert len(seen) > 10
    assert np.array_equal(seen[-1], found.xy)
    assert all(layout.shape == found.xy.shape for layout in seen)
    shutil.rmtree(map_cache._folder(library))

    def stop(_ids: object, _xy: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        library_map(library, watch=stop)
    assert not map_cache._folder(library).exists()


def test_facts_and_what_is_asked_of_a_map(library: Library) -> None:
    mark_pairs(library, [(1, 2)], similar=True)
    mark_pairs(library, [(2, 3)], similar=False)
    found = library_map(library, MapSettings(index="Colours", kind="pca"))
    facts = map_facts(library, found.ids)
    assert facts.mark.tolist()[:4] == [1, 3, 2, 0]
    assert {facts.inner[number] for number in facts.folder.tolist()} == {"sea", "hills"}
    assert not facts.away.any()
    assert map_facts(library, np.array([500])).folder.tolist() == [-1]
    assert found.within((0, 0, 1, 1)).tolist() == found.ids.tolist()
    assert found.inside([(-1, -1), (2, -1), (2, 2), (-1, 2)]).tolist() == found.ids.tolist()
    assert set(found.representatives((0, 0, 1, 1), 0.0).tolist()) == set(found.ids.tolist())
    x, y = found.xy[4].tolist()
    assert found.nearest((x, y), 0.001) in found.ids[(found.xy == found.xy[4]).all(axis=1)]
    assert found.nearest((5.0, 5.0), 0.1) is None


def test_a_map_as_a_picture_and_in_words(library: Library, tmp_path: Path) -> None:
    found = library_map(library)
    draw_map(library, found, OutputFile(tmp_path / "map.png"), MapPicture(side=600))
    with Image.open(tmp_path / "map.png") as drawn:
        assert drawn.size == (600, 600)
        assert len(drawn.getcolors(600 * 600) or []) > 1_000  # thumbnails, and not dots alone
    with pytest.raises(TwinlensError, match="cannot be drawn as"):
        draw_map(library, found, OutputFile(tmp_path / "map.nonsense"), MapPicture(side=300))
    written = json.loads(map_summary(library, found).model_dump_json())
    assert [one["id"] for one in written["points"]] == found.ids.tolist()
    assert written["points"][0]["path"].endswith(".jpg")


def test_clusters_are_named_by_what_sets_their_folders_apart() -> None:
    inner = ("photos/sea/2019", "photos/hills", "photos/x1")
    folder = np.array([0, 0, 0, 1, 1, 2, 2, 0], np.int32)
    n = len(folder)
    facts = MapFacts(
        folder,
        inner,
        inner,
        np.zeros(n, np.int64),
        np.zeros(n, np.int8),
        np.zeros((n, 32), np.uint8),
        np.zeros(n, bool),
    )
    cluster = np.array([0, 0, 0, 1, 1, 2, 2, 3], np.int32)
    named = cluster_names(cluster, 4, facts)
    assert [str(one.name) for one in named] == ["sea", "hills", "Cluster 3", "sea 2"]
    assert [one.word for one in named] == ["sea", "hills", "", ""]


def test_groups_are_named_by_what_many_of_their_folders_are_called() -> None:
    inner = ("photos/sea", "photos/hills", "photos/x1")
    folder = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 0], np.int32)
    n = len(folder)
    none = np.zeros(n, np.int64)
    facts = MapFacts(
        folder, inner, inner, none, none.astype(np.int8), np.zeros((n, 32), np.uint8), np.zeros(n, bool)
    )  # fmt: skip
    first, second, third = group_names(np.array([0, 0, 0, 0, 0, 1, 1, 2, 2, 0], np.int32), 3, facts)
    assert (first.name, second.name, third.name) == ("sea", "hills", ""), "photos is everywhere: it tells nothing"
    assert first.named.tolist() == (folder == 0).tolist()
    assert not third.named.any()
    same = group_names(np.array([0, 0, 1, 2, 2, 3, 3, 3, 3, 1], np.int32), 4, facts)
    assert [one.name for one in same[:2]] == ["sea", "sea 2"]
    evenly = group_names(np.zeros(n, np.int32), 1, facts)
    assert evenly[0].name == "hills", "nothing sets it apart: the most frequent"


def test_names_are_written_as_the_folders_are() -> None:
    inner = ("Photos/Lago di Garda", "Photos/GARDA 2", "photos/Île de Ré")
    folder = np.array([0, 0, 0, 1, 2, 2, 2, 2], np.int32)
    n = len(folder)
    none = np.zeros(n, np.int64)
    facts = MapFacts(
        folder, inner, inner, none, none.astype(np.int8), np.zeros((n, 32), np.uint8), np.zeros(n, bool)
    )  # fmt: skip
    parted = np.array([0, 0, 0, 0, 1, 1, 1, 1], np.int32)
    assert [one.word for one in cluster_names(parted, 2, facts)] == ["Garda", "Île"]
    assert [one.name for one in group_names(parted, 2, facts)] == ["Garda, Lago", "Île"]


@pytest.mark.parametrize("kind", ["pca", "neighbours"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_photographs(library: Library, kind: str, count: int) -> None:
    found = library_map(library, MapSettings(kind=kind, sample=count))  # type: ignore[arg-type]
    assert len(found.ids) == count
    assert np.isfinite(found.xy).all()
    assert found.group.tolist() == [0] * count


def blobs(n: int, count: int, seed: int = 0, spread: float = 0.012) -> tuple[np.ndarray, np.ndarray]:
    """Lay out round heaps, with their numbers; their middles lie well apart."""
    random = np.random.default_rng(seed)
    side = int(np.ceil(np.sqrt(count)))
    which = np.arange(n) % count
    middles = (np.stack([which % side, which // side], axis=1) + 0.5) / side
    return np.clip(middles + random.normal(0, spread, (n, 2)), 0, 1).astype(np.float32), which


def sizes(found: MapGroups) -> list[int]:
    counts: list[int] = np.bincount(found.number[found.number >= 0]).tolist()
    return counts


@pytest.mark.parametrize("count", [3, 4, 5, 6])
@pytest.mark.parametrize("n", [90, 2_000])
def test_parts_that_lie_apart_are_the_groups(n: int, count: int) -> None:
    xy, which = blobs(n, count)
    found = map_groups(xy)
    assert len(sizes(found)) == count
    assert len(set(zip(found.number.tolist(), which.tolist(), strict=True))) == count


def test_eighty_clusters_of_equal_size_leave_nothing_grey() -> None:
    xy, which = blobs(1_000, 81)
    found = map_groups(xy)
    assert (found.number >= 0).all()
    assert 3 <= len(sizes(found)) <= MOST
    assert min(sizes(found)) > 0.05 * len(xy)
    assert sizes(found) == sorted(sizes(found), reverse=True)
    together = len(set(zip(found.number.tolist(), which.tolist(), strict=True)))
    assert together <= 81 + 2, "what lies together has one colour"


def test_one_heap_that_holds_everything_is_parted_too() -> None:
    xy = np.random.default_rng(3).normal(0.5, 0.1, (5_000, 2)).clip(0, 1).astype(np.float32)
    found = map_groups(xy)
    assert 3 <= len(sizes(found)) <= MOST
    assert max(sizes(found)) < 0.5 * len(xy)


def test_who_lies_alone_is_in_no_group_and_two_are_not_alone() -> None:
    xy, _ = blobs(100, 4)
    xy = np.concatenate([xy, [[0.5, 0.5], [0.0, 0.5], [0.005, 0.5]]]).astype(np.float32)
    number = map_groups(xy).number
    assert number[100] == -1
    assert (np.delete(number, 100) >= 0).all()


def test_what_nothing_is_said_of_is_in_no_group() -> None:
    xy, which = blobs(400, 4)
    found = map_groups(xy, which != 2)
    assert (found.number[which == 2] == -1).all()
    assert sizes(found) == [100, 100, 100]


def test_the_same_places_give_the_same_groups_and_a_typical_one_lies_within() -> None:
    xy, _ = blobs(1_000, 81)
    found, again = map_groups(xy), map_groups(xy.copy())
    assert np.array_equal(found.number, again.number)
    for number in range(found.count):
        row = found.typical(number, xy)
        assert row == again.typical(number, xy)
        assert found.number[row] == number
        own = xy[found.number == number]
        from_middle = np.linalg.norm(own - own.mean(axis=0), axis=1)
        assert np.linalg.norm(xy[row] - own.mean(axis=0)) <= np.median(from_middle)


def test_a_typical_photograph_is_one_of_those_that_gave_the_name_if_there_are_any() -> None:
    xy, which = blobs(400, 4)
    found = map_groups(xy)
    number = int(found.number[which == 2][0])
    some = np.zeros(400, np.bool_)
    some[np.flatnonzero(which == 2)[7]] = True
    assert found.typical(number, xy, some) == np.flatnonzero(some)[0]
    other = int(found.number[which == 1][0])
    assert found.typical(other, xy, some) == found.typical(other, xy)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_few(n: int) -> None:
    xy = np.random.default_rng(n).uniform(0, 1, (n, 2)).astype(np.float32)
    assert len(map_groups(xy).number) == n
    assert map_groups(np.full((n, 2), 0.5, np.float32)).number.tolist() == [0] * n


def test_heaps_are_joined_as_ward_says() -> None:
    from scipy.cluster.hierarchy import fcluster, ward

    centres = np.random.default_rng(1).uniform(0, 1, (60, 2))
    own = _joined(centres, np.full(60, 5.0))
    theirs = fcluster(ward(centres), own.max() + 1, "maxclust")
    assert len(set(zip(own.tolist(), theirs.tolist(), strict=True))) == own.max() + 1
