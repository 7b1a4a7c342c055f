"""Views of the map, the motion between them, and what its colours mean."""

from __future__ import annotations

import itertools
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.gui.map.made import made_facts, made_map
from twinlens.app.gui.look.theme import DARK, LIGHT, Theme
from twinlens.app.gui.map import camera as module
from twinlens.app.gui.map.camera import Camera, Motion, between, close_to
from twinlens.app.gui.map.colouring import (
    MOST_GROUPS,
    Colouring,
    by_cluster,
    by_date,
    by_folder,
    by_mark,
    by_similarity,
    group_colour,
    group_inks,
    rgb,
)
from twinlens.app.map.map_results import MapFacts

cameras = st.builds(
    Camera,
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(100, 1e5),
    st.just(800),
    st.just(600),
)
pixels = st.tuples(st.floats(0, 800), st.floats(0, 600))


@given(cameras, pixels)
def test_a_pixel_and_its_place(camera: Camera, px: tuple[float, float]) -> None:
    assert camera.to_px(camera.to_map(px)) == pytest.approx(px, abs=1e-6)


@given(cameras, pixels, st.floats(0.1, 10), st.floats(0.01, 1))
def test_a_zoom_stays_about_the_pointer_all_the_way(
    camera: Camera, px: tuple[float, float], factor: float, share: float
) -> None:
    place = camera.to_map(px)
    goal = camera.zoomed(factor, px)
    assert goal.scale == pytest.approx(factor * camera.scale)
    on_the_way = between(camera, goal, share)
    assert on_the_way.to_px(place) == pytest.approx(px, abs=0.05)
    low, high = sorted((camera.scale, goal.scale))
    assert low * (1 - 1e-6) <= on_the_way.scale <= high * (1 + 1e-6)


@settings(max_examples=20)
@given(cameras, cameras)
def test_the_way_ends_at_the_goal(start: Camera, goal: Camera) -> None:
    assert between(start, goal, 1) is goal
    now = start
    for _ in range(200):
        now = between(now, goal, 0.25)
    assert close_to(now, goal)


def test_points_are_placed_as_one_point_is() -> None:
    camera = Camera(0.3, 0.6, 500, 800, 600)
    xy = np.random.default_rng(0).uniform(0, 1, (20, 2)).astype(np.float32)
    px, py = camera.all_to_px(xy, ratio=2)
    for row, (x, y) in enumerate(xy.tolist()):
        assert (px[row] / 2, py[row] / 2) == pytest.approx(camera.to_px((x, y)), abs=1e-3)


def test_what_is_seen_is_what_fits() -> None:
    camera = Camera.fitting(800, 600, (0.2, 0.1, 0.6, 0.9))
    left, top, right, bottom = camera.seen()
    assert left < 0.2
    assert right > 0.6
    assert top < 0.1
    assert bottom > 0.9
    assert camera.to_px((0.2, 0.1))[1] == pytest.approx(36)


def test_nobody_gets_lost() -> None:
    camera = Camera.fitting(800, 600)
    assert camera.panned(1e6, -1e6).kept_within(1e4).x == pytest.approx(-0.04)
    assert camera.zoomed(1e-6, (0, 0)).kept_within(1e4).scale == pytest.approx(0.8 * camera.scale)
    assert camera.zoomed(1e6, (0, 0)).kept_within(1e4).scale == 1e4


def test_a_larger_view_shows_the_same_middle() -> None:
    camera = Camera.fitting(800, 600).zoomed(3, (100, 100))
    larger = camera.resized(1600, 1200)
    assert (larger.x, larger.y) == (camera.x, camera.y)
    assert larger.depth() == pytest.approx(camera.depth())


def test_a_glide_arrives(qtbot: QtBot) -> None:
    parent = QObject()
    motion = Motion(parent)
    motion.look(Camera.fitting(800, 600))
    goal = motion.camera.zoomed(5, (100, 100))
    with qtbot.waitSignal(motion.rested, timeout=5000):
        motion.glide(goal)
    assert motion.camera is goal
    assert not motion.moves


