"""Decoding ends when its processor time is up, also within native code; time goes by a picture's size."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.features.sample_pictures import encode, scene
from twinlens.features.reading import reading_limits

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timer for it")

_READ = """
import sys
from pathlib import Path
from twinlens.features.reading import reading_limits as processor_time
from twinlens.features.reading.reading import read
processor_time.BASE_S = float(sys.argv[1])
data = Path(sys.argv[2]).read_bytes()
read(data)  # what is imported on the way takes time, too
processor_time.enforce_processor_time()
processor_time.begin_file(len(data))
for _ in range(int(sys.argv[3])):
    read(data)
processor_time.end_processor_time()
sum(range(10_000_000))
print("ended by itself")
"""


def _read(path: Path, seconds: float, times: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _READ, str(seconds), str(path), str(times)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_a_process_ends_when_a_pictures_time_is_up(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(encode(scene(640, 480), "JPEG"))
    ended = _read(path, 0.1, 100_000)
    assert (ended.returncode, ended.stdout) == (-signal.SIGPROF, "")


def test_what_comes_after_decoding_is_not_limited(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(encode(scene(), "JPEG"))
    ended = _read(path, 0.1, 1)
    assert (ended.returncode, ended.stdout) == (0, "ended by itself\n")


def test_a_hundred_megapixels_have_ten_seconds() -> None:
    assert reading_limits.BASE_S + reading_limits.decoding_seconds(10_000, 10_000) == pytest.approx(10)


def test_nothing_is_limited_where_nobody_asked_for_it() -> None:
    reading_limits.begin_file(0)
    reading_limits.allow_picture(1, 1)
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
