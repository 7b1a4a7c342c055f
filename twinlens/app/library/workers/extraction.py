"""Extraction: one file is read, hashed and decoded once, and all descriptors are extracted from that one picture.

Where local features are left for a second pass, a reduced picture is kept until then, as a file in the disposable
cache.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import stat
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from twinlens.app.library import desktop_thumbnails
from twinlens.app.library.desktop_thumbnails import OriginalFile, Use
from twinlens.core.arrays import AnyArray
from twinlens.core.errors import TwinlensError
from twinlens.core.files import private_files
from twinlens.core.message import Message
from twinlens.core.systems.volume import Volume
from twinlens.core.vectors import pack_vectors
from twinlens.features.deferred_keypoints import reduce, restored
from twinlens.features.descriptor import Extractor, UnusableError
from twinlens.features.formats import formats
from twinlens.features.formats.film_frame import film_frame, of_film
from twinlens.features.formats.formats import recognise
from twinlens.features.formats.live_photo import LONGEST_LIVE_S, Film, read_film
from twinlens.features.formats.types_not_read import is_film
from twinlens.features.keypoints.keypoints import FOUND, keypoint_bytes
from twinlens.features.keypoints.sift import NO_LOCAL_FEATURES, Cap, keep_local_features
from twinlens.features.pictures.picture import FILM, WORKING_SIDE, Picture, PictureFacts
from twinlens.features.reading import reading_limits
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

PICTURE_TYPES = (*formats.PICTURE_TYPES, FILM)
"""The types of pictures that are recognised; when there are more, files that were passed over are read again."""

_HEAD_BYTES = 4096
_OUT_OF_MEMORY = -4  # OpenCV's code
_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# A pipe that took the file's place since the walk must not stop the worker.
_OPEN |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

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


@dataclass(frozen=True, slots=True)
class ReadPhotograph:
    """A photograph that was read.

    Attributes
    ----------
    path : bytes
    content_hash : bytes
        SHA-256 of the file, 32 bytes.
    thumbnail : bytes
        JPEG, at most 256 px on its longer side; empty where one that the desktop has serves.
    vectors : dict of str to bytes
        By key of extractor, packed; without those that could describe no picture just then.
    keypoints : bytes or None
        As :func:`twinlens.features.keypoints.keypoints.keypoint_bytes` gives them; None where local features are left
        for later.
    reduced : int
        Bytes of the reduced picture that is kept until then.
    """

    photograph_id: int
    path: bytes
    content_hash: bytes
    facts: PictureFacts
    thumbnail: bytes
    vectors: dict[str, bytes]
    keypoints: bytes | None
    reduced: int = 0


@dataclass(frozen=True, slots=True)
class CompletedPhotograph:
    """A photograph of which something was described later than the rest, without its file.

    Its local features were, from its reduced picture, or what it shows, from its thumbnail.

    Attributes
    ----------
    path : bytes
    content_hash : bytes
    vectors : dict of str to bytes
        By key of extractor.
    keypoints : bytes or None
        None where they stay as they are.
    """

    photograph_id: int
    path: bytes
    content_hash: bytes
    vectors: dict[str, bytes]
    keypoints: bytes | None = None


@dataclass(frozen=True, slots=True)
class KnownContent:
    """A file whose content the library has already; nothing was decoded."""

    photograph_id: int
    path: bytes
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file that is no photograph of the library's, and why.

    Attributes
    ----------
    path : bytes
    sentence, next_step : str
        For a person.
    not_a_picture : bool
        The bytes are of no picture and the name does not claim it: to be passed over quietly.
    lost : bool
        The file could not be reached: it, or the disk that it is on, is gone or fails. That says nothing of the file.
    unreached : bool
        Perhaps the machine is to blame, and another one can read it: the file was not there, not allowed or changing,
        or the system ended the process.
    content_hash : bytes or None
        Where it was read whole.
    fault : str
        A traceback where the program is at fault, for the log; else empty.
    """

    photograph_id: int
    path: bytes
    reason: Message
    next_step: Message
    not_a_picture: bool = False
    lost: bool = False
    unreached: bool = False
    content_hash: bytes | None = None
    fault: str = ""


Outcome = ReadPhotograph | CompletedPhotograph | KnownContent | UnreadableFile


def describe_picture(extractor: Extractor, picture: Picture) -> AnyArray:
    """Describe a picture as the library keeps it; a query's vector is made in the same way.

    Returns
    -------
    AnyArray, (d,)
        Packed as `Extractor.kept_as`, little-endian.
    """
    vector = extractor.extract(picture)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise AssertionError(f"{type(extractor).__name__} gave a vector that is not finite or not flat")
    packed = pack_vectors(vector, np.dtype(extractor.kept_as).newbyteorder("<"))
    if not np.isfinite(packed).all():
        raise AssertionError(f"{type(extractor).__name__} gave numbers that {packed.dtype} cannot hold")
    return packed