def test_points_travel_and_take_a_new_course(qtbot: QtBot) -> None:
    parent = QObject()
    motion = Motion(parent)
    start = np.zeros((5, 2), np.float32)
    motion.place(start)
    motion.travel(np.ones((5, 2), np.float32))
    qtbot.waitUntil(lambda: 0.1 < float(motion.xy[0, 0]) < 1, timeout=5000)
    assert motion.travels
    assert motion.fold < 1, "pictures fold"
    assert (start == 0).all(), "what was given is not changed"
    last = np.full((5, 2), 0.5, np.float32)
    with qtbot.waitSignal(motion.rested, timeout=5000):
        motion.travel(last)
    assert motion.xy is last
    assert motion.fold == 1


def test_pictures_stay_folded_until_the_layout_is_settled(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> None:
    ticks = count()
    monkeypatch.setattr(module, "perf_counter", lambda: 0.016 * next(ticks))
    parent = QObject()
    motion = Motion(parent)

    def arrive() -> None:
        for _ in range(1000):
            motion.step()
            if not motion.moves:
                return
        pytest.fail("it never arrives")

    motion.place(np.zeros((5, 2), np.float32))
    motion.unsettled = True
    motion.travel(np.ones((5, 2), np.float32))
    arrive()
    assert motion.fold == 0
    motion.unsettled = False
    motion.travel(np.zeros((5, 2), np.float32))
    arrive()
    assert motion.fold == 1


N = 100


def check(coloured: Colouring, n: int = N) -> list[str]:
    """Each point has a group, and each group has as many as it says."""
    assert len(coloured.of) == n
    counts = np.bincount(coloured.of, minlength=len(coloured.groups))
    assert counts.tolist() == [group.count for group in coloured.groups]
    return [group.name for group in coloured.groups]


def test_clusters_are_coloured_by_groups_and_only_what_lies_alone_is_grey() -> None:
    assert check(by_cluster(made_map(N))) == ["sea", "hills", "town"]
    found = made_map(N, clusters=12)
    coloured = by_cluster(found)
    assert check(coloured) == ["sea", "hills", "town", "group 4", "group 5", "group 6", "group 7"]
    assert len({group.shape for group in coloured.groups}) == MOST_GROUPS, "told apart in grey, too"
    assert [group.typical for group in coloured.groups] == [10, 20, 30, 40, 50, 60, 70]
    some = found.group.copy()
    some[50:] = -1
    alone = by_cluster(replace(found, group=some, groups=found.groups[:1]))
    assert (alone.groups[-1].name, alone.groups[-1].place, alone.groups[-1].count) == ("alone", -1, 50)
    assert (alone.of[50:] == len(alone.groups) - 1).all()
    silent = by_cluster(replace(found, group=some, silent=50))
    assert silent.groups[-1].name == "alone, or nothing to compare"
    assert check(by_cluster(made_map(0)), 0) == ["alone"]


def in_folders(*counts: tuple[str, int]) -> MapFacts:
    """Make facts of photographs in folders."""
    folder = np.repeat(np.arange(len(counts)), [count for _, count in counts]).astype(np.int32)
    inner = tuple(path for path, _ in counts)
    return replace(made_facts(len(folder)), folder=folder, inner=inner, folders=inner)


def named(facts: MapFacts) -> list[tuple[str, int]]:
    coloured = by_folder(facts)
    check(coloured, len(facts.folder))
    return [(group.name, group.count) for group in coloured.groups]


def test_folders_are_those_that_tell_most_apart() -> None:
    assert check(by_folder(made_facts(N))) == ["sea", "hills", "town"]
    assert named(in_folders(("Pictures/2023/a", 30), ("Pictures/2023/b", 60), ("Pictures/2023/b/c", 5))) == [
        ("b", 65), ("a", 30),
    ]  # fmt: skip
    assert named(in_folders(("Pictures", 20), ("Pictures/x", 30), ("Pictures/x/y", 10))) == [
        ("x", 30), ("Pictures", 20), ("y", 10),
    ]  # fmt: skip
    gone = replace(made_facts(N), folder=np.full(N, -1, np.int32))
    assert check(by_folder(gone)) == ["other folders"]
    assert check(by_folder(in_folders()), 0) == []


def test_of_two_roots_of_which_one_holds_nearly_all_the_folders_below_have_the_colours() -> None:
    facts = in_folders(("Photos/Italy", 40), ("Photos/Norway/Fjords", 30), ("Photos/Norway/Towns", 20), ("Phone", 2))
    assert named(facts) == [("Norway", 50), ("Italy", 40), ("Phone", 2)]
    only = in_folders(("Photos/Italy", 40), ("Photos/Norway", 30), ("Phone", 0))
    assert named(only) == [("Italy", 40), ("Norway", 30)], "the other root is not on the map"


def test_folders_of_one_name_are_told_apart() -> None:
    facts = in_folders(("Anna/2022", 20), ("Anna/2023", 30), ("Ben/2023", 25), ("Ben/2024", 10))
    assert named(facts) == [("Anna/2023", 30), ("Ben/2023", 25), ("2022", 20), ("2024", 10)]


@pytest.mark.parametrize(
    ("taken", "names"),
    [
        ([2019_05_14, 2020_01_01, 2023_12_31], ["2019", "2020", "2021", "2022", "2023"]),
        ([2023_05_01, 2023_06_30], ["May 2023", "Jun 2023"]),
        ([2001_01_01, 2012_01_01], ["2000 – 2001", "2002 – 2003", "2004 – 2005", "2006 – 2007", "2008 – 2009",
                                    "2010 – 2011", "2012 – 2013"]),
        ([2023_01_01, 2023_12_01], ["Jan – Feb 2023", "Mar – Apr 2023", "May – Jun 2023", "Jul – Aug 2023",
                                    "Sep – Oct 2023", "Nov – Dec 2023"]),
    ],
)  # fmt: skip
def test_dates_fall_into_equal_times(taken: list[int], names: list[str]) -> None:
    facts = replace(made_facts(len(taken)), taken=np.array(taken, np.int64) * 10**6)
    assert check(by_date(facts), len(taken)) == names


def test_a_wrong_clock_does_not_make_all_others_one_group() -> None:
    facts = made_facts(N)
    facts.taken[:2] = [1970_01_01_000000, 2038_01_19_031407]
    assert check(by_date(facts)) == ["2019 and before", "2020", "2021", "2022", "2023 and after"]


def test_what_has_no_date_is_grey() -> None:
    facts = made_facts(N)
    assert check(by_date(facts)) == ["2019", "2020", "2021", "2022", "2023"]
    facts.taken[::2] = 0
    coloured = by_date(facts)
    assert check(coloured)[-1] == "no date"
    assert coloured.groups[-1].place == -1
    facts.taken[:] = 0
    assert check(by_date(facts)) == ["no date"]


def test_marks() -> None:
    facts = made_facts(N)
    facts.mark[:6] = [1, 2, 3, 1, 1, 0]
    coloured = by_mark(facts)
    check(coloured)
    assert [group.count for group in coloured.groups] == [3, 1, 1, 95]


def test_the_nearest_stand_out_most() -> None:
    similarities = np.linspace(0, 1, N, dtype=np.float32)
    similarities[3] = np.nan
    coloured = by_similarity(similarities)
    assert [group.name for group in coloured.groups] == ["10 nearest, from 0.90", "next 20, from 0.70", "less alike"]
    assert coloured.of[-11:].tolist() == [0] * 11, "the photo itself, and its 10 nearest"
    assert coloured.of[3] == 2
    assert int((coloured.of == 1).sum()) == 20
    few = by_similarity(np.ones(3, np.float32))
    assert [group.name for group in few.groups] == ["all"]


def lightness(colour: str) -> float:
    """Return how light a colour is seen, 0 to 100."""
    linear = [
        (one / 255 / 12.92 if one / 255 <= 0.04045 else ((one / 255 + 0.055) / 1.055) ** 2.4) for one in rgb(colour)
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance


@pytest.mark.parametrize("now", [LIGHT, DARK])
def test_steps_are_told_apart_in_grey(now: Theme) -> None:
    coloured = by_date(made_facts(N))
    seen = [lightness(group_colour(group, coloured, now)) for group in coloured.groups]
    assert seen in (sorted(seen), sorted(seen, reverse=True))
    assert min(abs(one - other) for one, other in itertools.pairwise(seen)) > 6
    ground = lightness(now.ground)
    assert abs(seen[-1] - ground) > abs(seen[0] - ground) > 20, "the newest stands out most, and all are seen"


def test_dim_inks_lie_between_colour_and_ground() -> None:
    inks = group_inks(by_cluster(made_map(N)), LIGHT)
    assert len(inks.colours) == len(inks.shapes) == 9
    plain, dim, gone = inks.colours[0], inks.colours[3], inks.colours[6]
    ground = rgb(LIGHT.ground)
    far = [sum(abs(a - b) for a, b in zip(one, ground, strict=True)) for one in (plain, dim, gone)]
    assert far[0] > far[1] > far[2] > 0
