"""The explorer: exact figures are those of bench, coarse ones a stated part of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.app.lab.experiments.runner import experiment_tables
from twinlens.app.lab.explore.coarse_codes import CoarseCodes
from twinlens.app.lab.explore.explorer import Explorer, figures_of_few_queries, stopped
from twinlens.app.lab.explore.knobs import KnobLimits, KnobSetting, knobs
from twinlens.app.lab.explore.sample import (
    FEW,
    FIRST,
    SampleData,
    SampleSettings,
    experiment_of_vectors,
    load_material,
    sample_of_vectors,
)
from twinlens.app.lab.explore.sample_codes import KernelColumns, exact_codes
from twinlens.app.methods import catalogue
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.evaluation.hamming_ranking import judge_ranking
from twinlens.core.evaluation.method_evaluation import judge_search
from twinlens.core.evaluation.truth import one_row
from twinlens.core.hashing.kernel_hashing import KernelMethod
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.kernels import KERNELS
from twinlens.core.message import Message
from twinlens.core.methods import METHODS
from twinlens.core.metrics import METRICS
from twinlens.core.progress import silent
from twinlens.core.search import SEARCHES
from twinlens.core.search.search_structure import CodeQuery

N, D = 160, 16


def vectors(n: int = N, d: int = D) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Make histograms in clusters: every kernel is defined for them."""
    rng = np.random.default_rng(5)
    x = np.abs(rng.standard_normal((12, d)))[rng.integers(0, 12, n)] + 0.3 * np.abs(rng.standard_normal((n, d)))
    made: np.ndarray[Any, np.dtype[np.float32]] = (x / x.sum(axis=1, keepdims=True)).astype(np.float32)
    return made


@pytest.fixture(scope="module")
def material() -> SampleData:
    """Return a sample whose truth is a kernel."""
    return sample_of_vectors(*experiment_of_vectors(vectors(), measure="chi-square"), (4, 4))


@pytest.fixture(scope="module")
def explorer(material: SampleData) -> Explorer:
    """Return its explorer."""
    return Explorer(material)


SETTINGS = [
    "lsh:bits=40",
    "klsh:bits=40,landmarks=50,rank=12,samples=12,kernel=chi-square",
    "klsh:bits=40,landmarks=50,samples=12,kernel=gaussian,scale=3,centre_query=false",
    "klsh:bits=24,landmarks=60,kernel=intersection,norm_filter=0.5,rank=4,samples=9",
    "kpca-lsh:bits=40,landmarks=70,kernel=hellinger,rank=9",
    "nystrom-lsh:bits=40,landmarks=70,kernel=laplacian",
    "preimage-klsh:bits=40,landmarks=40,samples=8",
    "sik:bits=40",
    "bilinear-sik:bits=16",
    "bilinear-lsh:bits=16",
    "bilinear-itq:bits=12,training_items=60",
    "itq:bits=12,training_items=90,iterations=5",
    "kpca-itq:bits=20,landmarks=60,iterations=4,kernel=chi-square",
    "spectral:bits=24",
    "binary:bits=12",
    "lda-itq:bits=12",
    "cca-itq:bits=12",
    "ksh:bits=12,landmarks=60",
    "agh:bits=12,anchors=60",
]


def test_every_method_is_explored() -> None:
    """No method is forgotten here."""
    assert {text.partition(":")[0] for text in SETTINGS} == {method.key for method in METHODS}


def benched(text: str, search: str, metric: str = "") -> Any:
    """Measure the same by bench."""
    experiment, tables = experiment_of_vectors(vectors(), "", "chi-square" if not metric else "", metric)
    return bench(experiment.changed(methods=(text,), search=(search,)), tables=tables).results[0]


@pytest.mark.parametrize(
    ("text", "warm"), [*((text, False) for text in SETTINGS), *((text, True) for text in SETTINGS if "klsh:" in text)]
)
def test_exact_figures_are_those_of_bench_to_the_digit(material: SampleData, text: str, warm: bool) -> None:
    """Whatever is reused, codes and figures are the same."""
    explorer, search = Explorer(material), "scan:candidates=14"
    setting = KnobSetting(catalogue.method(text), catalogue.search_structure(search))
    if warm:  # what was learned for another setting is at hand
        explorer.exact(setting.changed("method.bits", 8))
        explorer.coarse(setting)
    found, wanted = explorer.exact(setting), benched(text, search)
    untimed = {key: value for key, value in found.values.items() if not key.startswith(("seconds", "bytes each"))}
    assert untimed == {key: wanted.values[key] for key in untimed}
    assert {"recall@10", "map", f"overlap@{FIRST}", "looked_at", "bytes model", "bytes search"} <= untimed.keys()
    assert found.values["bytes each"] * N == wanted.values["bytes codes"]
    assert found.note == wanted.note
    assert found.exact
    assert found.queries == 100


