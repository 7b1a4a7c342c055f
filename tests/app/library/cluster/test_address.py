from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.library.cluster.address import ClusterAddress, imported
from core.errors import TwinlensError
from tests.app.folders import write_scenes

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("text", ["tcp://archive:8786", "tls://10.0.0.7:8786", "tcp://[::1]:8786"])
def test_the_address_of_a_scheduler(text: str) -> None:
    assert ClusterAddress(text).local == 0


def test_processes_of_this_machine() -> None:
    assert ClusterAddress("local:4").local == 4


@pytest.mark.parametrize(
    "text", ["", "archive", "archive:8786", "http://archive:80", "tcp://archive", "local", "local:0", "tcp://a b:1"]
)
def test_what_is_no_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(TwinlensError, match=r"no address of a cluster.*tcp://HOST:8786"):
        ClusterAddress(text)


def test_a_missing_package_is_told_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TwinlensError, match=r"needs the package distributed.*pip install distributed"):
        imported()


def test_an_encrypted_address_needs_certificates(tmp_path: Path) -> None:
    with pytest.raises(TwinlensError, match=r"needs certificates.*--tls-ca"):
        ClusterAddress("tls://archive:8786").security()
    with pytest.raises(TwinlensError, match="certificates cannot be read"):
        ClusterAddress("tls://archive:8786", *(tmp_path / name for name in ("ca", "cert", "key"))).security()


def test_without_a_cluster_nothing_of_it_is_imported(tmp_path: Path) -> None:
    write_scenes(tmp_path / "photographs", 1)
    arguments = ["--library", str(tmp_path / "family.twinlens"), "--quiet", "add", str(tmp_path / "photographs")]
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from app.cli.main import main\n"
        "try:\n"
        f"    main([*{arguments!r}, '--workers', '1'])\n"
        "finally:\n"
        "    print(sorted({'distributed', 'dask', 'tornado'} & {*sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
