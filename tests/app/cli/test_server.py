"""Commands on a library on a server: the answers of a file, and no word of the password in any form of address."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.app.cli.test_commands import run
from tests.app.folders import Libraries
from tests.app.server_fixture import SECRET, address_of
from tests.postgres import Server
from twinlens.app.cli.main import main
from twinlens.app.machine import faults
from twinlens.app.machine.faults import log_fault
from twinlens.storage.database.address import Address, without_passwords

COUNT = 5


class Terminal:
    """Runs commands, and looks for the password in everything they print."""

    def __init__(self, capfdbinary: pytest.CaptureFixture[bytes], address: Address) -> None:
        self._printed, self._address = capfdbinary, address

    def run(self, *words: str, code: int = 0, library: bool = True) -> str:
        """Run a command and return all it prints."""
        with pytest.raises(SystemExit) as ended:
            main([*(["--library", self._address.text] if library else []), *words])
        out, err = (text.decode() for text in self._printed.readouterr())
        assert SECRET not in out + err, words
        assert int(ended.value.code or 0) == code, out + err
        return out + err

    def document(self, *words: str, code: int = 0) -> Any:
        """Run a command and return its document."""
        with pytest.raises(SystemExit) as ended:
            main(["--library", self._address.text, *words, "--json"])
        out, err = (text.decode() for text in self._printed.readouterr())
        assert SECRET not in out + err, words
        assert int(ended.value.code or 0) == code, out + err
        return json.loads(out)


@pytest.fixture
def terminal(capfdbinary: pytest.CaptureFixture[bytes], server_address: Address) -> Terminal:
    return Terminal(capfdbinary, server_address)


def test_the_ways_of_a_library_from_first_to_last(terminal: Terminal, libraries: Libraries, tmp_path: Path) -> None:
    photographs = libraries.photographs(COUNT)
    first = photographs / "0000.jpg"
    assert "twinlens add FOLDER" in terminal.run("status", code=2)
    assert terminal.document("add", str(photographs))["added"] == COUNT
    assert terminal.document("rescan")["found"] == COUNT
    status = terminal.document("status")
    assert (status["photographs"], status["writable"]) == (COUNT, True)
    assert status["library"].startswith("postgresql://")
    assert status["server"]
    assert status["bytes"] > 0
    assert "Server: " in terminal.run("status")
    hits = terminal.document("search", str(first), "-k", "3")["results"][0]["hits"]
    assert (hits[0]["id"], hits[0]["path"]) == (1, str(first))
    terminal.run("search", str(first), "-k", "3", "--exact")
    terminal.run("mark", "#1", "#2", "--different")
    assert len(terminal.document("marks", "list")["marks"]) == 1
    terminal.run("index", "create", "--descriptor", "colour", "--method", "lsh:bits=20", "--name", "Twenty")
    terminal.run("index", "list")
    terminal.run("duplicates")
    terminal.run("check")
    terminal.run("problems")
    backup = tmp_path / "backup.twinlens"
    terminal.run("backup", str(backup))
    terminal.run("marks", "remove", "--all")
    terminal.run("restore", str(backup))
    assert len(terminal.document("marks", "list")["marks"]) == 1
    terminal.run("forget", str(photographs))
    assert terminal.document("status")["photographs"] == 0


def answers(terminal: Terminal, library: str, capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    with pytest.raises(SystemExit):
        main(["--library", library, "search", "#1", "#2", "-k", "4", "--json"])
    results = json.loads(capfdbinary.readouterr().out)["results"]
    return [[(hit["id"], hit["distance"], hit["path"]) for hit in one["hits"]] for one in results]


def test_a_copy_there_and_back_answers_the_same(
    terminal: Terminal,
    libraries: Libraries,
    server_address: Address,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    source, back = libraries.of(COUNT), tmp_path / "back.twinlens"
    terminal.run("copy", str(source), server_address.text, library=False)
    before = answers(terminal, str(source), capfdbinary)
    assert answers(terminal, server_address.text, capfdbinary) == before
    terminal.run("copy", server_address.text, str(back), library=False)
    assert answers(terminal, str(back), capfdbinary) == before
    for target in (server_address.text, str(back)):
        assert "exists already" in terminal.run("copy", str(source), target, code=2, library=False)
        terminal.run("copy", str(source), target, "--replace", library=False)
        assert answers(terminal, target, capfdbinary) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda url: url.replace("/test_", "/no_such_"), "no database"),
        (lambda url: "postgresql://anna:never-shown@localhost:1/photos", "no connection"),
        (lambda url: "mysql://anna:never-shown@archive/photos", "mysql"),
        (lambda url: "postgresql://anna:never-shown@archive", "names no database"),
        (lambda url: "postgresql://anna:never-shown/x@archive/photos", "not understood"),
        (lambda url: url + "&no_such=1", "does not know"),
    ],
)
@pytest.mark.parametrize("json_too", [False, True])
def test_what_is_wrong_is_said_without_the_password(
    terminal: Terminal,
    server_address: Address,
    capfdbinary: pytest.CaptureFixture[bytes],
    change: Any,
    says: str,
    json_too: bool,
) -> None:
    words = ["--library", change(server_address.text), "status", *(["--json"] if json_too else [])]
    assert says in terminal.run(*words, code=2, library=False)


@pytest.mark.parametrize("words", [["status", "{}"], ["add", "{}"], ["{}"], ["--no-such", "{}"], ["search", "{}"]])
def test_an_address_in_the_wrong_place_shows_no_password(
    terminal: Terminal, libraries: Libraries, words: list[str]
) -> None:
    url = f"postgresql://anna:{SECRET}@archive/photos"
    terminal.run("--library", str(libraries.of(COUNT)), *(word.format(url) for word in words), code=2, library=False)


def test_a_fault_of_the_program_is_logged_without_the_password(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path))

    def fail(*arguments: object, **values: object) -> None:
        raise LookupError(f"postgresql://anna:{SECRET}@archive/photos")

    monkeypatch.setattr("twinlens.app.library.library.Library.open", fail)
    terminal.run("status", code=1)
    logged = faults.log_file().read_text()
    assert "postgresql://anna@archive/photos" in logged
    assert SECRET not in logged


def test_who_may_only_read_searches_and_is_told(
    postgres: Server, libraries: Libraries, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    address = address_of(postgres)
    owner = Terminal(capfdbinary, address)
    owner.run("copy", str(libraries.of(COUNT)), address.text, library=False)
    import psycopg

    with psycopg.connect(address.text, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS guest")
        connection.execute("CREATE ROLE guest LOGIN")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
    guest = Terminal(capfdbinary, Address.of(address.text.replace("//postgres:", "//guest:")))
    assert guest.document("status")["writable"] is False
    assert "only be read" in guest.run("status")
    assert len(guest.document("search", "#1", "-k", "3")["results"][0]["hits"]) == 3
    assert "read" in guest.run("mark", "#1", "#2", "--similar", code=2)
    with psycopg.connect(address.text, autocommit=True) as connection:
        connection.execute("DROP OWNED BY guest")
        connection.execute("DROP ROLE guest")


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
JSON = st.builds(
    lambda secret, names, indent: json.dumps(
        dict(zip(names, ("127.0.0.1", "photos", secret), strict=True)), indent=indent
    ),
    SECRETS,
    st.sampled_from([("host", "dbname", "password"), ("HOST", "Database", "PassWord"), ("server", "db", "pwd")]),
    st.sampled_from([None, 1]),
) | st.builds(json.dumps, st.builds(lambda url: {"url": url}, URLS))
ENCODED = st.builds(
    lambda text, times: functools.reduce(lambda known, _: quote(known, safe=""), range(times), text),
    st.one_of(URLS, PAIRS, JSON),
    st.integers(1, 3),
) | JSON.map(lambda text: text.replace("a", r"\u0061").replace("/", r"\/"))
WITHOUT_SCHEME = SECRETS.map(lambda secret: f"anna:{secret}@127.0.0.1/photos")
ADDRESSES = st.builds(
    lambda text, around: around.format(text),
    st.one_of(URLS, QUERIES, PAIRS, JSON, ENCODED),
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
@example("postgresql%3A%2F%2Fanna%3Aqzx7kk7xzq%40127.0.0.1%3A1%2Fphotos", COMMANDS[0])
@example('{"host": "127.0.0.1", "password": "qzx7kk7xzq"}', COMMANDS[7])
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


@given(st.one_of(URLS, QUERIES, PAIRS, JSON, ENCODED, WITHOUT_SCHEME))
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


@given(st.one_of(URLS, QUERIES, PAIRS, JSON, ENCODED), st.sampled_from(["{}", "no file {}.", "“{}” is none", "{!r}"]))
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
