"""The contents of a file, read once: its hash, its kind, and the bytes to decode."""

from __future__ import annotations

import hashlib
import io
import os
import stat
from dataclasses import dataclass

from twinlens.app.library.desktop_thumbnails import Use
from twinlens.core.message import Message
from twinlens.core.systems.volume import Volume
from twinlens.features.formats.film_frame import film_frame, of_film
from twinlens.features.formats.formats import recognise
from twinlens.features.formats.live_photo import LONGEST_LIVE_S, Film, read_film
from twinlens.features.formats.types_not_read import is_film
from twinlens.features.keypoints.keypoints import FOUND
from twinlens.features.keypoints.sift import Cap
from twinlens.features.pictures.picture import WORKING_SIDE, Picture
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, NotAPictureError, UnreadableError

_ENDINGS = """
    .jpg .jpeg .jpe .jfif .mpo .png .apng .webp .tif .tiff .gif .bmp .dib .avif .avifs .heic .heics .heif .heifs .hif
    .jxl .jp2 .j2k .jpf .jpx .pbm .pgm .ppm .pnm .pam .pfm
    .psd .psb .qoi .tga .pcx .dcx .ico .cur .icns .dds .fli .flc .pcd .sgi .ras .xbm .xpm .msp
    .eps .svg .emf .wmf .xcf .pdn .psp .exr .hdr .jxr .wdp .hdp .fits .fpx .mic .bpg .flif .dcm .blp
    .3fr .arw .cr2 .cr3 .crw .dcr .dng .erf .iiq .k25 .kdc .mef .mrw .nef .nrw .orf .pef .raf .rw2 .rwl .sr2 .srf .srw
    .x3f
"""

PICTURE_ENDINGS = frozenset(_ENDINGS.split())
"""Endings of pictures: a file with one of them is never passed over quietly."""


_HEAD_BYTES = 4096

OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# A pipe that took the file's place since the walk must not stop the worker.
OPEN_FLAGS |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

_RESCAN = Message("It is read again at the next rescan.")


@dataclass(frozen=True, slots=True)
class FileReadingTask:
    """One file to read.

    Attributes
    ----------
    path : bytes
    size, mtime_ns : int
        As the scan found them.
    known : tuple of bytes
        Content hashes of photographs of this size in the library: if the file's is among them, it is not decoded.
    wanted : tuple of str
        Keys of the extractors to apply.
    to_keep : bool
        Whether to make the thumbnail and the strongest keypoints, too.
    desktop : Use
        The use of the desktop's thumbnails.
    cap : Cap
        The cap among whose keypoints the strongest are kept.
    later : tuple of Cap
        The local features of the second pass; none where there is one pass.
    local : tuple of str
        Keys of the extractors that describe local features, among the others.
    reduced : bytes
        Folder in which reduced pictures are kept until then; empty where none is to be kept.
    content_hash : bytes
        Of the photograph whose local features are described now, from its reduced picture. Where there is none, the
        file is read, and nothing is left for later.
    thumbnail : bytes
        The JPEG from which alone it is described now; empty where its file is read.
    volume : Volume or None
        The volume of the file, by which another machine finds it; ``path`` is where it lies on this one.
    relative : bytes
        Path on the volume.
    """

    photograph_id: int
    path: bytes
    size: int
    mtime_ns: int
    known: tuple[bytes, ...] = ()
    wanted: tuple[str, ...] = ()
    to_keep: bool = True
    desktop: Use = "off"
    cap: Cap = FOUND
    later: tuple[Cap, ...] = ()
    local: tuple[str, ...] = ()
    reduced: bytes = b""
    content_hash: bytes = b""
    thumbnail: bytes = b""
    volume: Volume | None = None
    relative: bytes = b""


DENIED = Message("The file may not be read: permission denied.")


class UnreachedError(UnreadableError):
    """A file that this process on this machine could not read whole."""


class LostError(UnreachedError):
    """The file, or the disk that it is on, is gone or fails."""


