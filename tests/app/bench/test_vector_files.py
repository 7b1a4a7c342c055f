"""Files of vectors, written by others and read back; a damaged or hostile one is a sentence and costs no memory."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.sparse import csr_array

from tests.features.networks import both_signs, network
from twinlens.app.bench.bench_metric import bench_metric
from twinlens.app.bench.experiment import Experiment, read_experiment
from twinlens.app.bench.vector_files import AnnBenchmark, load_vectors, read_labels, read_table
from twinlens.app.lab.experiments.experiment_file import ENDING, open_experiment
from twinlens.app.learn.metric_files import read_metric_file
from twinlens.app.marks.pair_file import read_pairs
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import DEEPEST, parse_json, parse_toml
from twinlens.core.progress import silent
from twinlens.features.network.network_file import network_file_digest
from twinlens.features.network.network_trial import try_network
from twinlens.features.network.onnx_file import OnnxFile

X = np.random.default_rng(0).standard_normal((7, 5)).astype(np.float32)
Reader = Callable[[Path], object]


def npy(descr: str, shape: str, body: bytes = b"", order: str = "False", version: int = 1) -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + len(header).to_bytes(2 if version == 1 else 4, "little") + header + body


def npz(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(f"{name}.npy", content)
    return out.getvalue()


def saved(array: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def sparse(shape: tuple[int, int], layout: str = "csr", **parts: Any) -> bytes:
    whole = {"data": [1.0], "indices": [0], "indptr": [0, 1], **parts}
    arrays = {name: saved(np.array(value)) for name, value in whole.items()}
    return npz(format=saved(np.array(layout.encode())), shape=saved(np.array(shape)), **arrays)


def fvecs(dimensions: int, rows: int = 1, width: int = 4) -> bytes:
    return (dimensions.to_bytes(4, "little", signed=True) + bytes(width * min(abs(dimensions), 8))) * rows


LYING: dict[str, bytes | Callable[[], bytes]] = {
    "negative.npy": npy("'<f4'", "(-1, 5)"),
    "huge.npy": npy("'<f4'", "(1000000000000, 1000000)"),
    "overflow.npy": npy("'<f8'", f"({1 << 32}, {1 << 32})"),
    "short.npy": npy("'<f4'", "(1000000, 1000)", bytes(64)),
    "sides.npy": npy("'<f4'", f"({'1,' * 4000})", bytes(4)),
    "nested.npy": npy("'<f4'", "(" * 5000),
    "million.npy": npy("'<f4'", "(" + "1," * 1_000_000 + ")", version=2),
    "nothing.npy": npy("'|S0'", "(5, 5)"),
    "wide.npy": npy("'<U99999999'", "(1, 1)", bytes(64)),
    "object.npy": npy("'|O'", "(1, 1)", b"cos\nsystem\n(S'true'\ntR."),
    "fields.npy": npy("[('a', '<f4')]", "(1, 1)", bytes(4)),
    "empty.npy": npy("'<f4'", "(0, 1000000)"),
    "empty_of_huge.npy": npy("'<f4'", f"(0, {1 << 61}, {1 << 61})"),
    "version.npy": npy("'<f4'", "(1, 1)", bytes(4), version=9),
    "header.npy": b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
    "zero.npy": b"",
    "text.npy": saved(np.array([["a", "b"]])),
    "complex.npy": saved(np.ones((2, 2), complex)),
    "bomb.npz": lambda: npz(x=npy("'|u1'", "(270000000, 1)", bytes(270_000_000))),  # too much work for an import
    "lying.npz": npz(x=npy("'<f4'", "(1000000000, 1000000)")),
    "longer.npz": npz(x=npy("'<f4'", "(1, 1)", bytes(400))),
    "object.npz": npz(x=npy("'|O'", "(1, 1)", b"cos\nsystem\n(S'true'\ntR.")),
    "many.npz": npz(**{f"a{number}": b"" for number in range(2000)}),
    "tall.npz": sparse((1 << 40, 1), "csc"),
    "outside.npz": sparse((1, 3), indices=[9]),
    "backwards.npz": sparse((2, 3), indptr=[0, 5, 1]),
    "negative.npz": sparse((-1, 3)),
    "layout.npz": sparse((1, 3), "__class__"),
    "negative.fvecs": fvecs(-5),
    "huge.fvecs": fvecs(2**31 - 1),
    "million.fvecs": fvecs(1_000_000),
    "none.bvecs": fvecs(0),
    "negative.bvecs": fvecs(-(2**31), width=1),
    "odd.hdf5": b"\x89HDF\r\n\x1a\n" + bytes(200),
}  # fmt: skip


@pytest.mark.parametrize("name", LYING)
def test_what_lies_about_its_size_takes_no_memory(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    content = LYING[name]
    file.write_bytes(content() if callable(content) else content)
    tracemalloc.start()
    try:
        with pytest.raises(TwinlensError):
            read_table(str(file))
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_hdf5_that_points_elsewhere(tmp_path: Path) -> None:
    import h5py

    (tmp_path / "secret").write_bytes(bytes(4 * 25))
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["x"] = X
    source = h5py.VirtualSource(str(tmp_path / "other.h5"), "x", (7, 5))
    layout = h5py.VirtualLayout((7, 5), "<f4")
    layout[:] = source
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["link"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "x")
        file["soft"] = h5py.SoftLink("/link")
        file.create_dataset("stored", (5, 5), "<f4", external=[(str(tmp_path / "secret"), 0, 100)])
        file.create_virtual_dataset("virtual", layout)
        file.create_dataset("huge", (1 << 30, 1 << 10), "<f4", chunks=(1 << 10, 1 << 10))
        file.create_dataset("unfilled", (1 << 20, 1 << 10), "<f4")
        file.create_dataset("words", (3, 3), h5py.string_dtype())
        file["nothing"] = h5py.Empty("<f4")
        file.create_group("group")
    for name in ("link", "soft", "stored", "virtual", "huge", "unfilled", "words", "nothing", "group"):
        with pytest.raises(TwinlensError, match="cannot be read"):
            read_table(f"{tmp_path / 'x.h5'}::{name}")


DEEP: dict[str, str | bytes] = {
    "lists.json": "[" * 100_000,
    "closed.json": "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2),
    "objects.json": '{"a":' * 50_000,
    "lists.toml": "base = " + "[" * 100_000,
    "tables.toml": "base = " + "{a = " * 20_000,
    "keys.toml": "a." * 60_000 + "a = 1",
    "header.toml": "[" + '"a\\"b".' * 20_000 + "a]",
    "long.toml": "#" * (1 << 19),
    "number.json": "1" * 100_000,
    "bytes.json": b"\xff\xfe\x00",
    "bytes.toml": b"\xff",
    "surrogates.json": '[{"first": "\\ud800"}]',
}  # fmt: skip


@pytest.mark.parametrize("name", DEEP)
def test_what_is_nested_without_end(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    content = DEEP[name]
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(TwinlensError):
        read_experiment(file) if file.suffix == ".toml" else read_pairs(file)
    with zipfile.ZipFile(tmp_path / f"x{ENDING}", "w") as packed:
        packed.write(file, "experiment.json")
    with pytest.raises(TwinlensError):
        open_experiment(tmp_path / f"x{ENDING}")


def test_depth_has_one_limit() -> None:
    parse_json("[" * DEEPEST + "]" * DEEPEST)
    parse_toml(f"a = {'[' * (DEEPEST - 1)}{']' * (DEEPEST - 1)}")
    with pytest.raises(ValueError, match="too deeply"):
        parse_json("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="makes a pipe")
@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.fvecs", "x.h5", "x.json", "x.csv", "x.toml", f"x{ENDING}"])
def test_pipes_devices_and_folders_are_not_waited_for(tmp_path: Path, name: str) -> None:
    read = READERS[Path(name).suffix]
    os.mkfifo(tmp_path / name)
    (tmp_path / "zero").mkdir()
    (tmp_path / "zero" / name).symlink_to("/dev/zero")
    (tmp_path / "folder" / name).mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "zero", tmp_path / "folder", tmp_path / "missing"):
        with pytest.raises(TwinlensError):
            read(folder / name)


# --- mutations of files that are whole --------------------------------------------------------------------------------
def _table(file: Path) -> None:
    read_table(str(file))
    read_labels(str(file), 7)


def _sparse_metric(file: Path) -> None:
    table: Any = csr_array(X)
    bench_metric(str(file), table, silent)


READERS: dict[str, Reader] = {
    **dict.fromkeys((".npy", ".npz", ".fvecs", ".ivecs", ".bvecs", ".hdf5", ".h5"), _table),
    ".json": read_pairs,
    ".csv": read_pairs,
    ".toml": read_experiment,
    ENDING: open_experiment,
}


def _vecs(x: Any) -> bytes:
    return b"".join(np.int32(x.shape[1]).tobytes() + row.tobytes() for row in x)


def _hdf5(folder: Path) -> bytes:
    import h5py

    with h5py.File(folder / "made.h5", "w") as file:
        file["train"] = X
        file.create_dataset("test", data=X[:2], compression="gzip", shuffle=True)
    return (folder / "made.h5").read_bytes()


def _pairs() -> bytes:
    row = {"first": "a.jpg", "second": "b.jpg", "judgement": "similar", "origin": "x", "created": "2024-01-01"}
    return json.dumps([row] * 4).encode()


def _mutated(whole: bytes, rng: random.Random) -> bytes:
    """Change a few bytes, cut, double or exchange a part."""
    made = bytearray(whole)
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(made) + 1), rng.randrange(len(made) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            made[at : at + 1] = bytes([rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))])
        elif kind == 1:
            made[at : at + 4] = rng.choice((b"\xff\xff\xff\xff", bytes(4), b"\xff\xff\xff\x7f", b"\0\0\0\x80"))
        elif kind == 2 and at:
            del made[at:]
        elif kind == 3:
            made[at:at] = made[min(at, other) : min(at, other) + 64]
        else:
            made[at:at] = rng.choice((b"[[[[", b'"', b"-1", b"99999999999999999999", b"NaN", b"(", b"\n", b"{"))
        if not made:
            made = bytearray(b"\0")
    return bytes(made)


def _whole(kind: str, folder: Path) -> tuple[str, bytes, Reader]:
    """Return the ending of a file of some kind, a whole one, and what reads it."""
    rows = npz(S=saved(np.eye(7, dtype=np.float32)), items=saved(X))
    plan = Experiment(base="x.npy", methods=("lsh:bits=16",), seeds=(1, 2), marks=(4,), epsilons=(0.5,)).to_toml()
    made: dict[str, tuple[str, bytes, Reader]] = {
        "array": (".npy", saved(X), _table),
        "arrays": (".npz", npz(x=saved(X), labels=saved(np.arange(7))), _table),
        "sparse": (".npz", sparse((2, 3), indptr=[0, 1, 1]), _table),
        "vectors": (".fvecs", _vecs(X), _table),
        "bytes": (".bvecs", _vecs((X * 10).astype(np.uint8)), _table),
        "pairs": (".json", _pairs(), read_pairs),
        "lines": (".csv", b"first,second,judgement\na.jpg,b.jpg,similar\n1,2,-\n", read_pairs),
        "plan": (".toml", plan.encode(), read_experiment),
        "metric": (".npz", rows, read_metric_file),
        "factor": (".npy", saved(X), read_metric_file),
        "sparse metric": (".npz", rows, _sparse_metric),
    }
    return made[kind] if kind != "hdf5" else (".h5", _hdf5(folder), _table)


@pytest.mark.parametrize(
    "kind",
    ["array", "arrays", "sparse", "vectors", "bytes", "pairs", "lines", "plan", "metric", "factor", "sparse metric",
     "hdf5"],
)  # fmt: skip
def test_whatever_is_changed_in_a_whole_file_is_a_sentence(tmp_path: Path, kind: str) -> None:
    ending, whole, read = _whole(kind, tmp_path)
    rng = random.Random(kind)
    refused = 0
    for _ in range(int(os.environ.get("TWINLENS_MUTATIONS", "60"))):
        content = _mutated(whole, rng)
        # A packed file is told by its checksum, so that what is in it is changed, too.
        if ending == ".npz" and rng.random() < 0.7:
            with zipfile.ZipFile(io.BytesIO(whole)) as packed:
                members = {name.removesuffix(".npy"): packed.read(name) for name in packed.namelist()}
            chosen = rng.choice(sorted(members))
            content = npz(**{**members, chosen: _mutated(members[chosen], rng)})
        file = tmp_path / f"x{ending}"
        file.unlink(missing_ok=True)  # the one before may still be mapped
        file.write_bytes(content)
        try:
            read(file)
        except TwinlensError:
            refused += 1
    assert refused


def test_a_damaged_network_ends_no_program(tmp_path: Path) -> None:
    whole, rng = network(both_signs()), random.Random(0)
    for _ in range(500):
        with contextlib.suppress(ValueError):
            OnnxFile(_mutated(whole, rng))
    file = tmp_path / "x.onnx"
    file.write_bytes(_mutated(whole, random.Random(24)))  # ends OpenCV 5.0 by a signal
    with pytest.raises(TwinlensError, match="no ONNX network that can be read"):
        try_network(str(file), network_file_digest(str(file)), 64, 64, None)


def vecs(path: Path, x: npt.NDArray[np.generic]) -> Path:
    rows = [np.int32(x.shape[1]).tobytes() + row.tobytes() for row in x]
    path.write_bytes(b"".join(rows))
    return path


def test_what_was_written_is_read(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    np.savez(tmp_path / "x.npz", base=X, labels=np.arange(7))
    bytes_ = np.random.default_rng(1).integers(0, 256, (4, 3), np.uint8)
    for name, expected in (
        (tmp_path / "x.npy", X),
        (tmp_path / "x.npz", X),
        (f"{tmp_path / 'x.npz'}::labels", np.arange(7)),
        (vecs(tmp_path / "x.fvecs", X), X),
        (vecs(tmp_path / "x.ivecs", (10 * X).astype(np.int32)), (10 * X).astype(np.int32)),
        (vecs(tmp_path / "x.bvecs", bytes_), bytes_),
    ):
        np.testing.assert_array_equal(load_vectors(str(name)), expected)


def test_hdf5_of_ann_benchmarks(tmp_path: Path) -> None:
    import h5py

    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        file["train"], file["test"] = X, X[:2]
    np.testing.assert_array_equal(load_vectors(str(tmp_path / "x.hdf5")), X)
    np.testing.assert_array_equal(load_vectors(f"{tmp_path / 'x.hdf5'}::test"), X[:2])


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_sparse_tables_of_scipy(tmp_path: Path, layout: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    table = sparse.random(9, 5_000, 0.01, random_state=0, format=layout)
    sparse.save_npz(tmp_path / "x.npz", table)
    read = load_vectors(str(tmp_path / "x.npz"))
    assert read.format == "csr"
    np.testing.assert_array_equal(read.toarray(), table.toarray().astype(np.float32))


def test_ann_benchmarks_files_are_known_by_what_they_hold(tmp_path: Path) -> None:
    import h5py

    whole = str(tmp_path / "x.hdf5")
    with h5py.File(whole, "w") as file:
        file["train"] = X
    (tmp_path / "bad.hdf5").write_bytes(b"no hdf5")
    assert AnnBenchmark.read(whole) is None
    assert AnnBenchmark.read(str(tmp_path / "bad.hdf5")) is None
    with h5py.File(whole, "a") as file:
        file["test"] = X
    assert AnnBenchmark.read(whole) == AnnBenchmark(whole, "", False)
    assert AnnBenchmark.read(f"{whole}::train") is None


@pytest.mark.parametrize(
    ("said", "distance"),
    [
        ("angular", "angular"), (np.bytes_(b"angular"), "angular"), (b"dot\n\xff", None), (7, "?"), ("x" * 9_000, None),
        (np.array([b"angular"]), "angular"), (np.array(["a", "b"], "S1"), "?"), (np.zeros(300), "?"),
    ],
)  # fmt: skip
def test_only_a_word_is_taken_for_a_distance(tmp_path: Path, said: object, distance: str | None) -> None:
    import h5py

    whole = str(tmp_path / "x.hdf5")
    with h5py.File(whole, "w") as file:
        file["train"] = file["test"] = X
        file.attrs["distance"] = said
    found = AnnBenchmark.read(whole)
    assert found is not None
    assert "\n" not in found.distance
    assert len(found.distance) <= 100
    assert distance is None or found.distance == distance


@pytest.mark.parametrize(
    ("said", "truth"),
    [("angular", "cosine"), ("Angular ", "cosine"), ("cosine", "cosine"), ("L2", "l2"), ("", ""), ("?", None)],
)
def test_a_distance_is_our_truth_or_refused(said: str, truth: str | None) -> None:
    file = AnnBenchmark("x.hdf5", said, False)
    if truth is None:
        with pytest.raises(TwinlensError, match="not measured here"):
            file.measure("")
        assert file.measure("l2") == ""
    else:
        assert file.measure("") == truth


def test_what_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    whole = vecs(tmp_path / "x.fvecs", X).read_bytes()
    np.savez(tmp_path / "two.npz", a=X, b=X)
    for name, content, words in (
        ("missing.npy", None, "no file"),
        ("x.txt", b"1 2 3", "not a known kind of vector file"),
        ("cut.fvecs", whole[:-3], "damaged"),
        ("odd.fvecs", whole[:24] + b"\x09" + whole[25:], "row 1"),
        ("empty.fvecs", b"", "holds no vectors"),
        ("short.fvecs", b"abc", "holds no vectors"),
        ("bad.npy", b"no numpy", r"cannot be read: it is no file of plain arrays of numbers\. Write"),
        ("bad.npz", b"no zip", "cannot be read"),
        ("pickled.npy", np.lib.format.magic(1, 0) + b"\x00", "cannot be read"),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(TwinlensError, match=words):
            load_vectors(str(tmp_path / name))
    with pytest.raises(TwinlensError, match="several arrays: a, b"):
        load_vectors(str(tmp_path / "two.npz"))
    with pytest.raises(TwinlensError, match="no array “c”"):
        load_vectors(f"{tmp_path / 'two.npz'}::c")
