"""The page on servers works as it is written: its statements, one after the other, on a fresh server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.postgres import Server
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.address import Address
from twinlens.storage.library.store import Store
from twinlens.storage.postgres.failures import translated

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "server.md").read_text("utf-8")
SETTING_UP = PAGE[PAGE.index("## Setting up") : PAGE.index("## Passwords")]


def statements() -> list[str]:
    """Return the lines of SQL and of psql, without what is said of them behind."""
    lines = re.findall(r"^    ((?:[A-Z]+ |\\c ).*)$", SETTING_UP, re.MULTILINE)
    return [re.split(r"\s+--", line)[0] for line in lines]


@pytest.fixture
def administered(postgres: Server) -> Iterator[Server]:
    """Return the server, and remove afterwards what the page makes."""
    yield postgres
    postgres.execute("DROP DATABASE IF EXISTS photos WITH (FORCE)")
    for role in ("photos", "anna", "guest", "ben"):
        postgres.execute(f"DROP ROLE IF EXISTS {role}")


def test_the_statements_of_the_page_work_in_their_order(administered: Server) -> None:
    first = make_url(administered.database())
    inside = first.set(database="photos").render_as_string(hide_password=False)
    address, made = "", False
    for statement in statements():
        if statement.startswith("\\c "):
            address = inside
            continue
        if "ben" in statement and not made:  # he comes when the library is there
            owner = first.set(database="photos", username="photos").render_as_string(hide_password=False)
            Store.open(owner, create=True).close()
            made = True
        administered.execute(statement, address)
    assert made
    for role, writes in (("anna", True), ("ben", True), ("guest", False)):
        own = first.set(database="photos", username=role).render_as_string(hide_password=False)
        with Store.open(own) as store:
            with store.reading() as r:
                assert len(r.photographs.by_id([1])) == 0
            if writes:
                with store.writing("trying") as w:
                    w.settings.put("tried", role)
            else:
                with pytest.raises(TwinlensError), store.writing("trying") as w:
                    w.settings.put("tried", role)


def test_a_missing_extension_names_the_statement_of_an_administrator() -> None:
    refused = psycopg.errors.InsufficientPrivilege('permission denied to create extension "vector"')
    sentence = translated(Address.of("postgresql://archive/photos"), refused)
    assert "CREATE EXTENSION vector;" in str(sentence)
