"""What a server reports becomes a sentence with a next step; a fault of the program stays one."""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError

from core.errors import TwinlensError
from storage.database.address import Address
from storage.postgres.connections import holder, name
from storage.postgres.failures import in_sentences, translated

ADDRESS = Address.of("postgresql://anna:verysecret@archive/photos")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("08006", "no connection"),
        ("08001", "no connection"),
        ("57P01", "no connection"),
        ("57P02", "no connection"),
        ("57P03", "no connection"),
        ("55P03", "is locked"),
        ("53100", "is full"),
        ("53300", "no more connections"),
        ("42501", "does not permit"),
        ("25006", "can only be read"),
        ("28000", "refuses the login"),
        ("28P01", "refuses the login"),
        ("3D000", "no database"),
        ("XX001", "is damaged"),
        ("XX002", "is damaged"),
        ("57014", "stopped a statement"),
        ("58030", "failed to read or write"),
    ],
)
def test_each_class_has_its_sentence(code: str, words: str) -> None:
    raised = psycopg.errors.lookup(code)("something")
    for error in (raised, OperationalError("SELECT 1", {}, raised)):
        told = translated(ADDRESS, error)
        assert told is not None
        assert words in str(told.message)
        assert told.next_step
        assert "postgresql://anna@archive/photos" in str(told.message)
        assert "verysecret" not in str(told)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            'connection failed: connection to server at "::1" failed: FATAL:  password authentication failed',
            "refuses the login",
        ),
        ("connection failed: fe_sendauth: no password supplied", "refuses the login"),
        ('connection failed: FATAL:  no pg_hba.conf entry for host "1.2.3.4"', "refuses the login"),
        ('connection failed: FATAL:  database "photos" does not exist', "no database"),
        ("connection failed: FATAL:  sorry, too many clients already", "no more connections"),
        ("connection failed: FATAL:  the database system is starting up", "no connection"),
        (
            "server closed the connection unexpectedly\n\tThis probably means the server terminated",
            "no connection",
        ),
    ],
)
def test_what_a_server_says_in_words(said: str, words: str) -> None:
    told = translated(ADDRESS, psycopg.OperationalError(said))
    assert told is not None
    assert words in str(told.message)
    assert "\n" not in str(told.message)


@pytest.mark.parametrize("code", ["42601", "42703", "23505", "22003"])
def test_faults_of_the_program_are_left_alone(code: str) -> None:
    error = psycopg.errors.lookup(code)
    with pytest.raises(error), in_sentences(ADDRESS):
        raise error("something")
    with pytest.raises(TwinlensError), in_sentences(ADDRESS):
        raise psycopg.errors.DiskFull("something")


@given(st.text(st.characters(codec="ascii", categories=["L", "N", "Zs"]), min_size=1, max_size=30))
def test_a_name_fits_and_says_who_it_is(purpose: str) -> None:
    made = name(purpose.strip() or "x")
    assert len(made.encode()) <= 63
    assert holder(made).startswith("process ")
    assert (purpose.strip() or "x") in holder(made)


def test_other_programs_are_named_as_they_are() -> None:
    assert holder("psql") == "psql"
