"""Commands on a library that lies on a server: the same answers as a file gives, and no word of the password."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from app.machine import faults
from storage.database.address import Address
from tests.app.library_fixture import Libraries
from tests.app.server_fixture import SECRET, address_of, postgres, server_address
from tests.postgres import Server

__all__ = ["postgres", "server_address"]

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

    monkeypatch.setattr("app.library.library.Library.open", fail)
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
