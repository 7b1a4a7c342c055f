"""The project itself: its folders, its locks, its versions, and what must not stand in a file."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("science", "tests", "tools", "twinlens")
TOP_LEVEL = {
    *PACKAGES,
    "ARCHITECTURE.md",
    "BENCHMARKS.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "conftest.py",
    "debian",
    "LICENSE",
    "PAPERS.md",
    "docs",
    "hatch_build.py",
    "README.md",
    "SECURITY.md",
    "pyproject.toml",
    "requirements-dev.lock",
    "requirements.lock",
    "run.py",
}
LOCKS = ("requirements.lock", "requirements-dev.lock")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SCRIPTS = {ROOT / "tests" / "without_qt", ROOT / "twinlens" / "storage" / "migrations" / "versions"}  # run by path
MADE_BY_TOOLS = {"build", "dist", "__pycache__"}


def own_files() -> Iterator[Path]:
    """Find the files of the repository: what tools make is in folders with a dot or of a known name."""
    for top in ROOT.iterdir():
        if top.name == ".ci" or top.name in TOP_LEVEL or (top.is_file() and top.name == ".gitignore"):
            for path in [top] if top.is_file() else top.rglob("*"):
                if path.is_file() and not MADE_BY_TOOLS & set(path.parts):
                    yield path


def locked(name: str) -> dict[str, list[tuple[Requirement, str]]]:
    """Read a lock file: for each package, its requirements (one for each marker) with the whole entry."""
    entries: dict[str, list[tuple[Requirement, str]]] = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8").strip()):
        requirement = Requirement(re.split(r"\s*\\\n", entry)[0])
        entries.setdefault(canonicalize_name(requirement.name), []).append((requirement, entry))
    return entries


def test_top_level_is_what_the_architecture_names() -> None:
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - MADE_BY_TOOLS
    assert found <= TOP_LEVEL


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_of_code_is_a_package(package: str) -> None:
    folders = {path.parent for path in (ROOT / package).rglob("*.py")} - SCRIPTS
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def texts() -> Iterator[tuple[Path, str]]:
    """Yield the files of the repository that are texts."""
    for path in own_files():
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or an array


def test_no_file_names_a_place_of_one_machine_or_a_registry() -> None:
    # The words are put together here, so that this file does not hold them.
    machine = r"(?<![\w.])/(?:" + "|".join(["wo" + "rk", "ro" + "ot"]) + r")/"
    registries = "|".join(re.escape(".".join(words)) for words in (["pypi", "org"], ["pythonhosted", "org"]))
    faults = []
    for path, text in texts():
        faults += [f"{path.relative_to(ROOT)}: {word}" for word in re.findall(f"{machine}|{registries}", text)]
    assert faults == []


@pytest.mark.parametrize("name", LOCKS)
def test_locks_hold_versions_and_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*-(?!-hash)", text, re.MULTILINE)
    for entries in locked(name).values():
        for requirement, entry in entries:
            assert str(requirement.specifier).startswith("==")
            assert "--hash=sha256:" in entry


def test_locks_are_in_step_with_the_project() -> None:
    project, groups = PYPROJECT["project"], PYPROJECT["dependency-groups"]
    extras = project["optional-dependencies"]
    build = [*PYPROJECT["build-system"]["requires"], *groups["build"]]
    program = [*extras["pictures"], *extras["app"], *extras["words"], *extras["server"]]
    wanted = {LOCKS[0]: [*project["dependencies"], *program, *build]}
    wanted[LOCKS[1]] = [*wanted[LOCKS[0]], *extras["dev"], *extras["bench"]]
    for name, requirements in wanted.items():
        entries = locked(name)
        for requirement in map(Requirement, requirements):
            if requirement.name == project["name"]:
                continue  # another extra
            versions = [entry.specifier for entry, _ in entries.get(canonicalize_name(requirement.name), [])]
            assert versions, f"{name} lacks {requirement.name}: run `python3 run.py lock`"
            for version in versions:
                assert requirement.specifier.contains(next(iter(version)).version, prereleases=True)


def test_what_is_not_known_to_break_has_no_upper_limit() -> None:
    """In a shared environment an upper limit keeps others away; the locks say which versions `run.py` installs."""
    lines = (ROOT / "pyproject.toml").read_text("utf-8").splitlines()
    limited = [line for line in lines if re.match(r'\s+"[\w.\[\]-]+[^"]*<[^"]*"', line)]
    assert limited, "onnxruntime and the weights are"
    assert all("  # " in line for line in limited), "with the reason"
    assert PYPROJECT["project"]["requires-python"] == ">=3.11"


def test_developers_have_the_same_versions_as_users() -> None:
    users, developers = (
        {re.sub(r" ; [^\\]*", " ", entry) for entries in locked(name).values() for _, entry in entries}
        for name in LOCKS
    )
    assert users <= developers, "the same versions and files; on which systems may differ"


@pytest.mark.parametrize("name", sorted(locked(LOCKS[1])))
def test_no_dependency_installs_a_module_of_our_name(name: str) -> None:
    try:
        files = importlib.metadata.distribution(name).files
    except importlib.metadata.PackageNotFoundError:
        assert all(entry.marker is None or not entry.marker.evaluate() for entry, _ in locked(LOCKS[1])[name])
        return  # locked for other systems only
    tops = {Path(file.parts[0]).stem.partition(".")[0] for file in files or ()}
    assert tops.isdisjoint({*PACKAGES, "run"})


@pytest.mark.parametrize("name", sorted(locked(LOCKS[0])))
def test_nothing_that_people_run_is_under_the_gpl_alone(name: str) -> None:
    """The project's licence rests on it; what a wheel bundles, CONTRIBUTING says."""
    assert name not in {"pillow-heif", "pillow-jxl-plugin", "pyjpegxl"}, "their wheels bundle what is under the GPL"
    try:
        told = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return  # locked for other systems only
    licences = [*(told.get_all("License-Expression") or []), *(told.get_all("Classifier") or [])]
    strict = [
        one for one in licences if re.search(r"\b(A?GPL-|GNU (Affero )?General Public)", one) and "LGPL" not in one
    ]
    assert strict == []


