"""Extractors that do what no extractor should: importable in a worker process, where they are unpickled."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.duplicates.comparing.comparing_tasks import Alignment, AlignmentTask, ThumbnailHashTask
from twinlens.app.evaluate.editing_tasks import Editing, PerceptualHashes
from twinlens.app.library.workers.decoding_tasks import DecodingTask, WithLocalFeatures
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies.perceptual_hash import Hash
from twinlens.features.descriptor import Extractor, Vector
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.reading.reading_limits import Limits


@dataclass(frozen=True, eq=False)
class Mean(Extractor):
    """Mean colour: the tamest descriptor there is."""

    def extract(self, picture: Picture) -> Vector:
        return np.asarray(picture.rgb.reshape(-1, 3).mean(axis=0, dtype=np.float64) / 255, np.float32)


@dataclass(frozen=True, eq=False)
class Large(Mean):
    """Weighs as much as its numbers."""

    numbers: npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NotFinite(Extractor):
    def extract(self, picture: Picture) -> Vector:
        return np.array([1, np.nan], np.float32)


@dataclass(frozen=True, eq=False)
class Mishap(Extractor):
    """Does what the picture's width says, so that a test chooses it file by file; else describes it."""

    def extract(self, picture: Picture) -> Vector:
        match picture.facts.width:
            case 101:
                os.abort()
            case 102:
                ctypes.string_at(0)
            case 103:
                time.sleep(600)
            case 104:
                raise ZeroDivisionError("division by zero")
            case 105:
                np.ones(1 << 30, np.uint8)
            case 106:
                os._exit(3)
            case 107:
                sys.exit(4)
            case 108:
                raise MemoryError
            case 109:  # as the system ends a process whose time is up
                signal.raise_signal(getattr(signal, "SIGPROF", signal.SIGTERM))
        return np.array([picture.facts.width], np.float32)


@dataclass(frozen=True, eq=False)
class MishapBefore(Extractor):
    """Does what the picture's width says, and then what another extractor does."""

    then: Extractor

    def extract(self, picture: Picture) -> Vector:
        Mishap().extract(picture)
        return self.then.extract(picture)


ABORT, NULL, HANG, RAISE, HUNGRY, LEAVE, EXIT, MEMORY, LATE = range(101, 110)


@dataclass(frozen=True, eq=False)
class Slow(Extractor):
    """Takes longer for earlier pictures, so that later ones are ready first."""

    def extract(self, picture: Picture) -> Vector:
        time.sleep(0.3 / picture.facts.width)
        return np.array([picture.facts.width], np.float32)


@dataclass(frozen=True, eq=False)
class Own(Extractor):
    """Gives the number of the process that it runs in, as two parts that float16 keeps."""

    def extract(self, picture: Picture) -> Vector:
        return np.array(divmod(os.getpid(), 1 << 11), np.float32)


class BadStart(Mean):
    """Cannot be unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)


class DeadlyStart(Mean):
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


@dataclass(frozen=True, eq=False)
class Inside(Extractor):
    """Writes what the worker process is like into a file, and makes noise on both outputs."""

    path: str

    def extract(self, picture: Picture) -> Vector:
        import cv2

        print("noise from a worker", flush=True)
        os.write(2, b"noise from a worker\n")
        with open(self.path, "w", encoding="utf-8") as file:  # noqa: PTH123
            print(os.getpid(), cv2.getNumThreads(), os.environ["OMP_NUM_THREADS"], *sorted(sys.modules), file=file)
        return np.zeros(1, np.float32)


class MishapLook(DecodingTask):
    """A picture that does with its decoder what its width says."""

    def __call__(self, limits: Limits) -> Picture:
        picture = super().__call__(limits)
        Mishap().extract(picture)
        return picture


class MishapLocalFeatures(WithLocalFeatures):
    """A picture that does what its width says when its local features are looked for."""

    def __call__(self, limits: Limits) -> tuple[Picture]:
        (picture,) = super().__call__(limits)
        Mishap().extract(picture)
        return (picture,)


class MishapEditing(Editing):
    """A photograph that does what its width says when it is edited."""

    def pixels(self) -> UInt8Pixels:
        _by_width(self.rgb.shape[1])
        return super().pixels()


@dataclass(frozen=True)
class MishapLayingOver(AlignmentTask):
    """Does what the widths of both pictures say, where these are the same."""

    def __call__(self, limits: Limits) -> Alignment | None:
        if self.first.size[0] == self.second.size[0]:
            _by_width(self.first.size[0])
        return super().__call__(limits)


@dataclass(frozen=True)
class MishapHashes(ThumbnailHashTask):
    """Ends its process where a thumbnail has an even number of bytes."""

    def __call__(self, limits: Limits) -> list[bytes | None]:
        _refuse_even(self.jpegs)
        return super().__call__(limits)


@dataclass(frozen=True)
class MishapPerceptualHashes(PerceptualHashes):
    """Ends its process where a thumbnail has an even number of bytes."""

    def __call__(self, limits: Limits) -> list[Hash | None]:
        _refuse_even(self.jpegs)
        return super().__call__(limits)


def _by_width(width: int) -> None:
    Mishap().extract(Picture(np.zeros((1, 1, 3), np.uint8), None, PictureFacts("JPEG", width, 1, 1)))


def _refuse_even(jpegs: Sequence[bytes]) -> None:
    if any(len(one) % 2 == 0 for one in jpegs):
        os.abort()
