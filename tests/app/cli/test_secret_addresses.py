"""Addresses of servers in every form that libpq, other programs and misspelling give: no password is told or kept."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.machine.faults import log_fault
from storage.database.address import Address, without_passwords
from tests.app.cli.test_commands import run
from tests.app.library_fixture import Libraries

HALVES = ("qzx7k", "k7xzq")
"""What stands around a sign in each password; nothing else has it."""

SECRETS = st.sampled_from(["", ":", "/", "?", "#", "@", "%", "&", "=", " ", "'", '"', "\\", ";", "%40", "ü"]).map(
    lambda sign: sign.join(HALVES)
)
NO_SERVER = "127.0.0.1:1"

SCHEMES = ["postgresql", "postgres", "POSTGRESQL", "PostgreSQL", "postgresql+psycopg", "postgres+asyncpg"]
OTHERS = ["mysql", "MySQL+pymysql", "sqlite", "jdbc:postgresql", "postgesql", "https", "file"]
URLS = st.builds(
    "{}{}@{}".format,
    st.builds("{}:{}".format, st.sampled_from(SCHEMES), st.sampled_from(["//", "//", "/", ""]))
    | st.sampled_from([f"{other}://" for other in OTHERS]),
    st.builds("{}:{}".format, st.sampled_from(["anna", "", "anna b", "anna%20b"]), SECRETS | SECRETS.map(quote)),
    st.sampled_from(
        [f"{NO_SERVER}/photos", f"{NO_SERVER}/my photos", NO_SERVER, f"{NO_SERVER},{NO_SERVER}/photos?sslmode=disable"]
    ),
)
NAMED = ["password", "PASSWORD", "sslpassword", "oauth_client_secret", "%70assword"]
QUERIES = st.builds(
    lambda scheme, name, secret: f"{scheme}://anna@{NO_SERVER}/photos?sslmode=disable&{name}={secret}",
    st.sampled_from(SCHEMES),
    st.sampled_from(NAMED),
    SECRETS | SECRETS.map(lambda secret: quote(secret, safe="")),
)


def _pair(name: str, equals: str, value: str, form: str) -> str:
    if form == "quoted":
        value = "'" + value.replace("\\", r"\\").replace("'", r"\'") + "'"
    else:
        value = "".join(f"\\{sign}" if sign in " '\\" else sign for sign in value)
    return f"{name}{equals}{value}"


PAIRS = st.builds(
    lambda secret, equals, form, order, between: between.join(
        _pair(name, equals, value, form)
        for name, value in order
        + [("password", secret)]
        + ([("sslpassword", secret), ("passfile", "x")] if "port" in dict(order) else [])
    ),
    SECRETS,
    st.sampled_from(["=", " = ", "= ", " ="]),
    st.sampled_from(["plain", "quoted"]),
    st.permutations([("host", "127.0.0.1"), ("port", "1"), ("dbname", "photos"), ("user", "anna")]).map(
        lambda some: some[: 1 + len(some) // 2]
    ),
    st.sampled_from([" ", "  ", "\t"]),
)
WITHOUT_SCHEME = SECRETS.map(lambda secret: f"anna:{secret}@127.0.0.1/photos")
ADDRESSES = st.builds(
    lambda text, around: around.format(text),
    st.one_of(URLS, QUERIES, PAIRS),
    st.sampled_from(["{}", "{}", " {}", "{} ", '"{}"', "'{}'", "“{}”", "psql {}"]),
)
COMMANDS = (
    ("--library", "{}", "status"),
    ("status", "--library", "{}", "--json"),
    ("--library", "{}", "add", "photographs"),
    ("add", "{}"),
    ("add", "{}", "--json"),
    ("copy", "{}", "copied.twinlens"),
    ("copy", "library.twinlens", "{}"),
    ("--library", "library.twinlens", "backup", "{}"),
    ("--library", "{}", "backup", "backup.twinlens"),
    ("--library", "library.twinlens", "restore", "{}"),
    ("--library", "{}", "restore", "library.twinlens", "--json"),
    ("--library", "library.twinlens", "search", "{}"),
    ("{}",),
    ("status", "{}"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, libraries: Libraries) -> Path:
    """Make a folder with photographs and a library."""
    folder = tmp_path_factory.mktemp("here")
    (folder / "photographs").symlink_to(libraries.photographs(3))
    (folder / "library.twinlens").write_bytes(libraries.of(3).read_bytes())
    return folder


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@example("host=127.0.0.1 port=1 password=qzx7kk7xzq dbname=x", COMMANDS[0])
@example("POSTGRESQL://anna:qzx7kk7xzq@127.0.0.1:1/my photos", COMMANDS[3])
@example("postgresql+psycopg://anna:qzx7kk7xzq@127.0.0.1:1/x", COMMANDS[6])
@example("host = 127.0.0.1 port = 1 password = 'qzx7k \\'k7xzq'", COMMANDS[7])
@given(ADDRESSES, st.sampled_from(COMMANDS))
def test_no_password_is_printed_or_kept(
    capfdbinary: pytest.CaptureFixture[bytes], place: Path, address: str, words: tuple[str, ...]
) -> None:
    before = Path.cwd()
    os.chdir(place)
    data = Path(os.environ["TWINLENS_DATA"])
    try:
        os.environ |= {"TWINLENS_DATA": str(place / "data")}
        code, out, err = run(capfdbinary, *(word.replace("{}", address) for word in words))
    finally:
        os.chdir(before)
        os.environ["TWINLENS_DATA"] = str(data)
    assert code == 2, err
    there = [path for path in place.rglob("*") if path.parent != place / "photographs"]
    for half in HALVES:
        assert half not in out + err, out + err
        assert not [path for path in there if half in path.name]
        assert not [path for path in there if path.is_file() and half.encode() in path.read_bytes()]


@given(st.one_of(URLS, QUERIES, PAIRS, WITHOUT_SCHEME))
def test_what_is_not_understood_is_no_file(text: str) -> None:
    try:
        address = Address.of(text)
    except Exception as error:  # noqa: BLE001
        told = str(error)
    else:
        assert not address.is_file
        told = (
            f"{address} {address!r} {address.title} {address.server} {address.shown} {address.without_password().text}"
        )
    assert not any(half in told for half in HALVES)


@given(st.one_of(URLS, QUERIES, PAIRS), st.sampled_from(["{}", "no file {}.", "“{}” is none", "{!r}"]))
def test_a_text_loses_its_passwords(address: str, around: str) -> None:
    told = without_passwords(around.format(address))
    assert not any(half in told for half in HALVES), told


def test_a_log_has_no_password(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path))
    log = log_fault(LookupError("host=a password = 'qzx7k k7xzq' POSTGRES://anna:qzx7k k7xzq@a/b"))
    assert log is not None
    assert not any(half in log.read_text("utf-8") for half in HALVES)


def test_a_file_with_such_a_name_is_named_by_its_whole_path(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, libraries: Libraries
) -> None:
    for name in ("host=archive.twinlens", "a=b.twinlens"):
        file = tmp_path / name
        file.write_bytes(libraries.of(3).read_bytes())
        assert run(capfdbinary, "--library", str(file), "status")[0] == 0
        assert run(capfdbinary, "--library", str(file), "backup", str(tmp_path / f"kept {name}"))[0] == 0
