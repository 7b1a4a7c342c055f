"""Tasks of worker processes besides reading files: decode pictures or parts, make thumbnails or blocks, embed words.

Tasks that compare pictures are in :mod:`twinlens.app.duplicates.comparing.comparing_tasks`, those that describe the
pictures of a query in :mod:`twinlens.app.search.describing_tasks`. Only this module and
:mod:`twinlens.app.library.workers.extraction` call decoders, and all run in worker processes alone. Words are embedded
there, too, since a network and a tokenizer are files from outside.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from twinlens.app.library import desktop_thumbnails
from twinlens.app.library.desktop_thumbnails import OriginalFile
from twinlens.app.library.workers.file_contents import FileReadingTask, ReadContents, file_contents
from twinlens.features.copies.copy_traces import Blocks, ResizedPicture, resized
from twinlens.features.keypoints.sift import Cap, local_features
from twinlens.features.network.text_network import TextNetwork
from twinlens.features.pictures.picture import WORKING_SIDE, Picture, PictureFacts, Region
from twinlens.features.pictures.thumbnail import thumbnail
from twinlens.features.reading import reading_limits, sidecar_notes
from twinlens.features.reading.metadata import Statements
from twinlens.features.reading.reading import read, read_part
from twinlens.features.reading.reading_limits import Limits, UnreadableError

TaskResult = TypeVar("TaskResult")
TaskResult_co = TypeVar("TaskResult_co", covariant=True)


class WorkerTask(Protocol[TaskResult_co]):
    """A task for a worker process; the task and its result can be pickled."""

    @property
    def size(self) -> int:
        """Bytes that it reads, by which its processor time is limited."""

    def __call__(self, limits: Limits, /) -> TaskResult_co:
        """Run the task within limits; raises TwinlensError where it fails."""


@dataclass(frozen=True)
class WorkerLimits:
    """Limits of time and memory for one file.

    Attributes
    ----------
    seconds : float
        For reading and describing it, of wall-clock time.
        Processor time is limited besides, by the picture's size (`twinlens.features.reading.reading_limits`).
    memory_bytes : int
        Of one worker in all. A picture that would take more is not decoded; on Linux the system enforces it, too.
    """

    seconds: float = 60
    memory_bytes: int = Limits().memory_bytes

    @property
    def picture(self) -> Limits:
        """The limits that are checked before a picture is decoded."""
        return Limits(self.memory_bytes)


@dataclass(frozen=True)
class DecodingTask:
    """A picture to decode.

    Attributes
    ----------
    file : FileReadingTask or None
        Where it is; None where its bytes are given.
    data : bytes
    name : str
        As :func:`twinlens.features.reading.reading.read` wants it.
    side : int
        Pixels of its longer side at most; of a part always the working size.
    region : tuple of float or None
        The part that is wanted.
    content_hash : bytes
        SHA-256 that the file must have; empty for any.
    """

    file: FileReadingTask | None = None
    data: bytes = b""
    name: str = ""
    side: int = WORKING_SIDE
    region: Region | None = None
    content_hash: bytes = b""

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return len(self.data) if self.file is None else self.file.size

    def __call__(self, limits: Limits) -> Picture:
        """Decode it.

        Raises
        ------
        TwinlensError
            With the reason that adding the photograph would list as a problem.
        """
        contents = self._contents(limits)
        if self.region is not None:
            return read_part(contents.data, self.region, self.name, limits)
        return contents.picture(self.name, limits, self.side)

    def read(self, limits: Limits) -> bytes:
        """Return the bytes, of a film those of its first frame; raises as decoding them does."""
        return self._contents(limits).data

    def _contents(self, limits: Limits) -> ReadContents:
        if self.file is None:
            contents = ReadContents(self.data, hashlib.sha256(self.data).digest())
        else:
            contents = file_contents(self.file, limits)
        if self.content_hash and contents.digest != self.content_hash:
            raise UnreadableError("The file is not the one that the library has read.", "Rescan its folder.")
        return contents


@dataclass(frozen=True)
class _Made:
    """A task that begins with decoding a picture."""

    of: DecodingTask

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self.of.size


class ThumbnailTask(_Made):
    """A picture to make a thumbnail of."""

    def __call__(self, limits: Limits) -> bytes:
        """Decode it and give a JPEG."""
        return thumbnail(self.of(limits))


class FactsTask(_Made):
    """A picture of which the facts are wanted."""

    def __call__(self, limits: Limits) -> PictureFacts:
        """Decode it, and return what its file says."""
        return self.of(limits).facts


class BlocksTask(_Made):
    """A picture to take the blocks of."""

    def __call__(self, limits: Limits) -> Blocks:
        """Return the blocks."""
        return Blocks.of(self.of.read(limits), self.of.name, limits)


@dataclass(frozen=True)
class WithLocalFeatures(_Made):
    """A picture to decode together with its local features."""

    caps: tuple[Cap, ...]

    def __call__(self, limits: Limits) -> tuple[Picture]:
        """Decode and describe it; only inside a tuple is a picture sent with its local features."""
        picture = self.of(limits)
        reading_limits.end_processor_time()  # how many there are differs too much
        for cap in self.caps:
            local_features(picture, cap)
        return (picture,)


@dataclass(frozen=True)
class ResizedBlocksTask(_Made):
    """A picture to take the blocks of at another size.

    Attributes
    ----------
    at : tuple of int
        Pixels across and down.
    """

    at: tuple[int, int]

    def __call__(self, limits: Limits) -> ResizedPicture:
        """Return the blocks by each filter, and the detail beyond."""
        return resized(self.of.read(limits), self.at, self.of.name, limits)


@dataclass(frozen=True)
class DesktopThumbnailTask:
    """The desktop's thumbnail of a photograph, made by any program.

    Attributes
    ----------
    original : OriginalFile
        The photograph.
    folder : Path
        Where the desktop's thumbnails lie.
    """

    original: OriginalFile
    folder: Path

    @property
    def size(self) -> int:
        """Bytes of the file at most."""
        return desktop_thumbnails.LIMIT_BYTES

    def __call__(self, limits: Limits) -> bytes:
        """Return it as a JPEG, which takes less to keep and to paint; nothing where it does not serve."""
        found = desktop_thumbnails.find(self.original, place=self.folder)
        try:
            return b"" if found is None else thumbnail(read(found[0], limits=limits))
        except UnreadableError:
            return b""  # its words are whole, its pixels are not


@dataclass(frozen=True)
class SidecarsTask:
    """Sidecar files to read.

    Attributes
    ----------
    files : tuple of (bytes, bytes)
        Full path of each, and the name of its photograph.
    """

    files: tuple[tuple[bytes, bytes], ...]

    @property
    def size(self) -> int:
        """Bytes of the files at most."""
        return len(self.files) * sidecar_notes.MOST_BYTES

    def __call__(self, limits: Limits) -> list[Statements | None]:
        """Return what each says."""
        return [sidecar_notes.read_sidecar(*one) for one in self.files]


@dataclass(frozen=True)
class EmbeddingTask:
    """Words to embed.

    Attributes
    ----------
    length : int
        Of the vectors of its image network.
    """

    network: TextNetwork
    words: str
    length: int

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return self.network.bytes()

    def __call__(self, limits: Limits) -> bytes:
        """Return a vector of float32."""
        return self.network.vector(self.words, self.length).tobytes()
