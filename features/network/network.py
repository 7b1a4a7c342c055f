"""Networks: one that comes along, or any ONNX file of a person's own that turns a picture into a vector.

Vectors of the last layers of networks that were trained on other tasks compare what pictures show (Babenko, Slesarev,
Chigorin, Lempitsky: Neural Codes for Image Retrieval, ECCV 2014). Who has another network names its file and says how
it wants its pictures. It runs on the processor. What is transparent is filled with the mean, which is nothing to a
network.

What makes the vectors is known by the content of the file: another file under the same name makes another descriptor.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, Self

import cv2
import numpy as np
import numpy.typing as npt
from pydantic import field_validator

from core.declaration.declaration import parameter
from core.errors import InvalidError, TwinlensError
from core.kernels import Kernel, Linear
from core.message import NOTHING, Message
from core.progress import Progress, silent
from features.descriptor import Descriptor, Extractor, Pictures, UnusableError, Vector
from features.network.network_file import another, digest_of, open_network
from features.network.network_trial import length_of
from features.network.ready_made import DIMENSIONS, READY_MADE, missing
from features.pictures.picture import Picture

_LARGEST = 60_000  # that float16, in which libraries keep vectors, still holds
_NOT_IN_TEXT = ",()"

Planes = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NetworkExtractor(Extractor):
    """Runs a network that is in a file, not in the library.

    Parameters
    ----------
    path : str
        Of the file; of a network that comes along its name.
    """

    path: str
    digest: str
    side: int
    framing: str
    channels: str
    mean: tuple[float, float, float]
    deviation: tuple[float, float, float]
    layer: str | None
    normalise: bool
    length: int

    needs_a_file: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self:
        """Return what runs a network that comes along, on the whole picture brought to a square.

        Raises
        ------
        UnusableError
            If a package is not installed that it needs.
        """
        ready, lacking = READY_MADE[name], missing(name)
        if lacking:
            raise UnusableError(lacking, Message("Install it, or choose another descriptor."))
        mean, deviation = (ready.mean,) * 3, (ready.deviation,) * 3
        return cls(name, digest_of(name), ready.side, "stretch", "rgb", mean, deviation, None, True, DIMENSIONS)

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by what the network makes of it; all zero where nothing of it is visible.

        Raises
        ------
        LostNetworkError
            If the network's file is gone or has changed and was not read before.
        """
        if picture.mask is not None and not picture.mask.any():
            return np.zeros(self.length, np.float32)
        vector = open_network(self.path, self.digest, self.layer).run(self.planes(picture)).astype(np.float64)
        if not np.isfinite(vector).all():
            return np.zeros(self.length, np.float32)
        if self.normalise:
            vector /= np.linalg.norm(vector) or 1
        return np.clip(vector, -_LARGEST, _LARGEST).astype(np.float32)

    def unusable(self) -> Message:
        """Say that the file is gone or another one."""
        if self.path in READY_MADE:
            return missing(self.path)
        try:
            if digest_of(self.path) == self.digest:
                return NOTHING
        except TwinlensError as error:
            return error.message
        return another(self.path)

    def planes(self, picture: Picture) -> Planes:
        """Bring a picture to what the network wants, float32, (3, side, side)."""
        rgb, mask = picture.rgb, picture.mask
        if self.framing == "crop":
            middle = _middle_square(*rgb.shape[:2])
            rgb, mask = rgb[middle], None if mask is None else mask[middle]
        if mask is not None:  # before pixels at the outline are averaged with it
            rgb = np.where(mask[..., None], rgb, np.rint(255 * np.array(self.mean)).astype(np.uint8))
        small = _resized(rgb, self.side).astype(np.float32) / np.float32(255)
        planes = (small - np.array(self.mean, np.float32)) / np.array(self.deviation, np.float32)
        if mask is not None:
            planes[_resized(mask.astype(np.uint8), self.side) == 0] = 0
        if self.channels == "bgr":
            planes = planes[..., ::-1]
        return np.ascontiguousarray(planes.transpose(2, 0, 1))


def _middle_square(height: int, width: int) -> tuple[slice, slice]:
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return slice(top, top + side), slice(left, left + side)


def _resized(pixels: npt.NDArray[np.uint8], side: int) -> npt.NDArray[np.uint8]:
    shrinks = min(pixels.shape[:2]) >= side
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(np.ascontiguousarray(pixels), (side, side), interpolation=how), dtype=np.uint8)


