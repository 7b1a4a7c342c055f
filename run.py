#!/usr/bin/env python3
"""The one entry for people who build Twinlens: it makes `.venv`, then does what it is asked.

    python3 run.py demo | app | test | check | bench | papers | guide | bundle | release | lock

Standard library only. The syntax is that of Python 3.6, so that an old Python says what is needed instead of showing a
SyntaxError. Steps are told on standard error; standard output belongs to what is run.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))


def refusal(version: "Sequence[int]") -> str:  # the annotation is text, since any Python gets here
    """Return why this version of Python is not supported; empty where it is."""
    if tuple(version[:2]) in SUPPORTED:
        return ""
    text = f"Twinlens needs Python 3.11, 3.12, 3.13 or 3.14, and this is Python {version[0]}.{version[1]}"
    known = [f"python{major}.{minor}" for major, minor in reversed(SUPPORTED)]
    found = [name for name in known if shutil.which(name)]
    return f"{text}: call `{found[0]} run.py` instead." if found else f"{text}."


# Before the definitions below: their annotations need a newer Python.
if refusal(sys.version_info[:2]):
    print(refusal(sys.version_info[:2]), file=sys.stderr)
    sys.exit(2)

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
RECORD = VENV / "twinlens-setup.json"
RECORD_VERSION = 1  # raised when run.py sets up otherwise than before

LOCK = "requirements.lock"
DEVELOPER_LOCK = "requirements-dev.lock"  # holds all of LOCK
WITHOUT_QT = ROOT / "tests" / "without_qt"
WINDOW_TESTS = "tests/app/gui"
PROGRAM = ("run.py", "hatch_build.py", "twinlens")
ELSEWHERE = tuple(system for system in ("linux", "darwin", "win32") if system != sys.platform)
MOST_PROCESSES = 4  # of each kind; each takes about a gigabyte


class SetUpError(Exception):
    """An error that the person or the machine can mend: a sentence and the next step."""


def main(arguments: Sequence[str]) -> int:
    """Do what is asked and return the exit code."""
    offered = {name: command for name, command in COMMANDS.items() if is_offered(name)}
    if not arguments or arguments[0] not in offered:
        print(f"{'py' if os.name == 'nt' else 'python3'} run.py COMMAND [ARGUMENTS]\n", file=sys.stderr)
        for name, (text, _) in offered.items():
            print(f"  {name:8}{text}", file=sys.stderr)
        return 0 if arguments and arguments[0] in ("help", "--help", "-h") else 2
    try:
        return offered[arguments[0]][1](list(arguments[1:]))
    except SetUpError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


# ---- what can be asked ----------------------------------------------------------------------------------------------


def demo(arguments: list[str]) -> int:
    """Index the demo photographs and print ranked look-alikes."""
    prepare(LOCK, window=True)
    return hand_over([script("twinlens"), "demo", *arguments])


def app(arguments: list[str]) -> int:
    """Run twinlens itself."""
    prepare(LOCK, window=True)
    return hand_over([script("twinlens"), *arguments])


def test(arguments: list[str]) -> int:
    """Run every test once: those of the window with Qt, all others where PySide6 cannot be imported."""
    prepare(DEVELOPER_LOCK, window=True)
    pytest = [str(PYTHON), "-m", "pytest"]
    if arguments:
        return hand_over([*pytest, *arguments])
    paths = os.pathsep.join(filter(None, (str(WITHOUT_QT), os.environ.get("PYTHONPATH"))))
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    # Whole files each: tests of a file share what is slow to make. In their order: those of compiled loops come late.
    by_file = ["--dist", "loadfile", "--no-loadscope-reorder"]
    tell("Tests without PySide6, and beside them those of the window: many wait, and leave their core to others")
    with tempfile.TemporaryFile() as output:
        window = [*pytest, "-n", str((processes + 1) // 2), *by_file, WINDOW_TESTS]
        beside = subprocess.Popen(window, cwd=ROOT, stdout=output, stderr=output)
        code = run([*pytest, "-n", str(processes), *by_file, f"--ignore={WINDOW_TESTS}"], ROOT, PYTHONPATH=paths)
        tell("Tests of the window")
        window_code = beside.wait()
        output.seek(0)
        shutil.copyfileobj(output, sys.stdout.buffer)
    nothing_collected = 5  # pytest's code where Qt cannot start here and the whole folder is skipped
    return code or (0 if window_code == nothing_collected else window_code)


def check(arguments: list[str]) -> int:
    """Lint, formatting, types, the directions of imports, and the budgets of the house."""
    if arguments:
        raise SetUpError(f"`check` takes no arguments, and was given {arguments[0]}.")
    prepare(DEVELOPER_LOCK)
    mypy = [str(PYTHON), "-m", "mypy"]
    tools = {
        "ruff check": [str(PYTHON), "-m", "ruff", "check", "."],
        "ruff format": [str(PYTHON), "-m", "ruff", "format", "--check", "."],
        "mypy": mypy,
        **{f"mypy for {system}": [*mypy, *for_system(system)] for system in ELSEWHERE},
        "budgets": [str(PYTHON), "-m", "tools.house"],
        "import contracts": [script("lint-imports"), "--no-logo"],
    }
    workflows = shutil.which("actionlint")  # no package that can be locked brings it: GitHub's own run has it, too
    if workflows:
        tools["actionlint"] = [workflows]
    failed = 0
    # Beside one another: none of them keeps all cores busy.
    with ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_PROCESSES)) as together:
        for name, running in [(name, together.submit(examine, command)) for name, command in tools.items()]:
            code, said, seconds = running.result()
            tell(f"{name} ... {'failed' if code else 'ok'} {seconds:.1f} s")
            if code:
                print(said, flush=True)
            failed = failed or code
    return failed


def examine(command: Sequence[str]) -> tuple[int, str, float]:
    """Run a tool that examines the sources; return its code, what it printed, and the seconds that it took."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout, time.monotonic() - started


