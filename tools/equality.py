"""Shows that a rebuild changes nothing that people see: ``python -m tools.equality record FOLDER``, then ``compare``.

``record`` builds one fixed library from the demo photographs, and keeps what the program says of it: the documents of
some eighty commands, the help of every command, every text that is translated, the files that a search executes, and
with ``--portraits`` the pictures of every view. ``compare OLD NEW`` lists what differs, and ends with 1 if anything
does. Times, rates and places of the run are left out; the numbers of executed files are shown, not compared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
_PROGRAM = (sys.executable, "-m", "twinlens.app.cli")
_LIBRARY = "photos.twinlens"
_FUNCTION = 1  # CO_OPTIMIZED: what classes and modules execute while they are imported has no such flag
_OF_TIME = re.compile(
    r"seconds|(^|_)(s|ms|time|times|rate|when|created|changed|modified|measured|since|age)$|per_second|speed", re.I
)
_OF_MACHINE = re.compile(r"^(memory|processor|cores|machine|system|version|python|free|available|load|log)", re.I)
_MASKS = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+00:00|Z)?"), "MOMENT"),
    (re.compile(r"\b\d+([.,]\d+)*( ?)(ms|µs|s|min|seconds?|minutes?|per second|a second|/s)\b"), "DURATION"),
)


class EqualityStep(NamedTuple):
    """A command that is run; ``shape`` keeps only the names in its document, where a clock decides what it finds."""

    words: str
    shape: bool = False
    plain: bool = False


STEPS = (
    EqualityStep("add photos"),
    EqualityStep("status", plain=True),
    EqualityStep("problems", plain=True),
    EqualityStep("methods", plain=True),
    *(EqualityStep(f"methods {name}") for name in ("klsh", "itq", "sik", "compact-vlad", "scan", "itml", "gaussian")),
    EqualityStep("index create --descriptor colour --method klsh:bits=256,kernel=chi-square --name Chi"),
    EqualityStep("index create --descriptor edges --method lsh:bits=128 --search multi-index --name Edges"),
    EqualityStep("index create --descriptor gist --method sik:bits=128 --search buckets --name Gist"),
    EqualityStep("index list", plain=True),
    EqualityStep("index rename Gist Shapes"),
    EqualityStep("search photos/{first}"),
    EqualityStep("search photos/{second} --index Chi --index Edges -k 7"),
    EqualityStep("search photos/{first} --exact --index Automatic"),
    EqualityStep("search photos/{first} --index Chi --compare-exact --no-check"),
    EqualityStep("search photos/{first} photos/{second} --together rrf --index Automatic --index Chi"),
    EqualityStep("search outside/{first} --confirmed"),
    EqualityStep("search photos/{second} --folder photos/Exports --numbers"),
    EqualityStep("search --palette green:2,blue -k 5"),
    EqualityStep("search photos/{first} --since 2000 --orientation landscape"),
    EqualityStep("search photos/nothing.jpg"),
    EqualityStep("compare photos/{first} --index Automatic --index Chi --hits"),
    EqualityStep("compare photos/{second} --of Chi --column klsh:bits=64 --column scan:candidates=10"),
    EqualityStep("duplicates", plain=True),
    EqualityStep("duplicates --kind identical --min-size 10k"),
    EqualityStep("duplicates --rule largest,oldest"),
    EqualityStep("duplicates clean", plain=True),
    EqualityStep("duplicates protect photos/Exports"),
    EqualityStep("duplicates clean --kind identical --to moved --apply"),
    EqualityStep("duplicates log", plain=True),
    EqualityStep("duplicates undo"),
    EqualityStep("duplicates refused"),
    EqualityStep("duplicates --csv duplicates.csv"),
    EqualityStep("mark --similar photos/{first} photos/{second}"),
    *(EqualityStep(f"mark --{kind} photos/{{{a}}} photos/{{{b}}}") for kind, a, b in (
        ("similar", "p0", "p1"), ("similar", "p2", "p3"), ("similar", "p4", "p5"), ("similar", "p6", "p7"),
        ("similar", "p8", "p9"), ("different", "p0", "p4"), ("different", "p1", "p6"), ("different", "p2", "p8"),
        ("different", "p3", "p9"), ("different", "p5", "p7"),
    )),
    EqualityStep("marks list", plain=True),
    EqualityStep("marks export marks.csv"),
    EqualityStep("marks remove 1"),
    EqualityStep("marks import marks.csv"),
    EqualityStep("learn --index Chi --anyway --name Mine"),
    EqualityStep("metrics list", plain=True),
    EqualityStep("metrics export Mine metric.npz"),
    EqualityStep("metrics use Mine"),
    EqualityStep("search photos/{first} --index Chi -k 6"),
    EqualityStep("metrics back"),
    EqualityStep("map --kind pca --csv map.csv"),
    EqualityStep("map --sample 40 --anew"),
    EqualityStep("evaluate --index Chi --index Automatic --photographs 6 --edits mirror,grey"),
    EqualityStep("evaluate --truth exact --index Chi --photographs 10 --output evaluated.csv"),
    EqualityStep("describe colour photos/{first} photos/{second} -o described.npy"),
    EqualityStep("encode base.npy --method itq:bits=32 -o codes.npz"),
    EqualityStep("encode base.npy --encoder codes.npz -o again.npz"),
    EqualityStep("bench base.npy --method lsh:bits=64 --method itq:bits=32 --seed 0 --seed 1 --query-count 40"),
    EqualityStep(
        "bench base.npy --method klsh:bits=32,kernel=gaussian --search scan --search multi-index --query-count 20"
    ),
    EqualityStep("bench base.npy --labels labels.npy --method itq:bits=32 --metric itml --marks 60 --query-count 20"),
    EqualityStep(
        "bench base.npy --labels labels.npy --partitions 2 --metric itml --marks 20 --labelled 10 --asked 3 -k 3"
        " --method lsh:bits=32"
    ),
    EqualityStep("tune base.npy --method itq --trials 3 --bits 16,32 --queries 20"),
    EqualityStep("advise --time 10 --descriptor colour", shape=True),
    EqualityStep("lab run --index Chi --method lsh:bits=64 --method itq:bits={{16,32}} --query-count 20 --name run"),
    EqualityStep("lab list", plain=True),
    EqualityStep("lab show run", plain=True),
    EqualityStep("lab export run run.csv"),
    EqualityStep("lab export run run.json"),
    EqualityStep("lab export run run.twinlens-experiment"),
    EqualityStep("lab open run.twinlens-experiment"),
    EqualityStep("lab rename run ran"),
    EqualityStep("lab index ran 1"),
    *(EqualityStep(f"lab theory {kind} --index Chi --sample 60") for kind in ("rank", "hamming", "bounds", "rotation")),
    EqualityStep("lab delete ran"),
    EqualityStep("vocabulary list", plain=True),
    EqualityStep("vocabulary learn --photographs 30 --questions 8"),
    EqualityStep("check", plain=True),
    EqualityStep("rescan"),
    EqualityStep("backup backup.twinlens"),
    EqualityStep("status --library backup.twinlens"),
    EqualityStep("index delete Shapes"),
    EqualityStep("index delete Nothing"),
    EqualityStep("forget photos/Downloads"),
    EqualityStep("restore backup.twinlens"),
    EqualityStep("status"),
    EqualityStep("notices Pillow"),
    EqualityStep("serach photos"),
    EqualityStep("search --since yesterday photos/{first}"),
)  # fmt: skip


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.equality", description=(__doc__ or "").split(":")[0] + ".")
    commands = parser.add_subparsers(required=True, dest="command")
    recording = commands.add_parser("record", help="keep what the program says and shows")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--portraits", action="store_true", help="pictures of every view, too (some minutes)")
    comparing = commands.add_parser("compare", help="list what differs")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    traced = commands.add_parser("executed", help="count the files that one search executes")
    traced.add_argument("way", choices=("command", "window"))
    traced.add_argument("library", type=Path)
    traced.add_argument("picture", type=Path)
    asked = parser.parse_args()
    if asked.command == "record":
        record(asked.folder.absolute(), portraits=asked.portraits)
        return 0
    if asked.command == "compare":
        return compare(asked.old, asked.new)
    print("\n".join(executed(asked.way, asked.library, asked.picture)))
    return 0


def record(target: Path, *, portraits: bool) -> None:
    """Record everything in a folder, a file for each thing to compare."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="equality-") as place:
        home = Path(place)
        environment = _environment(home)
        names = _photographs(home)
        _vectors(home)
        for at, step in enumerate(STEPS):
            words = step.words.format_map(names).split(" ")
            title = re.sub(r"[^a-z0-9-]+", " ", " ".join(words[:4]).lower()).strip()
            kept = target / "commands" / f"{at:03} {title}.txt"
            kept.parent.mkdir(exist_ok=True)
            forms = ([*words, "--json"], words) if step.plain else ([*words, "--json"],)
            kept.write_text("\n".join(_said(form, home, environment, step.shape) for form in forms), "utf-8")
            print(kept.name, file=sys.stderr)
        for file in sorted(home.glob("*.csv")):
            (target / "commands" / file.name).write_text(_masked(file.read_text("utf-8"), home), "utf-8")
        for way in ("command", "window"):
            trace = [sys.executable, "-m", "tools.equality", "executed", way, _LIBRARY, f"photos/{names['first']}"]
            done = subprocess.run(trace, cwd=home, env=environment, capture_output=True, text=True, check=False)
            (target / f"executed {way}.txt").write_text(done.stdout, "utf-8")
            print(f"{way}: {len(done.stdout.splitlines())} files", file=sys.stderr)
    (target / "help.txt").write_text("\n".join(_helps()), "utf-8")
    (target / "texts.txt").write_text("\n".join(_texts()), "utf-8")
    if portraits:
        drawing = [sys.executable, "-m", "tools.portrait", str(target / "portraits"), "--all"]
        subprocess.run(drawing, cwd=ROOT, check=True)


