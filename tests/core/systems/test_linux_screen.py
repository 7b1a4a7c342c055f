"""Whether there is a screen is known before Qt is asked, which would end the process."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("elsewhere there always is a screen", allow_module_level=True)

from core.systems.linux import has_screen


@pytest.fixture(autouse=True)
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_screen_there_is_none() -> None:
    assert not has_screen()


def test_a_screen_that_is_told_of_must_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":54321")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    assert not has_screen()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        assert has_screen()


def test_a_screen_of_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("DISPLAY", f"127.0.0.1:{server.getsockname()[1] - 6000}.0")
        assert has_screen()
    assert not has_screen()