def for_system(system: str) -> list[str]:
    """Return what has mypy check the program, not its tests, as it is on another system."""
    return ["--platform", system, "--cache-dir", f".mypy_cache/{system}", *PROGRAM]


def bench(arguments: list[str]) -> int:
    """Measure against the floor and other libraries."""
    prepare(DEVELOPER_LOCK)
    return hand_over([str(PYTHON), "-m", "science.benchmarks", *arguments], cwd=ROOT)


def papers(arguments: list[str]) -> int:
    """Repeat the experiments of the papers."""
    prepare(DEVELOPER_LOCK)
    return hand_over([str(PYTHON), "-m", "science.papers", *arguments], cwd=ROOT)


def guide(arguments: list[str]) -> int:
    """Make the guide and the reference as a site, in dist/guide (--open: and open it)."""
    prepare(DEVELOPER_LOCK)
    return hand_over([str(PYTHON), "-m", "tools.distribution.guide_site", *arguments], cwd=ROOT)


def bundle(arguments: list[str]) -> int:
    """Make a folder that runs without Python, and on Linux a package and an archive of it (--folder: without)."""
    prepare(DEVELOPER_LOCK, window=True)
    if not can_bundle(packages="--folder" not in arguments):
        return 1
    return hand_over([str(PYTHON), "-m", "tools.distribution.bundle", *arguments], cwd=ROOT)


def release(arguments: list[str]) -> int:
    """Make and try everything that people download, in dist (--twice: and list what differs when made again)."""
    prepare(DEVELOPER_LOCK, window=True)
    if not can_bundle(packages=True):
        return 1
    return hand_over([str(PYTHON), "-m", "tools.distribution.release", *arguments], cwd=ROOT)


def lock(arguments: list[str]) -> int:
    """Bring the lock files in step with pyproject.toml (--upgrade: to the newest versions)."""
    prepare(DEVELOPER_LOCK)
    compiler = "-m uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --group build"
    manner = "--no-emit-index-url --no-annotate --no-header --quiet"
    for output, extras in (
        (LOCK, "--extra app --extra words --extra server"),
        (DEVELOPER_LOCK, f"--all-extras --constraints {LOCK}"),
    ):
        with step(f"Locking {output}"):
            quietly([str(PYTHON), *f"{compiler} {manner} {extras} --output-file {output}".split(), *arguments])
    return 0


COMMANDS: dict[str, tuple[str, Callable[[list[str]], int]]] = {
    command.__name__: ((command.__doc__ or "").splitlines()[0], command)
    for command in (demo, app, test, check, bench, papers, guide, bundle, release, lock)
}


def is_offered(name: str) -> bool:
    """`bench` and `papers` are there as soon as what they run is."""
    module = {"bench": "benchmarks", "papers": "papers"}.get(name)
    return module is None or (ROOT / "science" / module / "__main__.py").exists()


# ---- .venv ----------------------------------------------------------------------------------------------------------