def compare(old: Path, new: Path) -> int:
    """Print the differences between two recordings; return 1 if there are any."""
    names = sorted({file.relative_to(folder) for folder in (old, new) for file in folder.rglob("*") if file.is_file()})
    differing = 0
    for name in names:
        before, after = old / name, new / name
        if name.name.startswith("executed"):
            print(f"{name.stem}: {_lines(before)} files, now {_lines(after)}")
        elif not before.exists() or not after.exists():
            differing += 1
            print(f"{name}: only in {old if before.exists() else new}")
        elif name.suffix == ".png":
            if share := _differing_pixels(before, after):
                differing += 1
                print(f"{name}: {share:.3%} of the pixels differ")
        elif before.read_bytes() != after.read_bytes():
            differing += 1
            print(f"{name}:")
            subprocess.run(["diff", "-U1", before, after], check=False)
    print(f"{len(names) - differing} of {len(names)} are equal.")
    return int(differing > 0)


def executed(way: str, library: Path, picture: Path) -> list[str]:
    """Return the files of the program whose functions one search executes, in every thread.

    Parameters
    ----------
    way : str
        ``command`` for the command line, from its start; ``window`` for a window that is open.
    """
    import threading

    found: set[str] = set()
    watched = False

    def note(frame: Any, event: str, _argument: object) -> None:
        if watched and event == "call" and frame.f_code.co_flags & _FUNCTION:
            found.add(frame.f_code.co_filename)

    def watch(on: bool) -> None:
        nonlocal watched
        watched = on

    threading.setprofile(note)  # before any thread starts that will search
    sys.setprofile(note)

    if way == "command":
        from contextlib import redirect_stdout, suppress
        from io import StringIO

        from twinlens.app.cli.main import main as command

        sys.argv = ["twinlens", "search", str(picture), "--library", str(library), "-q"]
        watch(True)
        with redirect_stdout(StringIO()), suppress(SystemExit):
            command()
    else:
        _search_in_window(library, picture, watch)
    watch(False)
    threading.setprofile(None)
    sys.setprofile(None)
    parts = [Path(name).relative_to(ROOT) for name in found if name.startswith(f"{ROOT}{os.sep}")]
    return sorted(str(part) for part in parts if part.parts[0] == "twinlens")


