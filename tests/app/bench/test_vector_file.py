"""Files of vectors, written by others and read back; damaged ones are sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.bench.vector_files import has_array, load_vectors
from core.errors import TwinlensError

X = np.random.default_rng(0).standard_normal((7, 5)).astype(np.float32)


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

    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        file["train"] = X
    (tmp_path / "bad.hdf5").write_bytes(b"no hdf5")
    assert has_array(str(tmp_path / "x.hdf5"), "train")
    assert not has_array(str(tmp_path / "x.hdf5"), "test")
    assert not has_array(f"{tmp_path / 'x.hdf5'}::train", "train")
    assert not has_array(str(tmp_path / "bad.hdf5"), "train")


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