def prepare(lock_name: str, window: bool = False) -> None:
    """Make `.venv` what the lock file says; done in a few milliseconds where it already is."""
    with one_at_a_time():
        record = read_record()
        wanted = {
            "record": str(RECORD_VERSION),
            "place": str(VENV),  # the scripts in it name this path, so a moved .venv is made anew
            "python": python_version(),
            "project": project_digest(),
            lock_name: digest((ROOT / lock_name).read_bytes()),
        }
        if not (wanted.items() <= record.items() and venv_works()):
            if record.get("place", str(VENV)) != str(VENV) or not venv_works() or is_torn():
                make_venv()
            RECORD.unlink(missing_ok=True)
            install(lock_name, set(record.get("names", "").split()))
            if lock_name == DEVELOPER_LOCK:
                wanted[LOCK] = digest((ROOT / LOCK).read_bytes())
            record = {**wanted, "names": " ".join(sorted(locked_names(lock_name)))}
            write_record(record)
        compile_translations()
        if window and sys.platform == "linux" and "qt" not in record and provide_qt_libraries():
            write_record({**record, "qt": "complete"})


def compile_translations() -> None:
    """Compile the translations that changed since they were compiled."""
    for source in (ROOT / "twinlens" / "resources" / "translations").glob("*.po"):
        made = source.with_suffix(".mo")
        if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
            quietly([str(PYTHON), "-m", "twinlens.app.language.compilation"], cwd=ROOT)
            return


def venv_works() -> bool:
    """Whether `.venv` has a Python that starts, is of our version, and takes `.venv` for its own place."""
    question = "import sys; print(sys.prefix); print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([str(PYTHON), "-c", question], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    prefix, version = answer.stdout.splitlines()
    return Path(prefix).resolve() == VENV.resolve() and version == python_version()


def is_torn() -> bool:
    """Whether an installation was broken off: pip writes RECORD last, and renames what it removes to ~name."""
    packages = site_packages()
    return any(packages.glob("~*")) or any(not (folder / "RECORD").exists() for folder in packages.glob("*.dist-info"))


def make_venv() -> None:
    """Make `.venv` anew, with pip in it."""
    with step("Making .venv"):
        try:
            if VENV.is_symlink() or VENV.is_file():
                VENV.unlink()
            elif VENV.exists():
                shutil.rmtree(VENV)
        except OSError as error:
            raise SetUpError(f"The old .venv cannot be removed: {error}.\nRemove it, then run this again.") from error
        quietly([base_python(), "-m", "venv", "--without-pip", str(VENV)])
    bring_pip()


def bring_pip() -> None:
    """Put pip into `.venv`, by the first way that works here (Debian keeps ensurepip in a package of its own)."""
    package = f"python{python_version()}-venv"
    ensurepip = [str(PYTHON), "-m", "ensurepip", "--default-pip"]
    if works([str(PYTHON), "-c", "import ensurepip"]):
        with step("Putting pip into .venv"):
            quietly(ensurepip)
        return
    if works([base_python(), "-m", "pip", "--version"]):
        with contextlib.suppress(SetUpError), step("Putting pip into .venv"):
            quietly([base_python(), "-m", "pip", "--quiet", "--python", str(PYTHON), "install", "pip"])
            return
    if is_root_with_apt():
        with contextlib.suppress(SetUpError), step(f"Installing {package}"):
            apt_install([package])
            quietly(ensurepip)
            return
    if shutil.which("apt-get") and shutil.which("dpkg-deb"):
        with contextlib.suppress(SetUpError), step("Fetching pip from the system's packages"):
            pip_from_system_package()
            return
    raise SetUpError(
        "This Python cannot make an environment with pip, since its ensurepip module is missing.\n"
        f"Install it with `sudo apt-get install {package}` (or your system's like), then run this again."
    )


def pip_from_system_package() -> None:
    """Install pip from Debian's package of its wheel; needs no root, since apt works in folders of our own."""
    with tempfile.TemporaryDirectory(prefix="twinlens-") as name:
        folder = Path(name)
        options = ["-o", "Debug::NoLocking=1", "-o", f"Dir::State={folder}", "-o", f"Dir::Cache={folder}"]
        (folder / "lists" / "partial").mkdir(parents=True)
        (folder / "archives" / "partial").mkdir(parents=True)
        quietly(["apt-get", *options, "update"])
        quietly(["apt-get", *options, "download", "python3-pip-whl"], cwd=folder)
        for archive in folder.glob("python3-pip-whl*.deb"):
            quietly(["dpkg-deb", "-x", str(archive), str(folder)])
        for wheel in folder.glob("usr/share/python-wheels/pip-*.whl"):  # a wheel of pip runs from the archive itself
            quietly([str(PYTHON), f"{wheel}/pip", "install", "--no-index", "--no-deps", str(wheel)])
    if not has_pip():
        raise SetUpError("The system's package of pip holds no wheel.")


