"""Paths and names of Windows, worked with as values."""

from __future__ import annotations

import ntpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.systems.windows_paths import LONGEST, allowed_name, is_too_long, root_of, share_of, slashed

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters='<>:"/\\|?*', exclude_categories=["Cc", "Cs"]), min_size=1
)


@given(st.lists(NAMES.filter(lambda name: name.strip(". ") != "")))
def test_a_path_with_slashes_is_the_same_path(names: list[str]) -> None:
    path = ntpath.join("C:\\", *names)
    found = slashed(path.encode()).decode()
    assert "\\" not in found
    assert ntpath.normpath(found) == ntpath.normpath(path)


@pytest.mark.parametrize(
    ("path", "root", "share"),
    [
        ("C:\\Users\\Anna", "C:\\", ""),
        ("c:/Users/Anna", "c:\\", ""),
        ("D:\\", "D:\\", ""),
        ("\\\\NAS\\Photos\\2024\\a.jpg", "\\\\NAS\\Photos\\", "//nas/photos"),
        ("//nas/photos", "\\\\nas\\photos\\", "//nas/photos"),
    ],
)
def test_the_root_of_drives_and_shares(path: str, root: str, share: str) -> None:
    assert (root_of(path), share_of(path)) == (root, share)


def test_a_path_is_as_long_as_its_utf16_units() -> None:
    assert not is_too_long(b"C:/" + b"a" * (LONGEST - 3))
    assert is_too_long(b"C:/" + b"a" * (LONGEST - 2))
    assert is_too_long("C:/{}".format("\U0001f4f7" * (LONGEST // 2)).encode())
    assert not is_too_long("C:/{}".format("ä" * (LONGEST - 3)).encode())


RESERVED = ["CON", "nul", "Aux.txt", "com1", "LPT9.tar.gz", "COM¹", "con .txt", "CONIN$"]


@pytest.mark.parametrize("name", RESERVED)
def test_devices_are_no_names(name: str) -> None:
    assert allowed_name(name) == f"_{name}"


@pytest.mark.parametrize("name", ["console", "COM", "com10", "a.con", "summer 2024", "été", "itq, 64 bits"])
def test_other_names_stay(name: str) -> None:
    assert allowed_name(name) == name


@given(st.text())
def test_every_name_is_allowed_and_stays_so(name: str) -> None:
    found = allowed_name(name)
    assert found
    assert not set(found) & set('<>:"/\\|?*\0\n\t')
    assert not found.endswith((".", " "))
    assert allowed_name(found) == found