@pytest.mark.parametrize("search", [option.key for option in SEARCHES if option.in_memory])
def test_every_search_structure_gives_what_bench_gives(explorer: Explorer, search: str) -> None:
    """Structures that miss something miss the same."""
    text = f"{search}:candidates=12,asymmetric=true" if search != "exact" else search
    found = explorer.exact(KnobSetting(catalogue.method("lsh:bits=16"), catalogue.search_structure(text)))
    wanted = benched("lsh:bits=16", text)
    for key in (f"overlap@{FIRST}", "looked_at", "scanned"):
        assert found.values[key] == wanted.values[key]


@pytest.mark.parametrize("metric", ["whitening"])
@pytest.mark.parametrize("text", ["itq:bits=8", "klsh:bits=24,landmarks=50,rank=9", "lsh:bits=24"])
def test_behind_a_metric_too(metric: str, text: str) -> None:
    """The method learns from what the metric gives, and the metric is the truth."""
    assert metric in {option.key for option in METRICS}
    explorer = Explorer(sample_of_vectors(*experiment_of_vectors(vectors(), metric=metric)))
    found = explorer.exact(KnobSetting(catalogue.method(text), catalogue.search_structure("scan")))
    wanted = benched(text, "scan", metric)
    for key in ("recall@1", "recall@10", "map", "bytes model"):
        assert found.values[key] == wanted.values[key]


@pytest.mark.parametrize("text", SETTINGS)
def test_coarse_codes_of_what_is_known_are_nearly_the_exact_ones(material: SampleData, text: str) -> None:
    """Where nothing is reduced, only projections next to zero may come out otherwise; else it is said."""
    explorer = Explorer(material)
    setting = KnobSetting(catalogue.method(text), catalogue.search_structure("scan"))
    first = explorer.coarse(setting)
    assert not first.exact
    assert first.queries == FEW == first.reduced[0].used
    assert first.reduced[0].of == 100
    exact = explorer.exact(setting)
    method = material.of_images(setting.method)
    columns = KernelColumns(material.images)
    if isinstance(method, KernelMethod):
        columns.learn(method)
    coarse = CoarseCodes(columns).codes(method)
    codes = explorer._codes.peek(setting.method.identity())
    assert codes is not None
    differ = unpack_bits(coarse.planes.T.copy().view(np.uint8), 64 * len(coarse.planes)) != unpack_bits(
        codes.planes.T.copy().view(np.uint8), 64 * len(codes.planes)
    )
    if not coarse.reduced:
        assert differ.mean() < 0.002
        assert abs(exact.values["recall@10"] - first.values["recall@10"]) < 0.25  # of 24 questions and of 100
    else:
        assert all(one.used < one.of for one in coarse.reduced)
        assert abs(exact.values["recall@10"] - first.values["recall@10"]) < 0.45


@pytest.mark.parametrize(
    "search", [*(f"{one.key}:candidates=12" for one in SEARCHES if one.uses_codes and one.in_memory), "exact"]
)
@pytest.mark.parametrize("drops", [False, True])
def test_figures_of_a_few_questions_are_those_of_core(material: SampleData, search: str, drops: bool) -> None:
    """To the digit, also where searches measure few photographs."""
    method, structure = catalogue.method("lsh:bits=16"), catalogue.search_structure(search)
    codes = exact_codes(material, KernelColumns(material.images), method)
    if drops:
        codes = replace(codes, kept=np.arange(N) % 3 > 0)
    few, wanted = material.few, Figures()
    words = np.ascontiguousarray(codes.planes[:, material.query_rows(few)].T)
    judge_ranking(wanted, codes.planes, words, codes.bits, few, silent, codes.kept)
    made = structure.build(codes.planes, codes.bits)
    found = figures_of_few_queries(material, codes, structure, made)
    assert {key: found.values[key] for key in wanted.values} == wanted.values
    if drops:
        return  # structures are built of what is kept there, and of all here
    queries = [CodeQuery(np.ascontiguousarray(code), None) for code in words]
    judge_search(wanted, codes.planes, queries, codes.bits, structure, few, silent)
    for key in (f"overlap@{FIRST}", "looked_at", "scanned", "probed"):
        assert found.values[key] == wanted.values[key]


