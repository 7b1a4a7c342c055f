"""The man page names every command, option, variable and file, and roff takes all of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.main import every_command, option_rows, twinlens
from app.machine import app_folders
from tools.distribution.man_page import escaped, man_page

ROOT = Path(__file__).parents[3]
PAGE = man_page()


def plain(roff: str) -> str:
    """Take the escapes of the page back."""
    bare = re.sub(r"\\f[BR]|\\&", "", roff).replace("\\-", "-").replace("\\(aq", "'").replace("\\(ti", "~")
    bare = bare.replace("\\(ha", "^").replace("\\e", "\\")
    return re.sub(r"\\\[u([0-9A-F]+)\]", lambda found: chr(int(found[1], 16)), bare)


def test_every_command_and_option_is_there() -> None:
    sections = {one.split(" [")[0].split("\n")[0]: one for one in plain(PAGE).split("\n.SS ")}
    root, *others = every_command(twinlens, "twinlens")
    shared = option_rows(root)
    for option, _help in shared:
        assert f"\n.TP\n{option}\n" in plain(PAGE)
    for ctx in others:
        (section,) = [one for name, one in sections.items() if name.rstrip() == ctx.command_path]
        for option, _help in option_rows(ctx):
            assert (f"\n.TP\n{option}\n" in section) != ((option, _help) in shared), (ctx.command_path, option)


def test_it_names_every_variable_and_no_place_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [path for package in ("app", "core", "features", "storage") for path in (ROOT / package).rglob("*.py")]
    named = {name for path in sources for name in re.findall(r"\bTWINLENS_[A-Z]+\b", path.read_text(encoding="utf-8"))}
    assert app_folders.DATA_VARIABLE in named
    assert named <= set(re.findall(r"\bTWINLENS_[A-Z]+\b", plain(PAGE)))
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert man_page() == PAGE
    if sys.platform == "linux":
        assert "\\(ti/.local/share/twinlens/library.twinlens" in PAGE


def test_it_leads_nowhere_on_a_network() -> None:
    assert not re.search("https?://|www", plain(PAGE))


def test_no_sign_of_aescaped_is_a_request() -> None:
    assert escaped(".TH \\x 'y' `z`") == "\\&.TH \\ex \\(aqy\\(aq \\fBz\\fR"
    assert escaped("'so") == "\\(aqso"
    assert plain(escaped("“ü” – ✓ ~ ^")) == "“ü” – ✓ ~ ^"
    assert PAGE.isascii()


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_roff_finds_no_fault_in_it() -> None:
    done = subprocess.run(["groff", "-man", "-ww", "-z"], input=PAGE, capture_output=True, text=True, check=True)
    assert done.stderr == ""