def extract(task: FileReadingTask, extractors: Mapping[str, Extractor], limits: Limits) -> Outcome:
    """Read one file and describe it.

    Parameters
    ----------
    extractors : mapping of str to Extractor
        At least those that the task wants.

    Returns
    -------
    Outcome
        A fault of the program is an UnreadableFile, too, with its traceback.
    """
    content_hash: bytes | None = None
    try:
        if task.thumbnail and (completed := _from_thumbnail(task, extractors, limits)) is not None:
            return completed
        if task.content_hash and (completed := _completed(task, extractors)) is not None:
            return completed
        contents = file_contents(task, limits)
        content_hash = contents.digest
        if content_hash in task.known:
            return KnownContent(task.photograph_id, task.path, content_hash)
        picture = contents.picture(_name(task.path), limits)
        del contents
        reading_limits.end_processor_time()  # descriptors differ too much
        # Transparent pictures have one pass: they are few, and the mask would have to be kept.
        later = () if task.content_hash or picture.mask is not None else task.later
        for cap in later:
            keep_local_features(picture, cap, NO_LOCAL_FEATURES)
        vectors = _described(task, extractors, picture)
        small = _thumbnail(task, picture) if task.to_keep else b""
        keypoints = None if later else keypoint_bytes(picture, task.cap) if task.to_keep else b""
        reduced = _keep_reduced(task, extractors, picture, content_hash) if later and task.reduced else 0
        return ReadPhotograph(
            task.photograph_id, task.path, content_hash, picture.facts, small, vectors, keypoints, reduced
        )
    except TwinlensError as error:
        return _refused(task, error, content_hash)
    except MemoryError:
        return _refused(task, limits.exceeded(), content_hash)
    except Exception as error:  # noqa: BLE001 (the job runner's catch: one photograph must not end the job)
        if isinstance(error, cv2.error) and error.code == _OUT_OF_MEMORY:
            return _refused(task, limits.exceeded(), content_hash)
        return failure(task, error, content_hash)


def _described(task: FileReadingTask, extractors: Mapping[str, Extractor], picture: Picture) -> dict[str, bytes]:
    vectors = {}
    for key in task.wanted:
        # If the extractor's file has gone, say, it is no fault of the photograph, which then waits for it.
        with suppress(UnusableError):
            vectors[key] = describe_picture(extractors[key], picture).tobytes()
    return vectors


def _from_thumbnail(
    task: FileReadingTask, extractors: Mapping[str, Extractor], limits: Limits
) -> CompletedPhotograph | None:
    """Describe a photograph by its thumbnail; None where that is damaged, and the file is read."""
    try:
        picture = read(task.thumbnail, _name(task.path), limits)
    except TwinlensError:
        return None
    vectors = _described(task, extractors, picture)
    return CompletedPhotograph(task.photograph_id, task.path, task.content_hash, vectors)


def _completed(task: FileReadingTask, extractors: Mapping[str, Extractor]) -> CompletedPhotograph | None:
    """Describe the local features of a reduced picture; None where none is whole."""
    data = read_reduced(task.reduced, task.content_hash)
    try:
        picture = restored(data, task.later, [extractors[key] for key in task.local])
    except ValueError:
        return None
    vectors = {key: describe_picture(extractors[key], picture).tobytes() for key in task.local}
    return CompletedPhotograph(
        task.photograph_id, task.path, task.content_hash, vectors, keypoint_bytes(picture, task.cap)
    )


def _name(path: bytes) -> str:
    return os.fsdecode(os.path.basename(path))


def _thumbnail(task: FileReadingTask, picture: Picture) -> bytes:
    facts = picture.facts
    return desktop_thumbnails.to_keep(
        task.desktop, OriginalFile(task.path, task.size, task.mtime_ns, facts.width, facts.height), picture
    )


def _keep_reduced(
    task: FileReadingTask, extractors: Mapping[str, Extractor], picture: Picture, content_hash: bytes
) -> int:
    data = reduce(picture, task.later, [extractors[key] for key in task.local])
    return write_reduced(task.reduced, content_hash, data)


def _refused(task: FileReadingTask, error: TwinlensError, content_hash: bytes | None) -> UnreadableFile:
    return UnreadableFile(
        task.photograph_id,
        task.path,
        error.message,
        error.advice,
        not_a_picture=isinstance(error, NotAPictureError) and not _claims_to_be_a_picture(task.path),
        lost=isinstance(error, _LostError),
        unreached=isinstance(error, _UnreachedError),
        content_hash=content_hash,
    )


