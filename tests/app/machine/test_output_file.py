"""Outputs: whole or as before, in the place of their own kind alone, and never of a picture."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from app.machine.output_file import (
    BACKUP,
    DOCUMENT,
    DRAWING,
    EXPERIMENT,
    ONLY_COPY,
    PAGE,
    PAGE_MARK,
    Kind,
    OutputFile,
    table,
)  # fmt: skip
from core.errors import TwinlensError
from core.files.unfinished_copies import take_name
from tests.features.sample_pictures import encode, scene

TABLE = table(("id", "path"))
OWN = {
    PAGE: f'<!doctype html><html><head><meta charset="utf-8">{PAGE_MARK}'.encode(),
    TABLE: b"id,path\r\n1,a.jpg\r\n",
    DOCUMENT: b'{\n  "generator": "Twinlens",\n  "runs": []}',
    EXPERIMENT: b"PK\x03\x04" + bytes(26) + b"experiment.json",
}
ORIGINALS = {
    "jpeg": encode(scene(64, 48, 1), "JPEG"),
    "png": encode(scene(64, 48, 1), "PNG"),
    "tiff": encode(scene(64, 48, 1), "TIFF"),
    "heic": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
    "raw": b"FUJIFILMCCD-RAW " + bytes(200),
    "film": b"\0\0\0\x14ftypqt  \0\0\0\0qt  ",
    "avi": b"RIFF\0\0\0\0AVI LIST",
    "exr": b"v/1\x01" + bytes(60),
}


def identity(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def message(output: OutputFile, kind: Kind) -> str:
    with pytest.raises(TwinlensError) as caught:
        output.write(b"new", kind)
    with pytest.raises(TwinlensError) as checked:
        output.check(kind)
    assert checked.value.message == caught.value.message
    return str(caught.value)


def write_while(path: Path, happening: Callable[[], object]) -> None:
    """Write a table while something else happens."""
    with OutputFile(path).opened_text(TABLE) as file:
        file.write("id,path\r\n")
        happening()


@pytest.mark.parametrize("kind", OWN, ids=["page", "table", "document", "experiment"])
def test_an_output_replaces_its_own_kind_alone(kind: Kind, tmp_path: Path) -> None:
    output = OutputFile(tmp_path / "x")
    output.check(kind)
    assert names(tmp_path) == set()
    for content in (OWN[kind], OWN[kind] + b"again"):
        output.write(content, kind)
        assert output.path.read_bytes() == content
    for other in {*OWN, DRAWING, ONLY_COPY} - {kind}:
        assert "exists" in message(output, other)
    assert output.path.read_bytes() == OWN[kind] + b"again"
    output.path.write_bytes(b"")
    output.write(OWN[kind], kind)
    output.path.write_bytes(b"x" + OWN[kind])
    assert message(output, kind).endswith("was not made by Twinlens. Name another file, or repeat with --overwrite.")
    OutputFile(output.path, overwrite=True).write(b"new", kind)
    assert output.path.read_bytes() == b"new"
    assert names(tmp_path) == {"x"}


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("reached", ["itself", "link", "link to a link", "other name"])
def test_a_picture_or_a_film_is_never_replaced(name: str, reached: str, tmp_path: Path) -> None:
    original = tmp_path / "original.csv"
    original.write_bytes(ORIGINALS[name])
    path = tmp_path / "list.csv"
    if reached == "itself":
        path = original
    elif reached == "other name":
        path.hardlink_to(original)
    else:
        (tmp_path / "between").symlink_to(original)
        path.symlink_to(original if reached == "link" else tmp_path / "between")
    before, there = identity(original), names(tmp_path)
    for kind in (TABLE, ONLY_COPY, DRAWING, BACKUP):
        assert "is a picture or a film" in message(OutputFile(path, overwrite=True), kind)
    assert (identity(original), original.read_bytes(), names(tmp_path)) == (before, ORIGINALS[name], there)


@given(data=st.binary(max_size=300))
def test_texts_and_numbers_are_no_films(data: bytes) -> None:
    from features.formats.picture_or_film import is_picture_or_film

    assert not is_picture_or_film(b"id,path\r\n" + data)
    assert not is_picture_or_film(b"the free,world")


def test_a_drawing_is_known_by_what_stands_in_it(tmp_path: Path) -> None:
    from app.lab.figures.drawing import draw_figure
    from app.lab.figures.figure import Axis, Figure, Series

    figure = Figure("a", "A", "", Axis("x"), Axis("y"), [Series("s", [1, 2], [3, 4])])
    for form in ("png", "svg"):
        output = OutputFile(tmp_path / f"a.{form}")
        for _ in range(2):
            output.write(draw_figure(figure, "png" if form == "png" else "svg"), DRAWING)
        assert "exists" in message(output, PAGE)
    Image.new("RGB", (9, 9)).save(tmp_path / "a.jpg", comment="Twinlens")
    OutputFile(tmp_path / "a.jpg").check(DRAWING)
    mine = OutputFile(tmp_path / "a.png", is_protected=lambda path, picture: picture)
    assert "belongs to the photos" in message(mine, DRAWING)


def test_a_database_gives_way_to_a_backup_alone(tmp_path: Path) -> None:
    path = tmp_path / "library"
    path.write_bytes(b"SQLite format 3\0" + bytes(100))
    assert "is a library or another database" in message(OutputFile(path, overwrite=True), TABLE)
    assert "exists already" in message(OutputFile(path), BACKUP)
    OutputFile(path, overwrite=True).check(BACKUP)


def test_what_comes_there_during_the_work_stays(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    for content, said in ((b"mine", "exists"), (ORIGINALS["jpeg"], "is a picture")):
        for before in (None, OWN[TABLE]):
            path.unlink(missing_ok=True)
            if before is not None:
                path.write_bytes(before)
            with pytest.raises(TwinlensError, match=said):
                write_while(path, partial(path.write_bytes, content))
            assert path.read_bytes() == content
    path.unlink()
    path.symlink_to(tmp_path / "a.csv")

    def turn() -> None:
        path.unlink()
        path.symlink_to(tmp_path / "b.csv")

    with pytest.raises(TwinlensError, match="exists"):
        write_while(path, turn)
    assert names(tmp_path) == {"list.csv"}


@pytest.mark.parametrize("links", [True, False])
def test_a_new_name_is_taken_without_a_race(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not links:

        def refused(*_: object) -> None:
            raise OSError(errno.EPERM, "no links here")

        monkeypatch.setattr(Path, "hardlink_to", refused)
    part, target = tmp_path / "part", tmp_path / "target"
    part.write_bytes(b"new")
    take_name(part, target)
    assert target.read_bytes() == b"new"
    part.write_bytes(b"newer")
    with pytest.raises(FileExistsError):
        take_name(part, target)
    assert target.read_bytes() == b"new"


def test_what_fails_leaves_what_was_there(tmp_path: Path) -> None:
    output = OutputFile(tmp_path / "x")
    output.write(OWN[TABLE], TABLE)

    def fail(error: Exception) -> None:
        raise error

    with pytest.raises(TwinlensError, match="cannot be written: No space left"):
        write_while(output.path, partial(fail, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(KeyError):
        write_while(output.path, partial(fail, KeyError()))
    assert output.path.read_bytes() == OWN[TABLE]
    assert names(tmp_path) == {"x"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_next_output_clears_what_a_killed_one_has_left(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(OWN[TABLE])
    program = (
        "import os, signal, sys; from pathlib import Path; from app.machine.output_file import OutputFile, table\n"
        "with OutputFile(Path(sys.argv[1])).opened(table(('id', 'path'))) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path / "x")], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert (tmp_path / "x").read_bytes() == OWN[TABLE]
    assert len(names(tmp_path)) > 1
    OutputFile(tmp_path / "other").write(b"new", TABLE)
    assert names(tmp_path) == {"x", "other"}


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes")
def test_links_and_modes_stay(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(OWN[TABLE])
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("new")
    for name in ("link", "dangling"):
        OutputFile(tmp_path / name).write(b"id,path\n", TABLE)
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "real").read_bytes() == (tmp_path / "new").read_bytes() == b"id,path\n"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")
def test_pipes_and_devices_are_written_into(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    OutputFile(pipe).check(TABLE)  # waits for nobody
    reader.start()
    OutputFile(pipe).write(b"id,path", TABLE)
    reader.join()
    assert got == [b"id,path"]
    OutputFile(Path(os.devnull)).write(b"gone", TABLE)
    (tmp_path / "link").symlink_to("/dev/stdout")
    for path in (Path("/dev/stdout"), tmp_path / "link"):
        OutputFile(path).write("told\n", TABLE)
    assert capfd.readouterr().out == "told\ntold\n"
    assert names(tmp_path) == {"pipe", "link"}


@pytest.mark.parametrize(
    ("name", "said"), [(".", "is a folder"), ("nowhere/x", "cannot be written"), ("file/x", "cannot be written")]
)
def test_what_is_no_place_for_a_file_is_a_sentence(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert said in message(OutputFile(tmp_path / name, overwrite=True), TABLE)
    assert names(tmp_path) == {"file"}