def install(lock_name: str, installed: set[str]) -> None:
    """Install what is locked and the project itself, and remove what was `installed` before and is locked no more."""
    if not has_pip():
        bring_pip()
    names = locked_names(lock_name)
    with step(f"Installing {len(names)} packages of {lock_name}"):
        pip("install", "--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(ROOT / lock_name))
        left_over = installed - locked_names(DEVELOPER_LOCK)
        if left_over:
            pip("uninstall", "--yes", *sorted(left_over))
        # The lock holds what builds the project, so this needs no network.
        pip("install", "--no-index", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))


def pip(*arguments: str) -> None:
    """Run pip of `.venv`; the machine's own pip configuration says where packages come from."""
    quietly([str(PYTHON), "-m", "pip", "--quiet", "--no-input", *arguments], PIP_DISABLE_PIP_VERSION_CHECK="1")


def has_pip() -> bool:
    """Whether `.venv` has a pip that starts."""
    return works([str(PYTHON), "-m", "pip", "--version"])


# ---- what Qt needs of the system ------------------------------------------------------------------------------------


OPENED = ("xcb", "offscreen")
PACKAGED = (*OPENED, "wayland")
"""Qt's platforms on which a window opens here, and those whose libraries a package brings along."""


def missing_libraries(pyside: Path, platforms: Sequence[str] = OPENED) -> list[str]:
    """Name the shared libraries that Qt's windows need and this Linux does not have."""
    users = [pyside / f"Qt/plugins/platforms/libq{one}.so" for one in platforms]
    users += sorted(pyside.glob("QtWidgets*.so"))
    missing: set[str] = set()
    for library in users if shutil.which("ldd") else ():
        listing = subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=False).stdout
        missing.update(re.findall(r"(\S+) => not found", listing))
    return sorted(missing)


def debian_package(library: str) -> str:
    """Name the Debian package of a shared library, by Debian's rule for such names: libGL.so.1 is in libgl1."""
    stem, _, version = library.lower().partition(".so.")
    if stem.startswith(("libglib-2.0", "libgthread-2.0")):
        return "libglib2.0-0"
    return f"{stem}-{version}" if stem[-1].isdigit() else f"{stem}{version}"


def provide_qt_libraries(platforms: Sequence[str] = OPENED) -> bool:
    """Install Qt's missing system libraries where that is allowed, else name them; whether all are there."""
    pyside = site_packages() / "PySide6"
    return provide(
        "The window cannot open before the system has what Qt needs",
        lambda: {library: debian_package(library) for library in missing_libraries(pyside, platforms)},
    )


BUILD_TOOLS = {"cc": "gcc", "readelf": "binutils"}
PACKAGE_TOOLS = {"xz": "xz-utils", "dh": "debhelper"}
"""Programs that make a bundle on Linux, and those that make packages of it, with Debian's packages of them."""


def missing_tools(packages: bool) -> dict[str, str]:
    """Name what a bundle is made with and this Linux does not have, each with Debian's package of it."""
    tools = {**BUILD_TOOLS, **(PACKAGE_TOOLS if packages else {})}
    missing = {tool: package for tool, package in tools.items() if not shutil.which(tool)}
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        missing["Python.h"] = "python3-dev"
    if not shutil.which("apt-get"):
        missing.pop("dh", None)  # there is no package for Debian then
    return missing


def can_bundle(packages: bool) -> bool:
    """Install or name what a bundle needs of the system; whether all is there."""
    ready = True
    if sys.platform == "linux":
        ready = provide("A bundle is made with more than this system has", lambda: missing_tools(packages))
        ready = provide_qt_libraries(PACKAGED) and ready
    return ready


def provide(what: str, missing: Callable[[], dict[str, str]]) -> bool:
    """Install the Debian packages of what is missing where that is allowed, else name them; whether all is there."""
    lacks = missing()
    if lacks and is_root_with_apt():
        packages = sorted(set(lacks.values()))
        with contextlib.suppress(SetUpError), step(f"Installing {' '.join(packages)}"):
            apt_install(packages)
        lacks = missing()
    if lacks:
        packages = sorted(set(lacks.values()))
        by_apt = f"sudo apt-get install {' '.join(packages)}"
        tell(f"{what}: {by_apt if shutil.which('apt-get') else ', '.join(lacks)}")
    return not lacks


