"""Volumes of macOS, from what its programs print."""

from __future__ import annotations

import pytest

from twinlens.core.systems.macos_mounts import MacosMounts, identity_and_label
from twinlens.core.systems.volume import Volume

_INFO = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Bootable</key>
	<false/>
	<key>BusProtocol</key>
	<string>USB</string>
	<key>DeviceIdentifier</key>
	<string>{device}</string>
	<key>FilesystemType</key>
	<string>msdos</string>
	<key>MountPoint</key>
	<string>{point}</string>
	<key>VolumeName</key>
	<string>{name}</string>
	<key>VolumeUUID</key>
	<string>{uuid}</string>
</dict>
</plist>
"""
_ERROR = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Error</key>
	<true/>
	<key>ErrorMessage</key>
	<string>Could not find disk: /Users</string>
</dict>
</plist>
"""
_ONE, _OTHER = "7B1C2D3E-0000-3107-89CF-1C97F78BB46B", "0E239BC6-F960-3107-89CF-1C97F78BB46B"


def info(point: str, uuid: str, name: str = "NO NAME", device: str = "disk4s1") -> bytes:
    return _INFO.format(point=point, uuid=uuid, name=name, device=device).encode()


class Mac:
    """A Mac with sticks, by where they are mounted."""

    def __init__(self) -> None:
        self.now = 100.0
        self.asked = 0
        self.sticks: dict[bytes, bytes] = {}

    def told(self, *command: str | bytes) -> bytes:
        self.asked += 1
        assert command[:3] == ("/usr/sbin/diskutil", "info", "-plist")
        point = command[3]
        assert isinstance(point, bytes)
        return self.sticks.get(point, _ERROR)

    def folder_path(self, folder: bytes) -> bytes:
        found = folder.lower().replace(b"/volumes", b"/Volumes").replace(b"no name", b"NO NAME").rstrip(b"/")
        if found.startswith(b"/Volumes/") and not any(found.startswith(point) for point in self.sticks):
            raise FileNotFoundError(folder)
        return found

    def mounts(self) -> MacosMounts:
        return MacosMounts(
            self.told,
            self.folder_path,
            lambda point: point in (b"/", b"/users") or point in self.sticks,
            lambda folder: [point.removeprefix(folder + b"/") for point in self.sticks],
            lambda: self.now,
        )


def test_two_sticks_of_one_name_are_two_and_each_is_known_again() -> None:
    mac = Mac()
    mac.sticks = {
        b"/Volumes/NO NAME": info("/Volumes/NO NAME", _ONE),
        b"/Volumes/NO NAME 1": info("/Volumes/NO NAME 1", _OTHER),
    }
    mounts = mac.mounts()
    one, relative = mounts.of(b"/volumes/no name/dcim")
    other, _ = mounts.of(b"/Volumes/NO NAME 1")
    assert (one, relative) == (Volume(f"uuid:{_ONE}", "NO NAME", b"/Volumes/NO NAME"), b"dcim")
    assert other.identity == f"uuid:{_OTHER}"
    # Tomorrow the other one is plugged in first.
    mac.sticks = {b"/Volumes/NO NAME": info("/Volumes/NO NAME", _OTHER)}
    mac.now += 86_400
    assert mounts.points(one.identity) == ()
    assert mounts.points(other.identity) == (b"/Volumes/NO NAME",)


def test_a_walk_asks_for_a_volume_once_and_not_for_each_folder() -> None:
    mac = Mac()
    mac.sticks = {b"/Volumes/NO NAME": info("/Volumes/NO NAME", _ONE)}
    mounts = mac.mounts()
    for number in range(100):
        mounts.of(b"/Volumes/NO NAME/%d" % number)
    assert mac.asked == 1


def test_a_folder_that_macos_shows_from_another_volume_is_known_by_where_it_is() -> None:
    mounts = Mac().mounts()
    volume, relative = mounts.of(b"/users/anna/pictures")
    assert (volume.identity, volume.mount, relative) == ("mount:/users", b"/users", b"anna/pictures")
    assert mounts.points("mount:/users") == (b"/users",)
    assert mounts.points("mount:/elsewhere") == ()


@pytest.mark.parametrize(
    "told", [b"", b"no list", _ERROR, info("/Volumes/Other", _ONE), info("/Volumes/NO NAME", ""), b"\x00\xff" * 9]
)
def test_what_diskutil_does_not_know_is_known_by_where_it_is(told: bytes) -> None:
    assert identity_and_label(told, b"/Volumes/NO NAME") == ("mount:/Volumes/NO NAME", "NO NAME")


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        Mac().mounts().of(b"/Volumes/gone/a")