@dataclass(frozen=True)
class ReadContents:
    """The contents of a file.

    Attributes
    ----------
    data : bytes
        All of it; of a film, its first frame as a picture.
    digest : bytes
        SHA-256 of the file, 32 bytes.
    film : Film or None
        What a film says of itself.
    """

    data: bytes
    digest: bytes
    film: Film | None = None

    def picture(self, name: str, limits: Limits, side: int = WORKING_SIDE) -> Picture:
        """Decode it; raises as :func:`twinlens.features.reading.reading.read` does."""
        picture = read(self.data, name, limits, side)
        return picture if self.film is None else of_film(picture, self.film)


def file_contents(task: FileReadingTask, limits: Limits) -> ReadContents:
    """Read a file once and make sure that it is the one that the scan found, whole and unchanged.

    A film is read as a stream. One that belongs to a live photo is part of that picture, and is passed over.

    Raises
    ------
    TwinlensError
        If it is another one, is no file, cannot be read, or is too large.
    """
    film: Film | None = None
    try:
        with io.FileIO(os.open(task.path, OPEN_FLAGS), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UnreachedError(Message("It is no longer a file."), _RESCAN)
            if not claims_to_be_a_picture(task.path) and _holds_film(file, task.path):
                buffered = io.BufferedReader(file)
                data, film = film_frame(buffered, limits)
                buffered.detach().seek(0)
                digest, size = _digest(file)
            else:
                limits.check_file(status.st_size)
                data = _whole(file, status.st_size)
                digest, size = hashlib.sha256(data).digest(), len(data)
            after = os.fstat(file.fileno())
    except FileNotFoundError:
        raise LostError(Message("It is no longer there."), _RESCAN) from None
    except PermissionError:
        raise UnreachedError(
            DENIED,
            Message("Give yourself the right to read it; then rescan."),
        ) from None
    except OSError as error:
        raise LostError(
            Message("The file cannot be read: {value}.", value=error.strerror or error),
            Message("Check the disk and its connection; then rescan."),
        ) from None
    if size != task.size or (after.st_size, after.st_mtime_ns) != (task.size, task.mtime_ns):
        raise UnreachedError(Message("The file changed while it was read."), _RESCAN)
    return ReadContents(data, digest, film)


def _holds_film(file: io.FileIO, path: bytes) -> bool:
    """Return whether a file is a film, by its beginning; raises where it is no picture either."""
    head = file.read(_HEAD_BYTES)
    file.seek(0)
    try:
        recognise(head, file_name(path))
    except NotAPictureError:
        if not is_film(head) or _is_of_live_photo(file, path):
            raise
        return True
    return False


def _is_of_live_photo(file: io.FileIO, path: bytes) -> bool:
    """Return whether a short film lies beside a picture of its name."""
    seconds = read_film(file).seconds
    file.seek(0)
    stem = os.path.splitext(path)[0]
    stem = stem[: -len(_OF_HEVC)] if stem.endswith(_OF_HEVC) else stem
    beside = (stem + written for ending in _LIVE_ENDINGS for written in (ending, ending.upper()))
    return seconds is not None and seconds <= LONGEST_LIVE_S and any(map(os.path.exists, beside))


_OF_HEVC = b"_HEVC"


_LIVE_ENDINGS = (b".heic", b".heif", b".hif", b".jpg", b".jpeg", b".dng", b"")  # the last of Google's ``.MP``


_BLOCK_BYTES = 1 << 20


def _digest(file: io.FileIO) -> tuple[bytes, int]:
    """Return the SHA-256 of a file and its bytes."""
    digest, size = hashlib.sha256(), 0
    while block := file.read(_BLOCK_BYTES):
        digest.update(block)
        size += len(block)
    return digest.digest(), size


def _whole(file: io.FileIO, size: int) -> bytes:
    """Read a file to its end, or one byte beyond its size: a file that grows would never end."""
    data = file.read(size + 1)
    if len(data) >= size:
        return data
    parts = [data]  # network and FUSE file systems may return less than requested
    while parts[-1] and sum(map(len, parts)) <= size:
        parts.append(file.read(size + 1 - sum(map(len, parts))))
    return b"".join(parts)


def file_name(path: bytes) -> str:
    """Return the name of a file, for people."""
    return os.fsdecode(os.path.basename(path))


def claims_to_be_a_picture(path: bytes) -> bool:
    """Return whether the ending of a file's name is one of pictures."""
    return os.path.splitext(os.fsdecode(path))[1].lower() in PICTURE_ENDINGS
