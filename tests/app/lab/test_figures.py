"""Figures hold what was measured, with names and ticks that cover nothing."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from math import log as logarithm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from twinlens.app.lab.experiments.lab_results import LabRun
from twinlens.app.lab.figures.axes import _GAP, _LETTER, log_ticks, measured_at, plain_number
from twinlens.app.lab.figures.drawing import Format, draw_figure, write_figure
from twinlens.app.lab.figures.figure import (
    DARK,
    LIGHT,
    Axis,
    Dash,
    Density,
    Figure,
    FigureKind,
    Marker,
    Series,
    figure_text,
    marker_of,
    series_colour,
    series_dash,
)
from twinlens.app.lab.figures.label_places import spread_labels
from twinlens.app.lab.figures.painting import rgb
from twinlens.app.lab.figures.run_figures import figures, find_figure, group_slots
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError

FORMATS: tuple[Format, ...] = ("svg", "png", "pdf")
Measured = tuple[Library, LabRun]


def test_every_figure_says_what_it_shows_and_holds_what_was_measured(measured: Measured) -> None:
    _, run = measured
    found = {one.name: figure_text(one, str) for one in figures([run])}
    assert set(found) == {
        "recall-at", "recall-bits", "map-bits", "precision-recall", "found-time", "found-looked-at", "recall-bytes",
        "map-bytes",
    }  # fmt: skip
    for one in found.values():
        assert str(one.reading).endswith(".")
        assert one.x.label
        assert one.y.label
        assert str(one.note).startswith(
            "160 photos, 40 queries. Right results: what exact search by the Hellinger kernel finds. "
            "Mean and standard deviation of 2 seeds."
        )
    assert str(found["precision-recall"].note).endswith("Precision and recall count the first 50 of them.")
    (bits,) = found["map-bits"].series
    maps = [row.values["map"] for row in run.rows[::2]]
    assert (list(bits.x), list(bits.y)) == ([16, 48], maps)
    off = [row.measured.spread["map"] for row in run.rows[::2]]
    assert bits.low == pytest.approx([max(0, one - by) for one, by in zip(bits.y, off, strict=True)])
    assert bits.high == pytest.approx([min(1, one + by) for one, by in zip(bits.y, off, strict=True)])
    assert list(bits.keys) == [run.rows[0].key, run.rows[2].key]
    assert bits.points[0]["method"] == "lsh:bits=16"
    curves = found["recall-at"].series
    assert [one.name for one in curves] == ["lsh:bits=16", "lsh:bits=48"]
    assert list(curves[1].y) == [value for _, value in run.rows[2].recall_curve]
    assert found["precision-recall"].x.high == 1
    time = found["found-time"]
    assert time.x.unit == "ms"
    assert [one.name for one in time.series] == [
        f"lsh:bits={bits} · {search}" for bits in (16, 48) for search in ("scan", "buckets")
    ] or len(time.series) == 4
    assert time.series[1].x == [1000 * run.rows[1].values["seconds query"]]


def test_rows_are_chosen_and_runs_are_compared(measured: Measured) -> None:
    _, run = measured
    (only,) = figures([run], chosen=[run.rows[2].key])[0].series
    assert only.keys[0] == run.rows[2].key
    other = run.model_copy(update={"id": run.id + 1, "name": "other"})
    names = [str(one.name) for one in figures([run, other])[0].series]
    assert len(set(names)) == len(names) == 4
    assert sum("other" in name for name in names) == 2
    assert find_figure([run], "nothing") is None
    assert figures([]) == []


def test_a_drawing_is_the_same_each_time_and_has_no_date(measured: Measured, tmp_path: Path) -> None:
    figure = figures([measured[1]])[0]
    svg, png, pdf = drawn = [draw_figure(figure, form) for form in FORMATS]
    assert drawn == [draw_figure(figure, form) for form in FORMATS]
    assert pdf.startswith(b"%PDF")
    assert b"Date" not in pdf
    assert png.startswith(b"\x89PNG")
    assert b"<svg" in svg
    assert b"dc:date" not in svg
    assert draw_figure(figure, "svg", dark=True) != svg
    assert DARK.ground.encode() in draw_figure(figure, "svg", dark=True)
    write_figure(figure, OutputFile(tmp_path / "recall.svg"))
    assert (tmp_path / "recall.svg").read_bytes() == svg
    for name in ("recall.jpg", "no/recall.svg"):
        with pytest.raises(TwinlensError):
            write_figure(figure, OutputFile(tmp_path / name))


def test_everything_a_figure_can_hold_is_drawn() -> None:
    cells = [[0.0, 1.0], [2.0, 3.0]]
    full = Figure(
        "all", "All", "How to read it.", Axis("x", "m"), Axis("y", log=True, low=0.1, high=10.0),
        [
            Series("a line", [1, 2, 4], [0.2, 1, 5], place=-1, labels=["", "two", ""]),
            Series("bars", [1, 2, 3], [1, 2, 3], kind=FigureKind.BARS, place=1),
            Series("points", [1, 3], [2, 4], kind=FigureKind.POINTS, place=2, dash=Dash.DOTTED),
        ],
        [Marker(2, "here"), Marker(1, "as much", vertical=False)], density=Density([0, 2, 4], [0.1, 1, 10], cells),
        note="Note.",
    )  # fmt: skip
    plain = replace(full, markers=(), density=None, note="", series=[])
    for form in FORMATS:
        assert len(draw_figure(full, form)) > len(draw_figure(plain, form))
    with pytest.raises(ValueError, match="2 y for 1 x"):
        Series("wrong", [1], [1, 2])


def test_words_of_a_drawing_are_words_and_what_runs_far_out_of_the_plot_is_cut_off() -> None:
    steep = Figure("steep", "Größe < 1", "", Axis("x"), Axis("y", low=0, high=1), [Series("a", [0, 1], [-1e9, 1e9])])
    svg = draw_figure(steep, "svg").decode()
    assert "Größe &lt; 1</text>" in svg
    (edge,) = re.findall(r'<polyline points="([^"]+)"[^>]+stroke-linecap="round"', svg)
    assert 'clip-path="url(#' in svg[: svg.index(edge)]
    picture = np.asarray(Image.open(io.BytesIO(draw_figure(steep, "png"))))
    rows = np.flatnonzero((picture == rgb(series_colour(0))).all(axis=2).any(axis=1))
    assert 0 < rows[0] < rows[-1] < len(picture) - 40


def pdf_streams(content: bytes) -> list[bytes]:
    """Return the streams of a PDF, whose list of objects is right."""
    count, listed = re.search(rb"xref\n0 (\d+)\n0000000000 65535 f \n(.*?)trailer", content, re.DOTALL).groups()  # type: ignore[union-attr]
    places = [int(line[:10]) for line in listed.splitlines()]
    assert len(places) == int(count) - 1
    for number, place in enumerate(places, start=1):
        assert content[place:].startswith(b"%d 0 obj" % number)
    packed = re.findall(rb"<</Length (\d+)[^\n]*>>stream\n", content)
    starts = [found.end() for found in re.finditer(rb">>stream\n", content)]
    return [zlib.decompress(content[at : at + int(size)]) for at, size in zip(starts, packed, strict=True)]


def test_words_of_a_pdf_are_glyphs_that_say_what_they_stand_for() -> None:
    said = "Größe < 1 ± θ · …"
    figure = Figure(said, said, "", Axis("x"), Axis("y", low=0, high=1), [Series("a", [0, 1], [0, 1])])
    drawn = draw_figure(figure, "pdf")
    streams = pdf_streams(drawn)
    content = next(one for one in streams if b" Tj ET" in one).decode()
    meaning = dict(
        re.findall(
            r"<([0-9a-f]{4})> <([0-9a-f]{4})>", b"".join(one for one in streams if b"beginbfchar" in one).decode()
        )
    )
    words = [
        "".join(chr(int(meaning[code], 16)) for code in re.findall("....", codes))
        for codes in re.findall(r"/F1 [^<]+ <([0-9a-f]+)> Tj", content)
    ]
    assert words == [said], "the title alone is bold"
    fonts = [one for one in streams if one.startswith(b"\0\1\0\0")]
    assert len(fonts) == 2
    for one in fonts:
        embedded = ImageFont.truetype(io.BytesIO(one), 20)  # FreeType reads it
        assert embedded.getbbox("x") is not None
        assert len(one) < 120_000, "few glyphs are embedded"


def luminance(text: str) -> float:
    parts = np.array([int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("dark", [False, True])
def test_series_are_told_apart_without_colours(dark: bool) -> None:
    ground = luminance((DARK if dark else LIGHT).ground)
    looks = set()
    for place in range(14):
        one = Series("one", [0], [0], place=place)
        looks.add((series_dash(one), marker_of(place)))
        light, low = sorted([luminance(series_colour(place, dark)), ground], reverse=True)
        assert (light + 0.05) / (low + 0.05) > 2, "legible on its ground"
        assert place < 7 or series_colour(place, dark) == series_colour(place - 7, dark)
    assert len(looks) == 14
    assert len({series_colour(place, dark) for place in range(7)}) == 7
    assert series_dash(Series("theory", [0], [0], place=-1)) is Dash.DASHED


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 0.09)), min_size=1, max_size=10).map(
        lambda pairs: sorted(pairs, reverse=True)
    )
)
def test_names_never_overlap_and_stay_within(pairs: list[tuple[float, float]]) -> None:
    heights = [height for _, height in pairs]
    places = spread_labels([wanted for wanted, _ in pairs], heights, 0.0, 1.0)
    for (upper, above), (lower, below) in zip(
        zip(places, heights, strict=True), list(zip(places, heights, strict=True))[1:], strict=False
    ):
        assert upper - above / 2 >= lower + below / 2 - 1e-6
    assert places[0] + heights[0] / 2 <= 1 + 1e-6
    assert places[-1] - heights[-1] / 2 >= -1e-6


@given(st.floats(1e-3, 1e6), st.floats(1.3, 1e6))
def test_logarithmic_axes_have_some_round_ticks(low: float, times: float) -> None:
    ticks = log_ticks(low, low * times)
    assert ticks == sorted(ticks)
    assert all(low * 0.999 <= one <= low * times * 1.001 for one in ticks)
    assert len(ticks) <= 12


def test_a_row_that_is_hidden_leaves_the_others_their_colours(measured: Measured) -> None:
    _, run = measured
    every = {one.name: one for one in figures([run])}
    by_row = group_slots([run])
    assert [by_row[row.key] for row in run.rows] == [0, 0, 1, 1], "a method has one place, however it is searched"
    for one in figures([run], chosen=[row.key for row in run.rows[2:]]):
        (whole,) = [series for series in every[one.name].series if run.rows[2].key in series.keys]
        (part,) = [series for series in one.series if run.rows[2].key in series.keys]
        assert (part.place, one.name) == (whole.place, one.name)
        assert run.rows[0].key not in part.keys


def test_where_methods_are_many_those_that_differ_in_bits_share_a_colour_in_every_figure(measured: Measured) -> None:
    _, run = measured
    methods = [f"{key}:bits={bits}" for key in ("lsh", "sik") for bits in (8, 16, 32, 64)]
    row = run.rows[0]
    many = run.model_copy(
        update={
            "rows": [
                row.model_copy(
                    update={
                        "key": f"1/{number}",
                        "measured": row.measured.model_copy(update={"method": method, "bits": int(method[9:])}),
                    }
                )
                for number, method in enumerate(methods, 1)
            ]
        }
    )
    found = {one.name: one for one in figures([many])}
    for name in ("recall-at", "recall-bits", "map-bits", "precision-recall"):
        assert [(one.name, one.place) for one in found[name].series] == [("lsh", 0), ("sik", 1)], name
    assert set(group_slots([many]).values()) == {0, 1}
    some = figures([many], chosen=["1/1", "1/2", "1/5"])[0].series
    assert [one.place for one in some] == [0, 0, 1]
    assert series_dash(some[0]) is not series_dash(some[1]), "curves of one colour are told apart by their dashes"


def figure(*lines: Sequence[float], log: bool = False, marked: bool = True, through: Sequence[float] = ()) -> Figure:
    """Make a figure of lines at some places, and of a line without marks."""
    series = [Series(str(place), x, x, marked=marked) for place, x in enumerate(lines)]
    return Figure("a", "A", "It is.", Axis("x", log=log), Axis("y"), [*series, Series("level", through, through)])


def test_measured_places_are_ticks_although_a_level_goes_through_them() -> None:
    bits = [16.0, 32.0, 64.0, 128.0, 256.0]
    assert measured_at(figure(bits, log=True, through=bits)) == bits
    assert measured_at(figure(bits, log=True, through=[16.0, 256.0])) == bits
    assert measured_at(figure([1.0, 5.0, 10.0], [5.0, 15.0], through=[1.0, 15.0])) == [1, 5, 10, 15]


def test_a_curve_that_goes_on_between_has_its_own_ticks() -> None:
    assert measured_at(figure([1.0, 2.0], through=[1.0, 1.5, 2.0])) == []
    assert measured_at(figure([1.0, 2.0], marked=False)) == []
    assert measured_at(figure([float(one) for one in range(20)])) == []
    assert measured_at(figure([0.0, 2.0], log=True)) == []


def test_words_that_would_touch_are_left_out_but_the_ends() -> None:
    bits = [100.0, 400.0, 900.0, 1_600.0, 2_500.0, 4_900.0, 6_400.0]
    assert measured_at(figure(bits, log=True)) == [100, 400, 900, 1_600, 2_500, 6_400]
    assert measured_at(figure([0.0, 0.5, 1.0, 1.5, 2.0, 100.0])) == []  # too few would be left


@given(st.lists(st.integers(1, 3_000), min_size=2, max_size=8, unique=True), st.booleans())
def test_no_words_touch(places: list[int], log: bool) -> None:
    found = measured_at(figure([float(one) for one in places], log=log))
    if not found:
        return
    assert set(found) <= set(places)
    assert (found[0], found[-1]) == (min(places), max(places))
    at = [logarithm(one) if log else one for one in found]
    for one in range(1, len(found) - 1):
        for other in (one - 1, one + 1):
            apart = abs(at[one] - at[other]) / (at[-1] - at[0])
            letters = len(plain_number(found[one])) + len(plain_number(found[other]))
            assert apart >= _LETTER * letters / 2 + _GAP - 1e-9
