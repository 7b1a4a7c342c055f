"""What pip installs is one package, and Ctrl-C while it only begins ends it without a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import Distribution, version
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).resolve().parents[2]

_PROGRAM = """
import os, signal, sys

script, module, *sys.argv[1:] = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background


class Interrupting:
    def find_spec(self, name, *_):
        if name == module:
            os.write(1, b"interrupted")
            signal.raise_signal(signal.SIGINT)


sys.meta_path.insert(0, Interrupting())
from twinlens import start

getattr(start, script)()
"""
"""A script that is interrupted at the moment at which it imports a module."""


@pytest.mark.parametrize(
    ("script", "module"),
    [
        ("command", "twinlens.app.cli.main"),
        ("command", "pydantic"),
        ("command", "twinlens.app.cli.library"),
        ("window", "twinlens.app.gui.frame.start"),
    ],
)
def test_ctrl_c_while_it_imports(script: str, module: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, script, module, "status", "--library", str(tmp_path / "a.twinlens")],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.stdout.startswith(b"interrupted")
    assert done.returncode == 130
    assert b"Traceback" not in done.stderr


def test_who_has_it_ignored_is_obeyed() -> None:
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); from twinlens import start; start._end_quietly();"
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN"
    )
    subprocess.run([sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)


PARTS = ("app", "core", "features", "resources", "storage", "testing")

PROGRAM = """
import importlib, sys
from twinlens.start import command
from twinlens.core.worker_process import LightProcess
worker = LightProcess(target=importlib.import_module, args=("twinlens.core.message",))
worker.start()
sys.argv[1:] = ["methods", "itq", "--json"]
try:
    command()
finally:
    worker.join()
    assert worker.exitcode == 0
"""
"""A command, and beside it a process such as those that read photographs."""


def _built(folder: Path, **variables: str) -> Path:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env=os.environ | variables)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, and lay it out as pip does."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = _built(folder)
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site-packages")
    return folder / "site-packages"


def test_a_wheel_with_compiled_loops_is_for_one_system_and_python(tmp_path: Path) -> None:
    loops = tmp_path / "loops"
    loops.mkdir()
    (loops / "loops_generic.so").write_bytes(b"machine code")
    wheel = _built(tmp_path, TWINLENS_LOOPS=str(loops))
    assert f"-cp{sys.version_info[0]}{sys.version_info[1]}-" in wheel.name
    assert "any" not in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read("twinlens/core/compilation/loops_generic.so") == b"machine code"


def test_an_installation_takes_one_name(installed: Path) -> None:
    metadata = f"twinlens-{version('twinlens')}.dist-info"
    assert {path.name for path in installed.iterdir()} == {"twinlens", metadata}
    assert {path.name for path in (installed / "twinlens").iterdir() if path.is_dir()} == set(PARTS)
    # By its place: a search asks every finder that a library imported by other tests has brought along.
    found = Distribution.at(installed / metadata)
    assert {point.name: point.value for point in found.entry_points} == {
        "twinlens": "twinlens.start:command",
        "twinlens-gui": "twinlens.start:window",
    }
    assert (installed / "twinlens" / "resources" / "translations" / "de.mo").exists()


def test_modules_of_the_same_names_elsewhere_are_never_imported(installed: Path, tmp_path: Path) -> None:
    hostile, ran = tmp_path / "here", tmp_path / "ran"
    for name in PARTS:
        (hostile / name).mkdir(parents=True)
        (hostile / name / "__init__.py").write_text(f"open({str(ran)!r}, 'a').write({name!r}); raise SystemExit(3)")
    # Without `site` this Python does not see the checkout, which is installed in place; so its libraries are named.
    libraries = str(Path(click.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(hostile), str(installed), libraries])}
    done = subprocess.run(
        [sys.executable, "-S", "-c", PROGRAM],
        cwd=hostile,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["declarations"][0]["key"] == "itq"
    assert not ran.exists()
