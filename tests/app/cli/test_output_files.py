"""Every command that writes a file that a person names: what is not its own it replaces by word alone, photos never."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from tests.app.cli.test_commands import run
from tests.app.folders import added, write_scene
from twinlens.app.cli.main import every_command, twinlens
from twinlens.app.cli.session import OUTPUT

ENDINGS = (".csv", ".json", ".npy", ".npz", ".png", ".svg", ".html", ".toml", ".twinlens-experiment")


class Output(NamedTuple):
    """An option or argument of a command that names a file to be written."""

    command: click.Command
    name: str
    parameter: click.Parameter

    def words(self, file: Path) -> list[str]:
        """Return the command with this output, and something for all else that it must have."""
        given = [self.name]
        for one in self.command.params:
            value = str(file) if one is self.parameter else "x"
            if isinstance(one.type, click.Choice):
                value = str(one.type.choices[0])
            if isinstance(one, click.Option) and (one is self.parameter or one.required):
                given += [one.opts[0], value]
            elif isinstance(one, click.Argument) and (one is self.parameter or one.required):
                given.append(value)
        return [*" ".join(given[:1]).split(), *given[1:]]


def outputs() -> Iterator[Output]:
    _, *others = every_command(twinlens, "twinlens")
    for ctx in others:
        for parameter in ctx.command.params:
            if parameter.type is OUTPUT:
                yield Output(ctx.command, ctx.command_path.removeprefix("twinlens "), parameter)


EVERY = pytest.mark.parametrize(
    "output", [pytest.param(one, id=f"{one.name} {one.parameter.name}") for one in outputs()]
)


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_scene(tmp_path_factory.mktemp("photographs") / "photograph.jpg", 1)


def names(photograph: Path, folder: Path) -> Iterator[Path]:
    """Yield names of one photograph with every ending: its own, a link, and another name of the same file."""
    folder.mkdir()
    for ending in ENDINGS:
        link, other = folder / f"link{ending}", folder / f"other{ending}"
        link.symlink_to(photograph)
        other.hardlink_to(photograph)
        yield link
        yield other
    yield photograph


@EVERY
def test_a_photograph_is_never_replaced(
    output: Output, photograph: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before, sentences = (hashlib.sha256(photograph.read_bytes()).digest(), photograph.stat()), []
    for file in names(photograph, tmp_path / "names"):
        code, _, err = run(
            capfdbinary, *output.words(file), "--overwrite", "--library", str(tmp_path / "none.twinlens")
        )
        assert code == 2, err
        sentences.append(err)
        assert file.exists()
    assert any("is a picture or a film that Twinlens did not make" in one for one in sentences), sentences
    now = photograph.stat()
    assert (hashlib.sha256(photograph.read_bytes()).digest(), now.st_mtime_ns) == (before[0], before[1].st_mtime_ns)
    assert now.st_nlink == before[1].st_nlink + len(ENDINGS)
    for ending in ENDINGS:
        (tmp_path / "names" / f"other{ending}").unlink()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["names"]


@EVERY
def test_what_another_program_made_is_refused_before_the_work(
    output: Output, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    sentences = []
    for ending in ENDINGS:
        file = tmp_path / f"notes{ending}"
        file.write_text("my own notes\n")
        code, _, err = run(capfdbinary, *output.words(file), "--library", str(tmp_path / "none.twinlens"))
        assert code == 2, err
        sentences.append(err)
        assert file.read_text() == "my own notes\n"
    assert any(" exists " in one and "repeat with --overwrite" in one for one in sentences), sentences
    assert len(list(tmp_path.iterdir())) == len(ENDINGS)


def test_a_page_of_results_is_written_and_replaced(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    photograph = write_scene(tmp_path / "photographs" / "a.jpg", 1)
    (tmp_path / "photographs" / "a.xmp").write_text("edits")
    (tmp_path / "photographs" / "b.jpg").write_bytes(b"")
    library = tmp_path / "library.twinlens"
    added(library, photograph.parent)
    page, table = tmp_path / "page.html", tmp_path / "list.csv"

    def searched(file: Path, *more: str) -> tuple[int, str]:
        code, _, err = run(capfdbinary, "search", "#1", "--html", str(file), "--library", str(library), *more)
        return code, err

    assert [searched(page)[0] for _ in range(2)] == [0, 0]
    assert page.read_text().startswith("<!doctype html>")
    page.chmod(0o640)
    assert searched(page)[0] == 0
    assert page.stat().st_mode & 0o777 == 0o640
    page.write_text("mine")
    assert searched(page)[0] == 2
    assert page.read_text() == "mine"
    assert searched(page, "--overwrite")[0] == 0
    assert page.read_text().startswith("<!doctype html>")
    for name in ("a.xmp", "b.jpg"):
        code, err = searched(photograph.with_name(name), "--overwrite")
        assert (code, "belongs to the photos" in err) == (2, True), err
    assert "is a library" in searched(library, "--overwrite")[1]
    for _ in range(2):
        code, _, err = run(capfdbinary, "duplicates", "--csv", str(table), "--library", str(library))
        assert code == 0, err
    code, _, err = run(capfdbinary, "search", "#1", "--html", str(table), "--library", str(library))
    assert code == 2, "a page does not replace a table"
    assert {one.name for one in tmp_path.iterdir()} == {"library.twinlens", "list.csv", "page.html", "photographs"}
    assert sorted(one.name for one in photograph.parent.iterdir()) == ["a.jpg", "a.xmp", "b.jpg"]
    assert photograph.with_name("b.jpg").read_bytes() == b""


def test_a_pipe_and_the_standard_output_are_written_into(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    library = tmp_path / "library.twinlens"
    added(library, write_scene(tmp_path / "photographs" / "a.jpg", 1).parent)
    code, out, err = run(capfdbinary, "duplicates", "--csv", "/dev/stdout", "--library", str(library))
    assert code == 0, err
    assert out.startswith("group,kind,remove,path")
    code, _, err = run(capfdbinary, "duplicates", "--html", "/dev/null", "--library", str(library))
    assert code == 0, err


@pytest.mark.parametrize("command", ["copy", "restore"])
def test_no_library_takes_the_place_of_a_photograph(
    command: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    photograph = write_scene(tmp_path / "photographs" / "a.jpg", 1)
    library, before = tmp_path / "library.twinlens", photograph.read_bytes()
    added(library, photograph.parent)
    words = ("copy", str(library), str(photograph), "--replace")
    if command == "restore":
        words = ("restore", str(library), "--library", str(photograph))
    code, _, err = run(capfdbinary, *words)
    assert (code, "picture or a film" in err) == (2, True), err
    assert photograph.read_bytes() == before
    assert [one.name for one in photograph.parent.iterdir()] == ["a.jpg"]
