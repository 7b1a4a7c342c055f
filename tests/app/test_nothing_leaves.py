"""No process of Twinlens reaches for another machine, and no library leaves anything in a person's folders.

The tests of the window have the same for the window.
"""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from hypothesis import settings

from conftest import ROOT
from tests.app.folders import write_scenes
from tests.guarded import TWINLENS, Guarded

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the guard of sockets is Linux's")

TELEMETRY = "home/.cache/Microsoft"

IMPORTED = """
import importlib, sys, time

from twinlens import core

lacking = []
for name in sys.argv[2:]:
    try:
        importlib.import_module(name)
    except ImportError:
        lacking.append(name)
from twinlens.features.network.ready_made_network import onnx
from twinlens.features.network.network_file import OpenNetwork
import numpy as np

assert OpenNetwork("a network", onnx("efficientnet-lite0")).run(np.zeros((3, 224, 224), np.float32)).any()
time.sleep(float(sys.argv[1]))
print(*lacking)
"""


@pytest.fixture
def guarded(tmp_path: Path) -> Guarded:
    return Guarded(tmp_path)


def hold_s() -> float:
    """Return for how long a process lives on: some libraries tell of themselves after half a minute only."""
    return 45 if settings.get_current_profile_name() == "thorough" else 0.5


def test_commands_ask_for_no_socket_and_leave_no_foreign_file(guarded: Guarded, tmp_path: Path) -> None:
    photographs = write_scenes(tmp_path / "photographs", 4)
    library = ["--library", str(tmp_path / "family.twinlens")]
    for command in (
        ["add", str(tmp_path / "photographs"), "--workers", "2"],
        ["search", str(photographs[1])],
        ["duplicates"],
    ):
        done = guarded.run(*TWINLENS, *library, *command)
        assert done.returncode == 0, done.stderr
    assert guarded.sockets == []
    assert guarded.left() == []


def test_a_cluster_of_this_machine_asks_for_no_socket(guarded: Guarded, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    write_scenes(tmp_path / "photographs", 4)
    library = ["--library", str(tmp_path / "family.twinlens")]
    done = guarded.run(*TWINLENS, *library, "add", str(tmp_path / "photographs"), "--cluster", "local:2")
    assert done.returncode == 0, done.stderr
    assert guarded.sockets == []
    assert guarded.left() == []


def test_no_dependency_asks_for_a_socket(guarded: Guarded) -> None:
    done = guarded.run(sys.executable, "-c", IMPORTED, str(hold_s()), *dependencies())
    assert done.returncode == 0, done.stderr
    lacking = {name.partition(".")[0] for name in done.stdout.split()}
    assert lacking <= {"PySide6", "Shiboken", "shiboken6"}  # Qt, where it is hidden or the system lacks what it needs
    assert guarded.sockets == []
    assert guarded.left() == []


def dependencies() -> list[str]:
    """List the modules of all locked packages, and those of them that a module of Twinlens imports."""
    locked = {
        re.sub(r"[-_.]+", "-", name).lower()
        for name in re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    }
    tops = {
        top
        for top, names in packages_distributions().items()
        if top.isidentifier() and {re.sub(r"[-_.]+", "-", name).lower() for name in names} & locked
    }
    imported = set()
    for file in (ROOT / "twinlens").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                imported |= {one.name for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module)
    assert {"onnxruntime", "cv2", "PIL", "sqlalchemy"} <= tops
    return sorted(tops | {name for name in imported if name.partition(".")[0] in tops})


# ---- that the tests above would notice -------------------------------------------------------------------------------


def test_the_library_of_networks_does_leave_files_where_nothing_forbids_it(guarded: Guarded) -> None:
    done = guarded.run(sys.executable, "-c", "import onnxruntime")
    assert done.returncode == 0, done.stderr
    assert any(path.startswith(TELEMETRY) for path in guarded.left())


@pytest.mark.parametrize(
    "program",
    [
        "import socket; socket.socket()",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import ctypes; ctypes.CDLL(None).socket(10, 1, 0)",
        "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', 'import socket; socket.socket()'])",
    ],
    ids=["a socket", "a name that is looked up", "native code", "a process of it"],
)
def test_the_guard_notices(guarded: Guarded, program: str) -> None:
    guarded.run(sys.executable, "-S", "-c", program)
    assert re.match(r"AF_INET6? of .*-c import", guarded.sockets[0])