@lru_cache(maxsize=16)
def _length(path: str, digest: str, side: int, layer: str | None) -> int:
    """Find out how many numbers a network gives, once a process."""
    return length_of(path, digest, side, layer)


class Network(Descriptor):
    """Compares what a network sees: photographs of the same thing, not only of the same shapes and colours.

    EfficientNet-Lite0 comes along. Any ONNX file of your own that turns a picture into a vector can take its place: the
    file stays where it is; while it is gone, or another one lies there, the index answers for photographs that it
    knows, and others wait. The values to start from are those of most networks that were trained on ImageNet; the page
    from which a network comes says its own.
    """

    key = "network"
    title = "A network"
    paper = "Babenko et al., ECCV 2014"
    measure: ClassVar[Kernel] = Linear(normalise=True)
    extractor: ClassVar[type[Extractor]] = NetworkExtractor
    plain_name = "what is seen in it"

    model: Literal["efficientnet-lite0"] = parameter(
        "efficientnet-lite0",
        help="The network that comes along, where no file is named; it knows the rest itself.",
    )
    path: str | None = parameter(
        None, help="An ONNX file of your own, with its weights in it. Its name may hold no comma or parenthesis."
    )
    side: int = parameter(224, ge=8, le=2048, unit="px", help="Width and height of the pictures that it takes.")
    framing: Literal["crop", "stretch"] = parameter(
        "crop", help="How a picture becomes square: crop takes the middle, stretch takes all and changes the shape."
    )
    channels: Literal["rgb", "bgr"] = parameter("rgb", help="Order of the colours: rgb, or bgr as Caffe had it.")
    mean_red: float = parameter(0.485, ge=0, le=1, help="Taken from red, which is 0 to 1.")
    mean_green: float = parameter(0.456, ge=0, le=1, help="Taken from green, likewise.")
    mean_blue: float = parameter(0.406, ge=0, le=1, help="Taken from blue, likewise.")
    deviation_red: float = parameter(
        0.229, gt=1e-6, le=1000, help="What red is divided by then; 0.00392157 (1/255) gives 0 to 255."
    )
    deviation_green: float = parameter(0.224, gt=1e-6, le=1000, help="What green is divided by, likewise.")
    deviation_blue: float = parameter(0.225, gt=1e-6, le=1000, help="What blue is divided by, likewise.")
    layer: str | None = parameter(None, help="Name of the output that is the vector; none for the last.")
    normalise: bool = parameter(True, help="Bring every vector to length 1, as nearly all networks want it.")

    @field_validator("path", "layer")
    @classmethod
    def _can_be_written(cls, text: str | None) -> str | None:
        if text is None:
            return None
        if not text or any(sign in text for sign in _NOT_IN_TEXT) or text != text.strip():
            raise InvalidError(
                Message(
                    "“{text}” is empty or holds a comma, a parenthesis or a space at an end; give the file another "
                    "name",
                    text=text,
                )
            )
        return text

    @field_validator("path")
    @classmethod
    def _whole(cls, path: str | None) -> str | None:
        """Keep the whole path: a library is opened from any folder."""
        return os.path.abspath(os.path.expanduser(path)) if path else None  # noqa: PTH100, PTH111 (text in, text out)

    @property
    def needs_a_file(self) -> bool:
        """Whether its file is a person's own."""
        return self.path is not None

    @property
    def dimensions(self) -> int:
        """Numbers that the network gives.

        Raises
        ------
        TwinlensError
            As :meth:`fit`.
        """
        if self.path is None:
            return DIMENSIONS
        return _length(self.path, digest_of(self.path), self.side, self.layer)

    def fit(self, sample: Pictures, progress: Progress = silent) -> NetworkExtractor:
        """Read the network and find out what it gives; nothing is learned.

        Raises
        ------
        TwinlensError
            If there is no such file, it is no network, does not take such pictures, or gives no vector; if the package
            of a network that comes along is not installed.
        """
        if self.path is None:
            return NetworkExtractor.of(self.model)
        digest = digest_of(self.path)
        return NetworkExtractor(
            self.path,
            digest,
            self.side,
            self.framing,
            self.channels,
            (self.mean_red, self.mean_green, self.mean_blue),
            (self.deviation_red, self.deviation_green, self.deviation_blue),
            self.layer,
            self.normalise,
            _length(self.path, digest, self.side, self.layer),
        )