def _claims_to_be_a_picture(path: bytes) -> bool:
    return os.path.splitext(os.fsdecode(path))[1].lower() in PICTURE_ENDINGS


class _UnreachedError(UnreadableError):
    """A file that this process on this machine could not read whole."""


class _LostError(_UnreachedError):
    """The file, or the disk that it is on, is gone or fails."""


def failure(task: FileReadingTask, error: BaseException, content_hash: bytes | None = None) -> UnreadableFile:
    """Return the problem of a file that raised an unexpected error.

    Parameters
    ----------
    content_hash : bytes, optional
        If the file was read.
    """
    return UnreadableFile(
        task.photograph_id,
        task.path,
        *explain_fault(type(error).__name__, str(error)),
        content_hash=content_hash,
        fault="".join(traceback.format_exception(error)),
    )


def explain_fault(kind: str, words: str) -> tuple[Message, Message]:
    """Return the problem of a picture at which the program failed.

    Parameters
    ----------
    kind, words : str
        Of the error.
    """
    return (
        Message("Twinlens failed on this picture ({kind}: {words}).", kind=kind, words=" ".join(words.split())[:200]),
        Message("This is a fault of the program; please report it."),
    )


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
        with io.FileIO(os.open(task.path, _OPEN), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _UnreachedError(Message("It is no longer a file."), _RESCAN)
            if not _claims_to_be_a_picture(task.path) and _holds_film(file, task.path):
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
        raise _LostError(Message("It is no longer there."), _RESCAN) from None
    except PermissionError:
        raise _UnreachedError(
            Message("The file may not be read: permission denied."),
            Message("Give yourself the right to read it; then rescan."),
        ) from None
    except OSError as error:
        raise _LostError(
            Message("The file cannot be read: {value}.", value=error.strerror or error),
            Message("Check the disk and its connection; then rescan."),
        ) from None
    if size != task.size or (after.st_size, after.st_mtime_ns) != (task.size, task.mtime_ns):
        raise _UnreachedError(Message("The file changed while it was read."), _RESCAN)
    return ReadContents(data, digest, film)


def _holds_film(file: io.FileIO, path: bytes) -> bool:
    """Return whether a file is a film, by its beginning; raises where it is no picture either."""
    head = file.read(_HEAD_BYTES)
    file.seek(0)
    try:
        recognise(head, _name(path))
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


MOST_BYTES = 2_000_000_000
"""Bytes of the reduced pictures of a library, at most: those of 40,000 photographs."""

_SHARE = 0.25  # of what is free on the disk


class ReducedPictures:
    """The reduced pictures of a library, by the contents of the photographs.

    Parameters
    ----------
    most : int
        Bytes of all of them together, about; and a quarter of what is free on the disk.
    """

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder = os.fsencode(folder)
        self._most = most
        self._taken: int | None = None

    def has_room(self) -> bool:
        """Return whether more can be written; False where the cache cannot be written."""
        if self._taken is None:
            try:
                private_files.make_folder(Path(os.fsdecode(self.folder)))
                with os.scandir(self.folder) as entries:
                    self._taken = sum(entry.stat().st_size for entry in entries)
                self._most = min(self._most, self._taken + int(_SHARE * shutil.disk_usage(self.folder).free))
            except OSError:
                self._taken = self._most
        return self._taken < self._most

    def count(self, written: int) -> None:
        """Count bytes that were written."""
        self._taken = (self._taken or 0) + written

    def has(self, content_hash: bytes) -> bool:
        """Return whether a photograph has a reduced picture."""
        return os.path.exists(_file(self.folder, content_hash))

    def remove(self, contents: Iterable[bytes]) -> None:
        """Remove the reduced pictures of some photographs."""
        for content_hash in contents:
            with suppress(OSError):
                file = _file(self.folder, content_hash)
                size = os.path.getsize(file)
                os.remove(file)
                self.count(-size)

    def clear(self) -> None:
        """Remove all reduced pictures."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._taken = None


def _file(folder: bytes, content_hash: bytes) -> bytes:
    return os.path.join(folder, content_hash.hex().encode())


def write_reduced(folder: bytes, content_hash: bytes, data: bytes) -> int:
    """Write a reduced picture, which is optional, and return its bytes; 0 where it cannot be written."""
    try:
        with open(_file(folder, content_hash), "wb") as file:
            return file.write(data)
    except OSError:
        return 0


def read_reduced(folder: bytes, content_hash: bytes) -> bytes:
    """Read a reduced picture; empty where there is none."""
    try:
        with open(_file(folder, content_hash), "rb") as file:
            return file.read()
    except OSError:
        return b""
