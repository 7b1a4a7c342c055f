# ruff: noqa: PTH102, PTH117, PTH118 (the paths are bytes)
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.library import volumes
from app.library.volumes import Volume, is_present, locate, split, split_folder
from app.machine import linux_mounts
from app.machine.linux_mounts import Names, is_below, parse

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs the mount table of Linux")


def mount_line(source: str, point: str, root: str = "/", kind: str = "ext4", device: str = "8:1") -> bytes:
    return f"36 25 {device} {root} {point} rw,noatime shared:1 master:2 - {kind} {source} rw\n".encode()


def test_a_path_is_put_together_again_as_it_was(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "folder" / "picture.jpg")
    (tmp_path / "folder").mkdir()
    volume, relative = split(path)
    assert not os.path.isabs(relative)
    assert relative.endswith(b"picture.jpg")
    assert locate(volume, relative) == path
    assert is_present(volume)


def test_names_that_are_no_text_survive(tmp_path: Path) -> None:
    folder = os.path.join(os.fsencode(tmp_path), b"\xff")
    if sys.platform != "darwin":
        os.mkdir(folder)
    path = os.path.join(folder, b"\xfe.jpg")
    assert locate(*split(path)) == path


def test_a_path_that_is_not_there_is_split_like_its_neighbours(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "gone" / "deeper" / "a.jpg")
    volume, relative = split(path)
    assert volume == split(os.fsencode(tmp_path / "b.jpg"))[0]
    assert locate(volume, relative) == path


def test_a_folder_has_the_volume_of_what_is_in_it(tmp_path: Path) -> None:
    volume, relative = split_folder(os.fsencode(tmp_path))
    assert split(os.fsencode(tmp_path / "a.jpg")) == (volume, os.path.join(relative, b"a.jpg"))
    assert locate(volume, b"") == volume.mount


def test_links_among_the_folders_are_resolved_and_the_file_is_not(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.jpg").write_bytes(b"")
    (tmp_path / "real" / "link.jpg").symlink_to("a.jpg")
    (tmp_path / "folder").symlink_to("real")
    assert locate(*split(os.fsencode(tmp_path / "folder" / "link.jpg"))) == os.fsencode(tmp_path / "real" / "link.jpg")


def test_the_identity_is_the_same_in_another_run(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "a.jpg")
    code = "import os, sys; from app.library.volumes import split; print(split(os.fsencode(sys.argv[1]))[0].identity)"
    other = subprocess.run([sys.executable, "-c", code, path], check=True, capture_output=True, text=True)
    assert other.stdout.strip() == split(path)[0].identity


def test_an_absent_volume_keeps_the_path_it_had() -> None:
    away = Volume("uuid:ffff-not-here", "card", b"/media/card")
    assert not is_present(away)
    assert locate(away, b"DCIM/1.jpg") == os.path.join(b"/media/card", b"DCIM/1.jpg")


def test_systems_without_a_mount_table_tell_the_mount_point(tmp_path: Path) -> None:
    plain = volumes._PlainMounts()
    volume, relative = plain.of(os.fsencode(tmp_path))
    assert os.path.ismount(volume.mount)
    assert os.path.join(volume.mount, relative) == os.path.realpath(os.fsencode(tmp_path))
    assert plain.points(volume.identity) == (volume.mount,)
    assert plain.points("mount:/not/a/mount") == ()
    with pytest.raises(FileNotFoundError):
        plain.of(os.fsencode(tmp_path / "gone"))


@linux_only
def test_the_mount_table_is_read_with_its_escapes() -> None:
    table = mount_line("/dev/sda1", "/mnt/a\\040b\\134c", "/@photos") + b"broken line\n" + mount_line("none", "/t")
    first, second = parse(table)
    assert first == (36, os.makedev(8, 1), b"/@photos", b"/mnt/a b\\c", "ext4", b"/dev/sda1")
    assert second.source == b"none"


@linux_only
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
    (mount,) = parse(mount_line("/dev/null" if elsewhere else "/dev/gone", point, device=shown))
    assert names.identity(mount) == "uuid:1234-ABCD"
    assert names.label(mount) == "My Fotkyé"


@linux_only
def test_parts_of_one_file_system_are_volumes_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "by-uuid").mkdir()
    (tmp_path / "by-uuid" / "u").symlink_to("/dev/null")
    names = Names(tmp_path)
    mounts = parse(mount_line("/dev/null", "/") + mount_line("/dev/null", "/home", "/@home"))
    assert [names.identity(mount) for mount in mounts] == ["uuid:u", "uuid:u:/@home"]
    assert [names.label(mount) for mount in mounts] == ["/", "home"]