def test_the_first_bits_of_long_codes_are_the_short_ones(material: SampleData) -> None:
    """Fewer bits cost nothing, and are exact."""
    coarse = CoarseCodes(KernelColumns(material.images))
    for key in ("lsh", "sik"):
        coarse.codes(catalogue.method(f"{key}:bits=200"))
        shorter = coarse.codes(catalogue.method(f"{key}:bits=70"))
        alone = CoarseCodes(KernelColumns(material.images)).codes(catalogue.method(f"{key}:bits=70"))
        assert np.array_equal(shorter.planes, alone.planes)


def test_what_codes_do_not_depend_on_changes_nothing(material: SampleData) -> None:
    """Turning what plays no part leaves coarse figures where exact ones were."""
    explorer = Explorer(material)
    setting = KnobSetting(catalogue.method("itq:bits=12"), catalogue.search_structure("scan"))
    explorer.exact(setting)
    coarse = explorer.coarse(setting.changed("method.sample_fraction", 0.5))
    assert [one.what for one in coarse.reduced] == ["questions"]
    first = explorer.exact(setting, 5).outcome
    assert explorer.coarse(setting.changed("method.sample_fraction", 0.6), 5).outcome == first


@pytest.mark.parametrize("kernel", [option.key for option in KERNELS])
@pytest.mark.parametrize("scale", [None, 2.0])
def test_columns_of_a_kernel_are_what_an_encoder_evaluates(kernel: str, scale: float | None) -> None:
    """Bit for bit, in whatever order they come to be known."""
    x = vectors(60)
    columns = KernelColumns(x)
    resolved = columns.resolved(catalogue._read(Message("The kernel cannot be used."), KERNELS, kernel), 0)
    rows = np.array([3, 50, 7, 21])
    columns.values(resolved, None, np.array([7, 8, 9]))
    from twinlens.core.kernels.kernel import MonotoneTransform

    try:
        wanted = resolved.against(x[rows], None if scale is None else MonotoneTransform(scale)).values(x)
    except TwinlensError:
        with pytest.raises(TwinlensError):
            columns.values(resolved, scale, rows)
        return
    assert np.array_equal(columns.values(resolved, scale, rows), wanted)


def test_an_answer_says_what_agrees_and_what_is_missed(material: SampleData, explorer: Explorer) -> None:
    """Against a plain ranking of everything."""
    setting = KnobSetting(catalogue.method("lsh:bits=16"), catalogue.search_structure("scan:candidates=12"))
    row = 17
    far = material.task.distance.exactly(one_row(material.task.base, row), material.task.base)
    far[row] = np.inf
    true = np.lexsort((np.arange(N), far))[:FIRST].tolist()
    for by_codes in (True, False):
        found = explorer.exact(setting, row, by_codes).outcome
        assert found is not None
        assert found.id == row
        hits = [hit.id for hit in found.results]
        assert len(hits) == FIRST
        assert [hit.rank for hit in found.results] == list(range(1, FIRST + 1))
        assert [hit.agreed for hit in found.results] == [hit in true for hit in hits]
        assert {one.id for one in found.missed} == set(true) - set(hits)
        assert all(one.true_rank == true.index(one.id) + 1 for one in found.missed)
        bits = [hit.bits for hit in found.results]
        if by_codes:
            assert bits == sorted(bits)
            assert all(one.rank > FIRST for one in found.missed)
        else:
            distances = far[hits].tolist()
            assert distances == sorted(distances)


def test_low_rank_leaves_out_a_share_of_the_spectrum(explorer: Explorer) -> None:
    """What is captured grows with the rank up to all of it, and comes of the kernel itself."""
    setting = explorer.begin("klsh", "scan")
    assert setting.method.text() == "klsh:bits=256,kernel=chi-square"  # the truth's own kernel
    shares = [explorer.exact(setting.changed("method.rank", rank)).captured for rank in (1, 4, 16, None)]
    assert shares == sorted(shares)  # type: ignore[type-var]
    assert shares[-1] == pytest.approx(1.0)
    found = explorer.exact(setting)
    assert found.spectrum is not None
    assert shares[1] == pytest.approx(found.spectrum[:4].sum() / found.spectrum.sum())


def test_work_can_be_cancelled(material: SampleData) -> None:
    """Both ways of answering ask the progress."""

    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    explorer = Explorer(material)
    setting = explorer.begin("klsh", "scan")
    for work in (explorer.exact, explorer.coarse):
        with pytest.raises(Cancelled):
            work(setting, progress=stop)
    assert explorer.known(setting) is None


