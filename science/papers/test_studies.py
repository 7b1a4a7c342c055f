"""Studies give what the page shows of them, on tables small enough to know what is right."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from science.papers import peers
from science.papers.claims import PAPERS
from science.papers.data_set import DataSet, Made, ready
from science.papers.kernel_tables import SETTINGS
from science.papers.page.section import PageTable
from science.papers.result import Result
from science.papers.sections import beyond
from science.papers.size import FULL, Tables
from science.papers.studies import bc_own_data, beyond_bytes, beyond_peers, beyond_tuner, jqk_spectrum, ykc_steps
from science.papers.telling import Pausing
from science.papers.verdict import ClaimVerdict
from twinlens.app.lab.figures.figure import Figure, marker_of, series_colour
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.message import Message
from twinlens.core.progress import silent


def tables_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **arrays: npt.NDArray[Any]) -> Tables:
    """Keep arrays as the data set ``toys``."""
    toys = DataSet("toys", "Toys", lambda _: Made(arrays, ()))
    ready(toys, home=tmp_path)
    monkeypatch.setattr("science.papers.size.data_folder", lambda: tmp_path)
    return Tables(FULL)


def histograms(rows: int, seed: int = 0) -> npt.NDArray[np.float32]:
    """Draw rows of sum 1."""
    return np.random.default_rng(seed).dirichlet(np.full(12, 0.4), rows).astype(np.float32)


def test_a_spectrum_is_that_of_the_centred_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jqk_spectrum, "LANDMARKS", 120)
    base, others = histograms(120), histograms(40, 1)
    tables = tables_of(tmp_path, monkeypatch, part=base, queries=others)
    found = jqk_spectrum.measure("toys chi-square", tables, 1, silent)
    assert set(found) == {"none", "1", "5", "10"}
    matrix = ChiSquare().matrix(base, base)
    centre = np.eye(120) - 1 / 120
    values = np.sort(np.linalg.eigvalsh(centre @ matrix @ centre / 120))[::-1]
    plain = found["none"]
    rows = np.array(plain["ranks"]) - 1
    np.testing.assert_allclose(plain["eigenvalue"], values[rows], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(plain["residual"], [values[row + 1 :].sum() for row in rows], rtol=1e-4, atol=1e-9)
    assert plain["satisfied"] < 1  # the lemma of the paper is not true of every item
    assert np.mean(np.array(plain["outside"])[1:] >= np.array(plain["residual"])[1:]) > 0.9  # others lie farther out
    ratio = [one["eigenvalue"][3] / one["eigenvalue"][0] for one in (found["none"], found["5"], found["10"])]
    assert ratio == sorted(ratio)


def test_steps_hold_as_much_variance_as_their_directions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ykc_steps, "BITS", 4)
    monkeypatch.setattr(ykc_steps, "TURNS", 2)
    rng = np.random.default_rng(0)
    x = (rng.standard_normal((400, 40)) * np.linspace(5, 0.1, 40)).astype(np.float32)
    found = ykc_steps.measure("toys part", tables_of(tmp_path, monkeypatch, part=x), 2, silent)
    held = {way: own["held"][0] for way, own in found.items()}
    assert held["pca"] == 1
    assert max(held.values()) <= 1 + 1e-9
    assert held["random"] < held["uniform 0.05 0.3"] < 1
    assert all(own[step][0] >= 0 for own in found.values() for step in ("directions", "projecting", "turning"))
    assert len(found) == len(ykc_steps.WAYS)


def test_the_share_that_is_found_is_counted_by_hand() -> None:
    rng = np.random.default_rng(0)
    base, asked = (rng.standard_normal((rows, 5)).astype(np.float32) for rows in (300, 20))
    far = ((base[None].astype(np.float64) - asked[:, None]) ** 2).sum(axis=2)
    exact = np.argsort(far, axis=1)[:, : peers.K]
    order = {tuple(query): rows for query, rows in zip(asked.tolist(), exact, strict=True)}
    assert peers.share(base, asked, lambda query: order[tuple(query.tolist())]) == pytest.approx(1)
    half = peers.share(base, asked, lambda query: np.append(order[tuple(query.tolist())][:5], np.zeros(5, int)))
    expected = np.mean([5 + min(5, 5 * (0 in rows[5:])) + 5 * (0 in rows[:5]) for rows in exact]) / 10
    assert half == pytest.approx(expected)


@pytest.mark.parametrize("way", ["exact scan in float64, Twinlens", "lsh 256 bits, Twinlens"])
def test_our_ways_find_most(tmp_path: Path, way: str) -> None:
    _finds(tmp_path, way)


@pytest.mark.parametrize("way", [way for way in beyond_peers.WAYS if "faiss" in way and "128" not in way])
def test_the_ways_of_faiss_find_most(tmp_path: Path, way: str) -> None:
    faiss = pytest.importorskip("faiss")
    faiss.omp_set_num_threads(1)
    _finds(tmp_path, way)


def _finds(tmp_path: Path, way: str) -> None:
    rng = np.random.default_rng(1)
    for name, rows in (("base", 800), ("queries", 20)):
        np.save(tmp_path / f"{name}.npy", rng.standard_normal((rows, 80)).astype(np.float32))
    name, arguments = beyond_peers.WAYS[way]
    run = getattr(peers, name)(str(tmp_path / "base.npy"), str(tmp_path / "queries.npy"), **arguments)
    figures = run()
    assert figures["share"] >= (0.999 if way.startswith("exact") else 0.35)
    assert figures["bytes"] >= 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("codes_at", {"method": "itq:bits=64", "search": "scan:asymmetric=true"}),
        ("codes_at", {"method": "lsh:bits=64", "search": "ivf"}),
        ("pq_at", {"quantizer": "pq:bytes=8"}),
        ("faiss_at", {"factory": "IVF4,Flat", "parameters": "nprobe=2"}),
    ],
)
def test_more_candidates_find_more(tmp_path: Path, name: str, arguments: dict[str, str]) -> None:
    if name == "faiss_at":
        pytest.importorskip("faiss")
    rng = np.random.default_rng(1)
    for file, rows in (("base", 2_000), ("queries", 10)):
        np.save(tmp_path / f"{file}.npy", rng.standard_normal((rows, 80)).astype(np.float32))
    figures = getattr(peers, name)(str(tmp_path / "base.npy"), str(tmp_path / "queries.npy"), **arguments)()
    shares = [figures[f"share@{depth}"] for depth in peers.DEPTHS]
    assert shares == sorted(shares)
    assert shares[-1] > 0.3
    assert all(figures[f"cpu@{depth}"] >= 0 for depth in peers.DEPTHS)
    assert 0 < figures["bytes"] / 2_000 < 100


def test_ways_that_keep_as_many_bytes_are_in_the_tables(tmp_path: Path) -> None:
    figures = {
        case: {
            "items": 9, "dimensions": 128, "share": dict.fromkeys(map(str, beyond_bytes.DEPTHS), 0.5),
            "cpu": dict.fromkeys(map(str, beyond_bytes.DEPTHS), 1e-3), "bytes": 8.0 + place, "build": 1.0,
        }
        for place, case in enumerate(beyond_bytes.CASES)
    }  # fmt: skip
    table, figure = beyond._bytes({"beyond-bytes": Result("beyond-bytes", (), "", figures)})
    assert isinstance(table, PageTable)
    assert isinstance(figure, Figure)
    assert len(table.rows) == len(beyond_bytes.CASES)
    assert {row[0] for row in table.rows} >= {"pq, Twinlens", "PQ, faiss", "RaBitQ, faiss"}
    assert [one.name for one in figure.series if one.name == "OPQ, faiss"]


def test_intervals_are_over_draws_and_queries() -> None:
    rows = [
        {
            "method": f"itq:bits={bits}", "search": f"scan:candidates={depth}", "seeds": [0, 1, 2, 3],
            "overlap": {"10": 0.5 + bits / 1_000}, "error": {"10": 0.04}, "deviation": {"overlap@10": 0.06},
        }
        for bits in (64, 128) for depth in (10, 50)
    ]  # fmt: skip
    table, figure = beyond._learned({"beyond-learned": Result("beyond-learned", (), "", {"results": rows})})
    assert isinstance(table, PageTable)
    assert isinstance(figure, Figure)
    assert table.rows[0] == ("PCA + ITQ (2011)", "8", "0.564 ±0.098", "", "0.564 ±0.098", "", "")
    (series,) = figure.series
    assert list(series.x) == [8, 16]


def test_every_way_is_drawn_once_with_a_colour_and_a_mark_of_its_method() -> None:
    drawn = [way for own in beyond.METHODS.values() for way in own]
    assert sorted(drawn) == sorted(beyond_peers.WAYS)
    ways = {way: {"cpu": 1e-6 * (1 + place), "share": 0.5} for place, way in enumerate(beyond_peers.WAYS)}
    series = beyond._by_method(ways)
    assert (
        len({(series_colour(one.place), marker_of(one.place)) for one in series}) == len(series) == len(beyond.METHODS)
    )
    assert all(all(one.labels) for one in series)
    depths = next(one for one in series if str(one.name).startswith("HNSW"))
    assert list(depths.labels) == ["16", "32", "64", "128", "256"]
    some = beyond._by_method({way: ways[way] for way in list(ways)[:1]})
    assert [one.name for one in some] == ["exact scan"]


def test_a_choice_of_the_defaults_is_not_compared_with_itself() -> None:
    case = "pixels of clothes, Euclidean"
    claim = next(one for one in PAPERS["beyond"]() if "defaults" in one.text and one.case == case)
    found = {"asked": 0.5, "defaults": 0.6, "chosen": 0.7}
    recall = {name: dict.fromkeys(("1", "10"), (value, 0.001, 3)) for name, value in found.items()}

    def verdict(chosen: str) -> ClaimVerdict | None:
        figures = {case: {"asked": "lsh:bits=128", "chosen": chosen, "recall": recall}}
        judgement = claim.judged(Result("beyond-tuner", (), "", figures))
        return judgement.verdict if judgement else None

    assert verdict("itq:bits=128") is ClaimVerdict.NO_CASE
    assert verdict("itq:bits=128,iterations=1") is ClaimVerdict.CONFIRMED
    del recall["defaults"]
    assert verdict("itq:bits=128,iterations=1") is ClaimVerdict.CANNOT_TELL  # by results of before


def test_the_tuner_is_judged_on_queries_it_has_not_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beyond_tuner, "TRIALS", 4)
    monkeypatch.setattr(beyond_tuner, "BITS", 16)
    one = beyond_tuner.Case("toys", ("klsh:kernel=chi-square,landmarks=60",), "chi-square", beyond_tuner.ASKED[
        "GIST of crops, chi-square"
    ].distance)  # fmt: skip
    monkeypatch.setattr(beyond_tuner, "ASKED", {"toys": one})
    tables = tables_of(tmp_path, monkeypatch, part=histograms(600), queries=histograms(60, 1))
    found = beyond_tuner.measure("toys", tables, 2, silent)
    assert found["asked"] == "klsh:bits=16,kernel=chi-square,landmarks=60"
    assert found["trials"] <= 4
    assert found["defaults"] == found["asked"]  # there is one method
    assert found["recall"]["defaults"] == found["recall"]["asked"]
    for recall in found["recall"].values():
        means = [recall[count][0] for count in ("1", "10", "100")]
        assert 0 < means[0] < means[1] < means[2] < 1
        assert recall["10"][2] == 2


@pytest.mark.skipif(not hasattr(signal, "SIGTSTP"), reason="there is no Ctrl-Z here")
def test_ctrl_z_pauses_where_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    told: list[str] = []
    monkeypatch.setattr("science.papers.telling.os.kill", lambda _pid, number: sent.append(number))
    before = signal.getsignal(signal.SIGTSTP)
    own = Pausing()
    progress = own.within(lambda _done, _total, text: told.append(str(text)))
    try:
        own.listen()
        progress(0, 1, Message("before"))
        assert not sent
        signal.raise_signal(signal.SIGTSTP)
        assert not sent  # what is measured now goes on to its end
        progress(1, 1, Message("after"))
        progress(1, 1, Message("later"))
    finally:
        signal.signal(signal.SIGTSTP, before)
    assert sent == [signal.SIGSTOP]
    assert told == ["before", "after", "later"]


def test_the_papers_own_table_is_labelled_by_all_that_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    centres = np.repeat(np.eye(3, 30), 150, axis=0)
    x = (rng.random((450, 30)) < 0.1 + 0.8 * centres).astype(np.float32)
    labels, order = np.repeat(np.arange(3), 150), rng.permutation(450)
    x, labels = x[order], labels[order]
    arrays: dict[str, npt.NDArray[Any]] = {
        "base": x[:350],
        "labels": labels[:350],
        "queries": x[350:],
        "query_labels": labels[350:],
    }
    monkeypatch.setitem(SETTINGS, "toys", SETTINGS["dna"])
    found = bc_own_data.measure("toys", tables_of(tmp_path, monkeypatch, **arrays), 2, silent)
    assert (found["searched"], found["asked"]) == (350, 100)
    for way, (most, least) in {"ineq": (1.0, 0.5), "klsh": (0.3, 0.4), "preimage-klsh": (0.3, 0.4)}.items():
        assert 0 < found["ways"][way]["compared"][0] <= most
        assert found["ways"][way]["accuracy"][0] > least
    assert found["ways"]["ineq"]["accuracy"][0] > found["ways"]["klsh"]["accuracy"][0]