def _search_in_window(library: Path, picture: Path, watch: Any) -> None:
    """Search for the first time in a window that shows its library, without what its clocks begin meanwhile."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tools.portrait import open_window, search_with, settle
    from twinlens.app.gui.frame.library_workspace import import_ahead
    from twinlens.app.library.library import Library
    from twinlens.core.progress import silent

    with Library.open(library) as opened, opened.store.reading() as r:
        row = opened.find(r, picture)
    assert row is not None
    frame = open_window(library, "light")
    import_ahead(silent)
    frame.workspace.watch.stop()
    watch(True)
    search_with(frame, row.id)
    settle(frame)
    watch(False)
    frame.close()


def _environment(home: Path) -> dict[str, str]:
    """Return an environment in which the program has folders of its own, and English texts."""
    folders = {"HOME": home, "TWINLENS_DATA": home / ".data"}
    if "TWINLENS_CACHE" not in os.environ:
        folders["TWINLENS_CACHE"] = home / ".cache"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LANG", "LC_", "XDG_"))}
    return (
        kept
        | {name: str(folder) for name, folder in folders.items()}
        | {
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "120",
            "LANG": "C.UTF-8",
        }
    )


def _photographs(home: Path) -> dict[str, str]:
    """Put photographs into ``photos``, one of them also ``outside``, and name some for the commands."""
    import shutil

    from tools.portrait_library import free_ones, put_duplicates, put_free
    from twinlens.app.demo.photographs import fetch_photographs

    found = fetch_photographs()
    photos = home / "photos"
    put_free(found, photos)
    put_duplicates(found, photos)
    (photos / "damaged.jpg").write_bytes(b"\xff\xd8\xff" + bytes(100))
    paths = [one.path for one in sorted(free_ones(found), key=lambda one: one.path) if " " not in one.path]
    names = {"first": paths[7], "second": paths[21], **{f"p{at}": paths[at * 3] for at in range(10)}}
    outside = home / "outside" / names["first"]
    outside.parent.mkdir(parents=True)
    shutil.copy(photos / names["first"], outside)
    for number, file in enumerate(sorted(photos.rglob("*"))):
        if file.is_file():
            os.utime(file, (1_600_000_000 + number, 1_600_000_000 + number))
    return names


def _vectors(home: Path) -> None:
    import numpy as np

    random = np.random.default_rng(5)
    centres = random.normal(size=(6, 40))
    labels = random.integers(6, size=400)
    np.save(home / "base.npy", (centres[labels] + 0.7 * random.normal(size=(400, 40))).astype(np.float32))
    np.save(home / "labels.npy", labels)


def _said(words: Sequence[str], home: Path, environment: Mapping[str, str], shape: bool) -> str:
    """Return the output and the exit code of a command, without what varies between runs."""
    arguments = [*_PROGRAM, *words, "-q", *(() if "--library" in words else ("--library", _LIBRARY))]
    done = subprocess.run(arguments, cwd=home, env=environment, capture_output=True, text=True, check=False)
    out = done.stdout
    try:
        document = json.loads(out)
    except ValueError:
        pass
    else:
        out = json.dumps(_shape(document) if shape else _without_times(document), indent=1, ensure_ascii=False)
    return _masked(f"$ twinlens {' '.join(words)}\n{out}\n{done.stderr}exit {done.returncode}\n", home)


def _without_times(value: Any, name: str = "") -> Any:
    """Return a document in which times and facts of the machine are replaced by their types."""
    if isinstance(value, dict):
        return {key: _without_times(one, key if not _OF_TIME.search(name) else name) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_times(one, name) for one in value]
    if (_OF_TIME.search(name) or _OF_MACHINE.search(name)) and value is not None:
        return type(value).__name__
    return value


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shape(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_shape(value[0])] if value else []
    return ""


def _masked(text: str, home: Path) -> str:
    text = text.replace(str(home), "~").replace(str(ROOT), "ROOT")
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return text


def _helps() -> Iterator[str]:
    """Return the help of every command."""
    import click

    from twinlens.app.cli.main import twinlens

    def walk(command: click.Command, context: click.Context) -> Iterator[str]:
        yield f"==== {context.command_path}\n{command.get_help(context)}\n"
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                one = command.get_command(context, name)
                assert one is not None
                yield from walk(one, click.Context(one, info_name=name, parent=context, terminal_width=100))

    yield from walk(twinlens, click.Context(twinlens, info_name="twinlens", terminal_width=100))


def _texts() -> Iterator[str]:
    """Return every text with a translation."""
    from tools.gathering import gathered

    yield from sorted({repr(entry.id) for entry in gathered() if entry.id})


def _lines(file: Path) -> int:
    return len(file.read_text("utf-8").splitlines()) if file.exists() else 0


def _differing_pixels(first: Path, second: Path) -> float:
    """Return the share of the pixels in which two pictures differ."""
    import numpy as np
    from PIL import Image

    with Image.open(first) as one, Image.open(second) as other:
        if one.size != other.size:
            return 1.0
        return float((np.asarray(one.convert("RGB")) != np.asarray(other.convert("RGB"))).any(axis=2).mean())


if __name__ == "__main__":
    sys.exit(main())
