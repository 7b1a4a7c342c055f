"""Extraction: one file is read, hashed and decoded once, and all descriptors are extracted from that one picture.

Where local features are left for a second pass, a reduced picture is kept until then, as a file in the disposable
cache.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import cv2
import numpy as np

from twinlens.app.library import desktop_thumbnails
from twinlens.app.library.desktop_thumbnails import OriginalFile
from twinlens.app.library.workers.file_contents import (
    FileReadingTask,
    LostError,
    UnreachedError,
    claims_to_be_a_picture,
    file_contents,
    file_name,
)
from twinlens.app.library.workers.reduced_pictures import read_reduced, write_reduced
from twinlens.core.arrays import AnyArray
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.vectors import pack_vectors
from twinlens.features.deferred_keypoints import reduce, restored
from twinlens.features.descriptor import Extractor, UnusableError
from twinlens.features.formats import formats
from twinlens.features.keypoints.keypoints import keypoint_bytes
from twinlens.features.keypoints.sift import NO_LOCAL_FEATURES, keep_local_features
from twinlens.features.pictures.picture import FILM, Picture, PictureFacts
from twinlens.features.reading import reading_limits
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, NotAPictureError

PICTURE_TYPES = (*formats.PICTURE_TYPES, FILM)
"""The types of pictures that are recognised; when there are more, files that were passed over are read again."""

_OUT_OF_MEMORY = -4  # OpenCV's code


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
        picture = contents.picture(file_name(task.path), limits)
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
        picture = read(task.thumbnail, file_name(task.path), limits)
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
        not_a_picture=isinstance(error, NotAPictureError) and not claims_to_be_a_picture(task.path),
        lost=isinstance(error, LostError),
        unreached=isinstance(error, UnreachedError),
        content_hash=content_hash,
    )


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