def is_root_with_apt() -> bool:
    """Whether system packages can be installed as we are."""
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: Sequence[str]) -> None:
    """Install Debian packages."""
    quietly(["apt-get", "update"])
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    quietly(command, DEBIAN_FRONTEND="noninteractive")


# ---- small parts ----------------------------------------------------------------------------------------------------


def tell(text: str) -> None:
    """Print one line for the person."""
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def step(text: str) -> Iterator[Callable[[str], None]]:
    """Print one line for a step, and at its end how long it took; the function given says how it ended."""
    results: list[str] = []
    print(f"{text} ...", end=" ", file=sys.stderr, flush=True)
    started = time.monotonic()
    try:
        yield results.append
    except BaseException:
        tell("failed")
        raise
    tell(" ".join([*results, f"{time.monotonic() - started:.1f} s"]))


def quietly(command: Sequence[str], cwd: Path = ROOT, **environment: str) -> None:
    """Run a command without showing what it prints; its last words are in the error where it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise SetUpError(f"{Path(command[0]).name} cannot be started: {error}.") from error
    if done.returncode:
        lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        errors = [line for line in lines if re.match(r"(ERROR|E|Error)\b", line)] or lines
        what = " ".join([Path(command[0]).name, *command[1:4]])
        raise SetUpError(
            f"`{what} ...` failed: {' '.join(errors[-3:]) or f'exit code {done.returncode}'}\n"
            "Mend that (is the network there, and is the disk full?), then run this again."
        )


def works(command: Sequence[str]) -> bool:
    """Whether a command succeeds."""
    try:
        quietly(command)
    except SetUpError:
        return False
    return True


def run(command: Sequence[str], cwd: Path | None = ROOT, **environment: str) -> int:
    """Run a command in the open and return its exit code; an interrupt is the command's to answer."""
    with subprocess.Popen(command, cwd=cwd, env={**os.environ, **environment}) as process:
        former = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            code = process.wait()
        finally:
            signal.signal(signal.SIGINT, former)
    return code if code >= 0 else 128 - code


def hand_over(command: Sequence[str], cwd: Path | None = None) -> int:
    """Become the command where the system knows that (signals then reach it), else run it; from the person's folder."""
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        if cwd is not None:
            os.chdir(cwd)
        os.execv(command[0], list(command))  # noqa: S606 - no shell is wanted
    return run(command, cwd)


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a second run.py wait until the first has set up."""
    if sys.platform == "win32":
        yield
    else:
        import fcntl

        handle = os.open(ROOT, os.O_RDONLY)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                tell("Another run.py is setting up; waiting for it.")
                fcntl.flock(handle, fcntl.LOCK_EX)
            except OSError:
                pass  # a file system without locks
            yield
        finally:
            os.close(handle)


def read_record() -> dict[str, str]:
    """Read what the last complete set-up was made from; empty where there was none."""
    try:
        record = json.loads(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def write_record(record: dict[str, str]) -> None:
    """Write the record whole or not at all; a `.venv` of somebody else stays as it is."""
    draft = RECORD.with_suffix(".draft")
    with contextlib.suppress(PermissionError):
        draft.write_text(json.dumps(record, indent=1), encoding="utf-8")
        draft.replace(RECORD)


def locked_names(lock_name: str) -> set[str]:
    """Name the packages of a lock file."""
    return set(re.findall(r"^([\w.-]+)==", (ROOT / lock_name).read_text(encoding="utf-8"), re.MULTILINE))


def project_digest() -> str:
    """Digest of what installing the project depends on: the settings of tools in pyproject.toml are not among it."""
    import tomllib

    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return digest(json.dumps([tables["build-system"], tables["project"]]).encode())


def digest(content: bytes) -> str:
    """Short digest of a file's content."""
    return hashlib.sha256(content).hexdigest()[:32]


def python_version() -> str:
    """Version that decides which wheels fit, such as 3.11."""
    return "{}.{}".format(*sys.version_info[:2])


def base_python() -> str:
    """Python outside of any environment, also where run.py was started with the one of `.venv`."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def site_packages() -> Path:
    """Folder where `.venv` has its packages."""
    return VENV / ("Lib" if os.name == "nt" else f"lib/python{python_version()}") / "site-packages"


def script(name: str) -> str:
    """Path of a command in `.venv`."""
    return str(BIN / (f"{name}.exe" if os.name == "nt" else name))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
