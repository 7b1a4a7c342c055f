"""Paths and names of Windows, worked with as values."""

from __future__ import annotations

import ntpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.systems.volume import Volume
from twinlens.core.systems.windows_paths import (
    LONGEST,
    WindowsMounts,
    allowed_name,
    is_too_long,
    root_of,
    share_of,
    slashed,
)

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


class Machine:
    """A machine with drives and shares: label and serial number by root, in the case in which they are written."""

    def __init__(self, **volumes: tuple[str, int]) -> None:
        self._volumes = {f"{letter}:\\": facts for letter, facts in volumes.items()}

    def mount(self, root: str, label: str, serial: int) -> None:
        self._volumes[root] = label, serial

    def unplug(self, root: str) -> None:
        del self._volumes[root]

    def true_path(self, path: str) -> str:
        found = ntpath.normpath(path)
        if self.volume_root(found) not in self._volumes:
            raise FileNotFoundError(path)
        root = self.volume_root(found)
        return root + found[len(root) :].title()  # its folders are written so on the disk

    def volume_root(self, path: str) -> str:
        roots = [root for root in self._volumes if path.lower().startswith(root.lower().rstrip("\\"))]
        if not roots:
            raise FileNotFoundError(path)
        return max(roots, key=len)

    def volume_label(self, root: str) -> tuple[str, int]:
        if root not in self._volumes:
            raise OSError("the device is not ready")
        return self._volumes[root]

    def drives(self) -> list[str]:
        return ["A:\\", *sorted(root for root in self._volumes if len(root) == 3)]


def test_a_stick_is_the_same_under_another_letter() -> None:
    machine = Machine(C=("System", 1), E=("NO NAME", 0xABCD1234))
    mounts = WindowsMounts(machine)
    volume, relative = mounts.of(b"E:/DCIM/Summer")
    assert (volume, relative) == (Volume("serial:abcd1234", "NO NAME (E:)", b"E:/"), b"Dcim/Summer")
    assert mounts.points(volume.identity) == (b"E:/",)
    machine.unplug("E:\\")
    assert mounts.points(volume.identity) == ()
    machine.mount("G:\\", "NO NAME", 0xABCD1234)
    assert mounts.points(volume.identity) == (b"G:/",)
    assert mounts.of(b"G:\\dcim\\summer")[0].identity == volume.identity


def test_two_sticks_of_one_name_are_two() -> None:
    mounts = WindowsMounts(Machine(E=("NO NAME", 1), F=("NO NAME", 2)))
    assert mounts.of(b"E:/")[0].identity != mounts.of(b"F:/")[0].identity


@pytest.mark.parametrize("folder", [b"E:/photos", b"e:\\PHOTOS", b"E:/Photos/"])
def test_one_folder_in_other_case_is_one(folder: bytes) -> None:
    assert WindowsMounts(Machine(E=("", 5))).of(folder) == (Volume("serial:00000005", "E:", b"E:/"), b"Photos")


def test_two_shares_of_one_disk_are_two() -> None:
    machine = Machine()
    machine.mount("\\\\NAS\\Photos\\", "Data", 7)
    machine.mount("\\\\NAS\\Films\\", "Data", 7)
    mounts = WindowsMounts(machine)
    photos, relative = mounts.of(b"//nas/photos/2024")
    assert (photos.identity, photos.mount, relative) == ("share://nas/photos", b"//NAS/Photos/", b"2024")
    assert mounts.of(b"\\\\nas\\films")[0].identity == "share://nas/films"
    machine.mount("\\\\nas\\photos\\", "Data", 7)
    assert mounts.points(photos.identity) == (b"//nas/photos/",)


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        WindowsMounts(Machine()).of(b"Q:/photos")
