"""The mount table of Linux, and names of file systems that last."""

from __future__ import annotations

import os
import re
import socket
import sys
from pathlib import Path

import pytest

from twinlens.core.errors import TwinlensError
from twinlens.core.systems import linux
from twinlens.core.systems.linux import Names, has_screen, is_below, parse_mounts

if sys.platform != "linux":
    pytest.skip("needs the mount table of Linux", allow_module_level=True)


def mount_line(source: str, point: str, root: str = "/", kind: str = "ext4", device: str = "8:1") -> bytes:
    return f"36 25 {device} {root} {point} rw,noatime shared:1 master:2 - {kind} {source} rw\n".encode()


def test_the_mount_table_is_read_with_its_escapes() -> None:
    table = mount_line("/dev/sda1", "/mnt/a\\040b\\134c", "/@photos") + b"broken line\n" + mount_line("none", "/t")
    first, second = parse_mounts(table)
    assert first == (36, os.makedev(8, 1), b"/@photos", b"/mnt/a b\\c", "ext4", b"/dev/sda1")
    assert second.source == b"none"


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_disk_is_known_by_its_uuid_wherever_it_is_mounted(tmp_path: Path, elsewhere: bool) -> None:
    (tmp_path / "by-uuid").mkdir()
    (tmp_path / "by-label").mkdir()
    (tmp_path / "by-uuid" / "1234-ABCD").symlink_to("/dev/null")
    (tmp_path / "by-uuid" / "dangling").symlink_to("/dev/not-there")
    (tmp_path / "by-label" / "My\\x20Fotky\\xc3\\xa9").symlink_to("/dev/null")
    device = os.stat("/dev/null").st_rdev  # noqa: PTH116
    names = Names(tmp_path)
    point = "/media/b" if elsewhere else "/media/a"
    shown = "0:44" if elsewhere else f"{os.major(device)}:{os.minor(device)}"  # as btrfs shows it, and as the others do
    (mount,) = parse_mounts(mount_line("/dev/null" if elsewhere else "/dev/gone", point, device=shown))
    assert names.identity(mount) == "uuid:1234-ABCD"
    assert names.label(mount) == "My Fotkyé"


def test_parts_of_one_file_system_are_volumes_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "by-uuid").mkdir()
    (tmp_path / "by-uuid" / "u").symlink_to("/dev/null")
    names = Names(tmp_path)
    mounts = parse_mounts(mount_line("/dev/null", "/") + mount_line("/dev/null", "/home", "/@home"))
    assert [names.identity(mount) for mount in mounts] == ["uuid:u", "uuid:u:/@home"]
    assert [names.label(mount) for mount in mounts] == ["/", "home"]


@pytest.mark.parametrize(
    ("line", "identity"),
    [
        (mount_line("nas:/photos", "/mnt/a", kind="nfs4", device="0:50"), "nfs4:nas:/photos"),
        (mount_line("overlay", "/", kind="overlay", device="0:51"), "overlay:overlay:/"),
        (mount_line("tmpfs", "/tmp", kind="tmpfs", device="0:52"), "tmpfs:tmpfs:/tmp"),
        (mount_line("/dev/vdz", "/data", "/host/data"), "ext4:/dev/vdz:/host/data:/data"),
        (mount_line("x\\377", "/m", kind="fuse"), "fuse:x\\xff:/m"),
    ],
)
def test_without_a_uuid_the_identity_still_lasts(tmp_path: Path, line: bytes, identity: str) -> None:
    (mount,) = parse_mounts(line)
    assert Names(tmp_path).identity(mount) == identity
    identity.encode()


def test_a_neighbour_with_the_same_beginning_is_not_below() -> None:
    assert not is_below(b"/mnt/disk2", b"/mnt/disk")
    assert is_below(b"/mnt/disk/a", b"/mnt/disk")


def test_without_the_kernels_number_the_longest_prefix_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = os.path.realpath(os.fsencode(tmp_path))
    here = os.fsdecode(folder)
    table = parse_mounts(
        b"".join([mount_line("a", "/"), mount_line("b", here), mount_line("c", here), mount_line("d", "/x")])
    )
    monkeypatch.setattr(linux, "_NUMBER", re.compile(rb"never"))
    found = linux.find_mount(table, folder)
    assert found is not None
    assert found[0].source == b"c"
    assert linux.find_mount(parse_mounts(mount_line("d", "/x")), folder) is None


def test_where_the_root_is_a_changed_one_links_are_followed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "find_mount", lambda *_: None)
    (tmp_path / "link").symlink_to(tmp_path)
    volume, relative = linux.LinuxMounts().of(os.fsencode(tmp_path / "link"))
    assert (volume.mount, relative) == (b"/", os.path.realpath(os.fsencode(tmp_path))[1:])
    assert linux.LinuxMounts().of(b"/")[1] == b""


def test_a_system_that_shows_no_table_says_what_to_mount(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(linux, "_TABLE", str(tmp_path / "mountinfo"))
    with pytest.raises(TwinlensError, match="which drives there are") as caught:
        linux.MountTable()
    assert "mount -t proc" in str(caught.value.advice)


if sys.platform != "linux":
    pytest.skip("elsewhere there always is a screen", allow_module_level=True)


@pytest.fixture(autouse=True)
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_screen_there_is_none() -> None:
    assert not has_screen()


def test_a_screen_that_is_told_of_must_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":54321")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    assert not has_screen()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        assert has_screen()


def test_a_screen_of_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("DISPLAY", f"127.0.0.1:{server.getsockname()[1] - 6000}.0")
        assert has_screen()
    assert not has_screen()