@linux_only
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
    (mount,) = parse(line)
    assert Names(tmp_path).identity(mount) == identity
    identity.encode()


def test_a_neighbour_with_the_same_beginning_is_not_below() -> None:
    assert not is_below(b"/mnt/disk2", b"/mnt/disk")
    assert is_below(b"/mnt/disk/a", b"/mnt/disk")


@linux_only
def test_without_the_kernels_number_the_longest_prefix_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = os.path.realpath(os.fsencode(tmp_path))
    here = os.fsdecode(folder)
    table = parse(b"".join([mount_line("a", "/"), mount_line("b", here), mount_line("c", here), mount_line("d", "/x")]))
    monkeypatch.setattr(linux_mounts, "_NUMBER", re.compile(rb"never"))
    found = linux_mounts.find(table, folder)
    assert found is not None
    assert found[0].source == b"c"
    assert linux_mounts.find(parse(mount_line("d", "/x")), folder) is None


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    if not sys.platform.startswith("linux"):
        pytest.skip("needs the mounts of Linux")
    point, other = tmp_path / "point", tmp_path / "other"
    point.mkdir()
    other.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("needs the program mount")
    command = ["mount", "-t", "tmpfs", "twinlens-test", str(point)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"needs the right to mount: {done.stderr.strip()}")
    try:
        yield point, other
    finally:
        for path in (other, point):
            subprocess.run(["umount", path], check=False, capture_output=True)
            subprocess.run(["umount", path], check=False, capture_output=True)


def test_a_mount_and_its_end_are_noticed_at_once(mounted: tuple[Path, Path], tmp_path: Path) -> None:
    point, _ = mounted
    inside, outside = split(os.fsencode(point / "a.jpg")), split(os.fsencode(tmp_path / "a.jpg"))
    assert inside == (Volume(f"tmpfs:twinlens-test:{point}", "point", os.fsencode(point)), b"a.jpg")
    assert outside[0] != inside[0]
    assert is_present(inside[0])
    subprocess.run(["umount", point], check=True)
    assert not is_present(inside[0])
    assert locate(*inside) == os.fsencode(point / "a.jpg")
    assert split(os.fsencode(point / "a.jpg"))[0] == outside[0]


def test_a_part_mounted_elsewhere_is_its_own_volume_with_paths_of_its_own(mounted: tuple[Path, Path]) -> None:
    point, other = mounted
    (point / "part").mkdir()
    subprocess.run(["mount", "--bind", point / "part", other], check=True)
    volume, relative = split(os.fsencode(other / "a.jpg"))
    assert (volume.mount, relative) == (os.fsencode(other), b"a.jpg")
    assert volume.identity != split(os.fsencode(point / "part" / "a.jpg"))[0].identity


def test_a_hidden_mount_is_not_present(mounted: tuple[Path, Path]) -> None:
    point, _ = mounted
    hidden = split(os.fsencode(point / "a.jpg"))[0]
    subprocess.run(["mount", "-t", "tmpfs", "twinlens-hides", point], check=True)
    assert not is_present(hidden)
    assert split(os.fsencode(point / "a.jpg"))[0].identity == f"tmpfs:twinlens-hides:{point}"
