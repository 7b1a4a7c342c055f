"""What `pip install twinlens` brings without extras: scripts compare methods, and what is missing is a sentence."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from twinlens import workbench
from twinlens.app.notices import needed_packages, registered
from twinlens.core.errors import TwinlensError

ROOT = Path(__file__).resolve().parents[2]
SMALL = [
    re.split(r"[\[<>=; ]", text)[0]
    for text in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
]

HIDE = """
import sys
from importlib.machinery import PathFinder

class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in HIDDEN else super().find_spec(name, path, target)

sys.meta_path[:] = [Finder if finder is PathFinder else finder for finder in sys.meta_path]
"""

COMPARING = """
import h5py
import numpy as np
from twinlens import workbench

x = np.random.default_rng(0).normal(size=(400, 16)).astype(np.float32)
with h5py.File("x.hdf5", "w") as file:
    file["train"] = x
x = workbench.load_vectors("x.hdf5")
for row in workbench.bench(x, 20, METHODS):
    print(row["method"], row["bytes each"], row["refused"], sep="|")
"""


def run_hidden(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program where nothing but what the small installation brings, and faiss, can be imported."""
    brought = {"twinlens", "faiss-cpu", *(key for name in SMALL for key in needed_packages(name, ()))}
    tops = packages_distributions()
    hidden = {top for top, names in tops.items() if not brought & {registered(name) for name in names}}
    assert {"PySide6", "sqlalchemy", "PIL", "cv2", "click"} <= hidden
    return subprocess.run(
        [sys.executable, "-c", f"HIDDEN = {hidden!r}\n{HIDE}\n{program}"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_script_compares_methods_at_equal_bytes(tmp_path: Path) -> None:
    methods = ["itq:bits=16", *(["faiss:PQ2x4"] if find_spec("faiss") else [])]
    done = run_hidden(f"METHODS = {methods!r}\n{COMPARING}", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == methods
    assert float(rows[0][1]) == 2
    assert not any(row[2] for row in rows)


CATCHING = """
from twinlens import workbench
try:
    workbench.{call}
except workbench.TwinlensError as error:
    raise SystemExit(str(error))
"""


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("from twinlens.start import command; command()", "pip install 'twinlens[app]'"),
        ("from twinlens.start import window; window()", "pip install 'twinlens[app]'"),
        (CATCHING.format(call="describe(['x.jpg'])"), "pip install 'twinlens[pictures]'"),
        (CATCHING.format(call="estimator('itq')"), "pip install scikit-learn"),
    ],
)
def test_what_it_lacks_is_a_sentence(program: str, said: str, tmp_path: Path) -> None:
    done = run_hidden(program, tmp_path)
    assert done.returncode in {1, 2}
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_pictures_become_vectors(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for number in range(3):
        pixels = rng.integers(0, 256, (6, 8, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((160, 120)).save(tmp_path / f"{number}.png")
    files = sorted(tmp_path.glob("*.png"))
    for text in ("edges", "colour", "compact-vlad:dimensions=64"):
        vectors = workbench.describe(files, text)
        assert vectors.shape[0] == 3
        assert vectors.dtype == np.float32
        assert (workbench.describe(files[1:2], text)[0] == vectors[1]).all()
    (tmp_path / "none.png").write_bytes(b"no picture")
    with pytest.raises(TwinlensError, match=r"none\.png"):
        workbench.describe([tmp_path / "none.png"])
    with pytest.raises(TwinlensError, match=r"no file .*away\.png"):
        workbench.describe([tmp_path / "away.png"])