def test_knobs_come_from_the_declarations(explorer: Explorer) -> None:
    """Every number, choice and switch of every declaration can be turned, within its limits."""
    room = KnobLimits(N, D, (4, 4))
    pairs = [(text, "scan") for text in SETTINGS] + [("lsh", search.key) for search in SEARCHES]
    for text, search in pairs:
        setting = KnobSetting(catalogue.method(text), catalogue.search_structure(search))
        made = {knob.path: knob for knob in knobs(setting, room)}
        for family, declared in (("method", setting.method), ("search", setting.search)):
            for about in declared.parameters():
                if about.kind is ParameterKind.TEXT:
                    continue
                knob = made[f"{family}.{about.name}"]
                assert knob.about.help == about.help
                assert len(knob.stops) == len(set(map(repr, knob.stops)))
                if knob.slides:
                    knob = knob.with_value(getattr(declared, about.name))
                    assert knob.stops[knob.place(getattr(declared, about.name))] == getattr(declared, about.name)
                    for stop in knob.stops:
                        setting.changed(knob.path, stop)  # none is refused


def test_what_a_kernel_does_not_allow_says_why(explorer: Explorer) -> None:
    """The transform is for values from 0 to 1; a matrix method for matrices."""
    linear = explorer.begin("klsh", "scan").changed("method.kernel", "linear")
    scale = next(knob for knob in explorer.knobs(linear) if knob.path == "method.scale")
    assert "from 0 to 1" in str(scale.why_not)
    assert not explorer.why_not(explorer.begin("bilinear-lsh", "scan"))
    assert "matrices" in str(
        Explorer(sample_of_vectors(*experiment_of_vectors(vectors(60)))).why_not(explorer.begin("bilinear-lsh", "scan"))
    )
    assert not explorer.why_not(linear)


def test_a_curve_fills_as_values_become_known(material: SampleData) -> None:
    """Neighbouring settings are offered once, ends first; what was read off stays."""
    explorer = Explorer(material)
    setting = explorer.begin("lsh", "scan")
    bits = next(knob for knob in explorer.knobs(setting) if knob.path == "method.bits")
    assert explorer.curve(setting, bits) == []
    offered = explorer.neighbouring(setting, bits, 5)
    assert [one.method.bits for one in offered[:2]] == [bits.stops[0], bits.stops[-1]]
    for one in offered:
        explorer.coarse(one)
    assert explorer.neighbouring(setting, bits, 5) == []
    known = explorer.curve(setting, bits)
    assert [place for place, _ in known] == sorted(bits.place(one.method.bits) for one in offered)
    explorer.exact(offered[2])
    assert [reading.exact for _, reading in explorer.curve(setting, bits)].count(True) == 1
    assert stopped(setting, bits, -4) is None


def test_a_sample_of_a_library_is_drawn_by_its_seed(tmp_path: Path) -> None:
    """The figures are those of bench on the drawn vectors; what is asked for is among them."""
    with make(tmp_path / "made.twinlens", histograms(90), [FEW_BITS]) as library:
        whole = load_material(library, "Few bits")
        assert (whole.library, len(whole.ids), whole.index) == (90, 90, "Few bits")
        experiment, tables = experiment_tables(library, Experiment(index="Few bits", query_count=100, neighbours=FIRST))
        experiment = experiment.changed(methods=("lsh:bits=24",), search=("scan:candidates=12",))
        wanted = bench(experiment, tables=tables).results[0]
        setting = KnobSetting(catalogue.method("lsh:bits=24"), catalogue.search_structure("scan:candidates=12"))
        found = Explorer(whole).exact(setting)
        for key in ("recall@1", "recall@10", "map", f"overlap@{FIRST}"):
            assert found.values[key] == wanted.values[key]
        some = load_material(library, "Few bits", SampleSettings(40, 3))
        assert len(some.ids) == 40
        assert np.array_equal(some.ids, load_material(library, "Few bits", SampleSettings(40, 3)).ids)
        assert not np.array_equal(some.ids, load_material(library, "Few bits", SampleSettings(40, 4)).ids)
        absent = int(np.setdiff1d(whole.ids, some.ids)[0])
        assert some.row_of(absent) == -1
        assert load_material(library, "Few bits", SampleSettings(40, 3, [absent])).row_of(absent) >= 0
        with pytest.raises(TwinlensError):
            load_material(library, "No such index")
