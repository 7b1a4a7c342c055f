"""Addresses of libraries: what they name, and that a password is never shown."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from core.errors import TwinlensError
from storage.database.address import Address

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
HOSTS = st.from_regex(r"[a-z][a-z0-9.-]{0,9}", fullmatch=True) | st.sampled_from(["[::1]", "one:5433,two:5434"])

FILES = ["library.twinlens", "/a/b c.twinlens", "~x", "a:b", os.fsdecode(b"\xff.t")]
FILES += ["C:/a.twinlens", "C:\\a.twinlens", "c:a.twinlens", "\\\\nas\\photos\\a.twinlens", "//nas/photos/a.twinlens"]


def quoted(text: str) -> str:
    return quote(text, safe="")


@pytest.mark.parametrize("text", FILES)
def test_a_path_is_a_file(text: str) -> None:
    address = Address.of(text)
    assert address.is_file
    assert address.path == Path(text)
    assert Address.of(Path(text)) == Address.of(address) == address
    address.shown.encode()


def test_a_path_object_is_never_a_server() -> None:
    assert Address.of(Path("postgresql://archive/photos")).is_file


@settings(max_examples=40)
@given(NAMES, NAMES, HOSTS, NAMES, st.sampled_from(["postgresql", "postgres"]))
def test_what_is_shown_names_the_same_database_without_its_password(
    user: str, password: str, host: str, name: str, scheme: str
) -> None:
    secret = quoted("#never shown" + password)
    text = f"{scheme}://{quoted(user)}:{secret}@{host}/{quoted(name)}?sslmode=require&password={secret}&sslpassword={secret}"
    address = Address.of(text)
    assert not address.is_file
    known = conninfo_to_dict(address.text)
    secrets = {key: known.pop(key) for key in ("password", "sslpassword")}
    assert set(secrets.values()) == {"#never shown" + password}
    assert conninfo_to_dict(address.shown) == known
    for words in (
        address.shown,
        str(address),
        repr(address),
        f"{address}",
        address.title,
        repr(address.without_password()),
    ):
        assert secret not in words
    assert Address.of(address.shown) == address.without_password()
    assert address.key == address.without_password().key


@pytest.mark.parametrize("sign", ["/", "?", "?a=", "@", "%", "%00", " ", "\n", "%4"])
def test_a_sign_in_a_password_that_splits_the_address_is_refused_without_a_word_of_it(sign: str) -> None:
    with pytest.raises(TwinlensError, match="not understood") as caught:
        Address.of(f"postgresql://anna:12{sign}xy@archive/photos")
    assert "xy" not in str(caught.value)
    assert "12" not in str(caught.value)


@pytest.mark.parametrize("sign", ["#", ":", "&", "=", "%40"])
def test_other_signs_of_a_password_are_hidden_with_it(sign: str) -> None:
    address = Address.of(f"postgresql://anna:12{sign}xy@archive/photos")
    assert conninfo_to_dict(address.text)["password"] == f"12{unquote(sign)}xy"
    assert address.shown == "postgresql://anna@archive/photos"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mysql://archive/photos", "mysql"),
        ("postgresql://archive", "names no database"),
        ("postgresql://anna:secret@archive/", "postgresql://anna@archive/"),
        ("postgresql://archive:port/photos", "not understood"),
    ],
)
def test_what_cannot_be_an_address_is_said(text: str, says: str) -> None:
    with pytest.raises(TwinlensError, match=says) as caught:
        Address.of(text)
    assert "secret" not in str(caught.value)
    assert "postgresql://archive/photos" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "title", "server"),
    [
        ("/a/photos.twinlens", "photos", ""),
        ("postgresql://archive/photos", "archive/photos", "archive"),
        ("postgresql://archive:5433/my%20photos", "archive:5433/my photos", "archive:5433"),
        ("postgresql:///photos?host=/run/postgresql", "photos", "/run/postgresql"),
        ("postgresql:///photos", "photos", ""),
        ("postgresql://?service=archive", "archive", ""),
    ],
)
def test_a_library_has_a_name(text: str, title: str, server: str) -> None:
    address = Address.of(text)
    assert (address.title, address.server) == (title, server)


def test_the_key_of_a_file_follows_links(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert Address.of(tmp_path / "link").key == Address.of(str(tmp_path / "file")).key


def test_only_a_file_has_a_path() -> None:
    with pytest.raises(LookupError):
        _ = Address.of("postgresql://archive/photos").path
