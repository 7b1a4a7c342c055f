"""Filters that leave nothing, and marks of a photograph with itself: said in a sentence, never an empty table."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from app.library.ingest.adding import Adding, add
from app.library.ingest.folder_scan import walk
from app.library.library import Library
from app.search.search_query import SearchOptions
from app.search.search_space import Filters
from app.search.searcher import search
from core.errors import TwinlensError
from tests.app.cli.test_commands import run
from tests.app.folders import added, write_scene


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    for number, camera in enumerate(("Canon EOS 5D", "Canon EOS 5D", "NIKON D90")):
        picture = Image.open(write_scene(folder / f"{number}.jpg", number))
        about = Image.Exif()
        about[0x0110] = camera
        picture.save(folder / f"{number}.jpg", exif=about)
    (folder / "copy.jpg").write_bytes((folder / "0.jpg").read_bytes())
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, folder)
    return path


@pytest.mark.parametrize(
    ("filters", "sentence", "next_step"),
    [
        (Filters(camera="NoSuch"), "camera “NoSuch”", "Your photos come from Canon EOS 5D, NIKON D90."),
        (Filters(camera="cannon eos 5"), "camera “cannon eos 5”", "Did you mean one of these: Canon EOS 5D?"),
        (Filters(camera="Nikon", since="2024", until="2023-05"), "start 2024 is later than the end 2023-05", "Swap"),
        (Filters(folder=Path("/nowhere")), "no photos in /nowhere", "another folder"),
    ],
)
def test_what_no_photograph_has_is_said(library: Path, filters: Filters, sentence: str, next_step: str) -> None:
    with Library.open(library) as opened, pytest.raises(TwinlensError) as refused:
        search(opened, [1], wanted=SearchOptions(filters=filters))
    assert sentence in str(refused.value.message)
    assert next_step in str(refused.value.advice)


def test_a_filter_that_leaves_nothing_is_a_sentence(capfdbinary: pytest.CaptureFixture[bytes], library: Path) -> None:
    words = ("search", "#1", "--library", str(library), "-q")
    code, out, _ = run(capfdbinary, *words, "--since", "2090", "--camera", "nikon")
    assert code == 0
    assert "No photo passes the filters (since 2090, camera nikon)." in out
    assert "similarity" not in out
    assert run(capfdbinary, *words, "--camera", "canon", "--since", "20", "--until", "2023")[0] == 2
    assert "EOS" not in run(capfdbinary, *words, "--camera", "canon")[1]


@pytest.mark.parametrize(
    ("second", "sentence"),
    [("#1", "cannot be marked with itself"), ("copy", "byte for byte"), ("#99", "no photo 99")],
)
def test_a_photograph_is_not_marked_against_itself(
    capfdbinary: pytest.CaptureFixture[bytes], library: Path, second: str, sentence: str
) -> None:
    with Library.open(library) as opened, opened.store.reading() as r:
        names = {path.rpartition(b"/")[2]: row.id for row in r.photographs.by_id(range(1, 5)) for path in [row.path]}
    first = names[b"0.jpg"]
    other = {"#1": f"#{first}", "copy": f"#{names[b'copy.jpg']}"}.get(second, second)
    code, out, _ = run(capfdbinary, "mark", f"#{first}", other, "--similar", "--library", str(library))
    assert code == 2
    assert sentence in out
    assert "0 marks new" in out


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="asks Linux")
def test_the_system_itself_holds_no_photographs(tmp_path: Path) -> None:
    for folder in ("/proc", "/proc/self/fd"):
        with Library.open(tmp_path / "x.twinlens", create=True) as opened:
            with pytest.raises(TwinlensError, match="holds no photos"):
                add(opened, [Path(folder)], Adding(workers=1))
            with opened.store.reading() as r:
                assert not r.folders.all()


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="asks Linux")
def test_a_walk_from_above_passes_it_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.library import volumes

    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "kcore").write_bytes(b"x")
    (tmp_path / "a.jpg").write_bytes(b"x")
    assert b"/proc" in volumes.virtual_points()
    monkeypatch.setattr(volumes, "virtual_points", lambda: frozenset({bytes(tmp_path / "proc")}))
    assert [one.path for one in walk(bytes(tmp_path))] == [bytes(tmp_path / "a.jpg")]


def test_files_that_cannot_be_read_are_not_counted_as_photographs(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    write_scene(folder / "a.jpg", 1)
    (folder / "bad.jpg").write_bytes(b"\xff\xd8\xff damaged")
    (folder / "lost.jpg").symlink_to(tmp_path / "nowhere")
    assert (added(tmp_path / "x.twinlens", folder).found, added(tmp_path / "x.twinlens", folder).found) == (1, 1)