def test_what_is_cited_is_the_last_version_and_the_papers_of_the_page() -> None:
    cited, page = ((ROOT / name).read_text("utf-8") for name in ("CITATION.cff", "docs/cite.md"))
    version = max(released())
    assert f"\nversion: {version}\n" in cited
    assert f"version = {{{version}}}" in page
    plain = page.replace(r"{\"o}", "ö").replace(r"{\'o}", "ó")
    papers = re.findall(r"^\*[^:\n]+: ([^.\n]+)\. [^\n]*\*$", (ROOT / "PAPERS.md").read_text("utf-8"), re.MULTILINE)
    assert len(set(papers)) == 5
    for title in papers:
        assert f'title: "{title}"' in cited
        assert f"title       = {{{title}}}" in plain or f"title     = {{{title}}}" in plain


def test_version_numbers_agree() -> None:
    version = PYPROJECT["project"]["version"]
    assert importlib.metadata.version("twinlens") == version
    unreleased = (
        (ROOT / "CHANGELOG.md").read_text("utf-8").partition("## [Unreleased]")[2].partition("\n## ")[0].strip()
    )
    if unreleased:
        assert Version(version).is_devrelease, "a build between releases is no release"
        assert Version(version) > max(released())
    else:
        assert Version(version) == max(released())


def test_the_debian_package_is_of_this_version_and_of_its_makers() -> None:
    control, changes = ((ROOT / "debian" / name).read_text("utf-8") for name in ("control", "changelog"))
    project = PYPROJECT["project"]
    makers = ", ".join(f"{one['name']} <{one.get('email', '')}>" for one in project["authors"])
    version = re.sub(r"\.?(?=a|b|rc|dev)", "~", project["version"], count=1)  # in Debian's order before the release
    assert changes.startswith(f"twinlens ({version}) ")
    assert re.findall(r"^ -- (.*)  ", changes, re.MULTILINE)[0] == makers
    assert f"\nMaintainer: {makers}\n" in control
    named = [address for name, address in project["urls"].items() if name == "Homepage"]
    assert re.findall(r"^Homepage: (.*)", control, re.MULTILINE) == named


def released() -> list[Version]:
    """Return the released versions, the newest first."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return [Version(one) for one in re.findall(r"^## \[(\d[\w.]*)\]", text, re.MULTILINE)]


def test_addresses_of_the_project_stand_in_one_place() -> None:
    """None is made up: ``[project.urls]`` is empty until somebody names them."""
    made_up = re.compile(r"[\w.]+@[\w.-]+\.example\b|https?://[\w.]*twinlens[\w.]*")
    found = {path.name: made_up.findall(text) for path, text in texts() if path != Path(__file__)}
    named = set(PYPROJECT["project"].get("urls", {}).values())
    assert {name: one for name, one in found.items() if not set(one) <= named} == {}
