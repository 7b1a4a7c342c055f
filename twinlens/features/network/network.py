"""The network descriptor: a network that comes along, or a person's own ONNX file, turns a picture into a vector.

Vectors of the last layers of networks that were trained on other tasks compare what pictures show (Babenko, Slesarev,
Chigorin, Lempitsky: Neural Codes for Image Retrieval, ECCV 2014). A person with another network names its file, and how
it wants its pictures where no file beside it says that. Where its text network is there too, words can be searched
(:mod:`twinlens.features.network.text_network`). It runs on the processor.

The network is known by the content of its file: another file under the same name makes another descriptor.

Transparent pixels are filled with the mean, which is nothing to a network.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import field_validator

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import InvalidError, TwinlensError
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, UnusableError, Vector
from twinlens.features.network import runtime
from twinlens.features.network.network_file import (
    Preprocessing,
    changed_network_error,
    network_file_digest,
    open_network,
)
from twinlens.features.network.ready_made_network import (
    CHANNELS,
    CLASSES,
    DIMENSIONS,
    READY_MADE,
    ROOTS,
    components,
    ready_made_refusal,
)
from twinlens.features.pictures.picture import Picture

if TYPE_CHECKING:
    from twinlens.features.network.network_trial import NetworkTrial
    from twinlens.features.network.text_network import TextNetwork


_NOT_IN_TEXT = ",()"
_USUAL_SIDE = 224
_AREA = "area"


@dataclass(frozen=True, eq=False)
class NetworkExtractor(Extractor):
    """Runs a network that is in a file, not in the library.

    Parameters
    ----------
    path : str
        Of the file; of a network that comes along its name.
    components : ndarray of float16, (c, length), or None
        By which the network's output is multiplied; None where it is the vector itself.
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
    resampling: str = _AREA
    components: npt.NDArray[np.float16] | None = None

    needs_a_file: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the extractor of all features of a network that comes along, on the whole picture as a square.

        Raises
        ------
        UnusableError
            If a package that it needs is not installed, or might tell others what it does.
        """
        if (refused := ready_made_refusal(name)) is not None:
            raise refused
        ready = READY_MADE[name]
        mean, deviation = (ready.mean,) * 3, (ready.deviation,) * 3
        return cls(name, network_file_digest(name), ready.side, "stretch", "rgb", mean, deviation, None, True, CHANNELS)

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by the output of the network; all zero where nothing of it is visible.

        Raises
        ------
        LostNetworkError
            If the network's file is gone or has changed and was not read before.
        """
        if picture.mask is not None and not picture.mask.any():
            return np.zeros(self.length, np.float32)
        output = self.outputs(picture)[-1]
        vector = (output if self._directions is None else output @ self._directions).astype(np.float64)
        if not np.isfinite(vector).all():
            return np.zeros(self.length, np.float32)
        if self.normalise:
            vector /= np.linalg.norm(vector) or 1
        return np.clip(vector, -_LARGEST, _LARGEST).astype(np.float32)

    def outputs(self, picture: Picture) -> list[Vector]:
        """Return the network's outputs; of one that comes along `CLASSES` and `ROOTS`, run once for a picture."""
        network = open_network(self.path, self.digest, self.layer)
        if self.path not in READY_MADE:
            return [network.run(self.planes(picture))]
        wanted = (CLASSES, ROOTS)
        return picture.shared((self.path, self.digest), lambda: network.run_once(self.planes(picture), wanted))

    def unusable(self) -> Message:
        """Return why the network cannot run: no network runs here, or the file is gone or has changed."""
        refused = ready_made_refusal(self.path) if self.path in READY_MADE else runtime.runtime_refusal()
        if refused is not None:
            return refused.message
        try:
            if network_file_digest(self.path) == self.digest:
                return NOTHING
        except TwinlensError as error:
            return error.message
        return changed_network_error(self.path)

    def planes(self, picture: Picture) -> Planes:
        """Return the input of the network for a picture, float32, (3, side, side)."""
        rgb, mask = picture.rgb, picture.mask
        if self.framing == "crop":
            middle = _middle_square(*rgb.shape[:2])
            rgb, mask = rgb[middle], None if mask is None else mask[middle]
        if mask is not None:  # before pixels at the outline are averaged with it
            rgb = np.where(mask[..., None], rgb, np.rint(255 * np.array(self.mean)).astype(np.uint8))
        small = self._resized(rgb)
        planes = np.empty((3, self.side, self.side), np.float32)
        for channel, plane in enumerate(planes if self.channels == "rgb" else planes[::-1]):
            np.take(self._values[channel], small[..., channel], out=plane, mode="clip")  # else a copy is made
        if mask is not None:
            planes[:, _resized(mask.astype(np.uint8), self.side) == 0] = 0
        return planes

    @property
    def outdated(self) -> bool:
        """Whether the network that comes along makes other vectors now."""
        return self.path in READY_MADE and self.digest != network_file_digest(self.path)

    @property
    def kept_as(self) -> str:
        """The type of a network that comes along, whose many numbers need no more; float16 of a person's own."""
        return "float16" if self.components is None else "int8"

    @cached_property
    def _directions(self) -> npt.NDArray[np.float32] | None:
        return None if self.components is None else self.components.astype(np.float32)

    @cached_property
    def _values(self) -> Planes:
        """The input of the network for each level of each channel, (3, 256)."""
        levels = np.arange(256, dtype=np.float32) / np.float32(255)
        return (levels - np.array(self.mean, np.float32)[:, None]) / np.array(self.deviation, np.float32)[:, None]

    def pack(self) -> Packed:
        """Return the packed extractor without what is usual, so that older kept ones are the same."""
        packed = super().pack()
        packed.numbers.pop("components", None)
        if self.resampling == _AREA:
            del packed.numbers["resampling"]
        return packed

    def _resized(self, rgb: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        if self.resampling == _AREA:
            return _resized(rgb, self.side)
        from PIL import Image  # here, since it is slow to import and few networks want it

        small = Image.fromarray(np.ascontiguousarray(rgb)).resize((self.side, self.side), Image.Resampling.BICUBIC)
        return np.asarray(small, np.uint8)


class Network(Descriptor):
    """Compares what a network sees: photos of the same thing, not only of the same shapes and colours.

    EfficientNet-Lite0 comes along. Any ONNX file of your own that turns a picture into a vector can take its place: the
    file stays where it is; while it is gone, or another one lies there, the index answers for photos that it
    knows, and others wait. How it wants its pictures stands in the preprocessor_config.json that an export puts beside
    it; without that file, auto means the values of most networks that were trained on ImageNet.

    Where the file is the image network of a pair (CLIP's vision_model.onnx), and its text network and tokenizer.json
    lie beside it, you can search with words. Twinlens fetches none of these files: they are yours to bring, as
    transformers and optimum export them.
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
    text_path: str | None = parameter(
        None,
        help="The text network of the same space, to search with words; none for text_model.onnx, or the like, beside "
        "the file.",
    )
    tokenizer_path: str | None = parameter(
        None, help="The tokenizer of the text network; none for tokenizer.json beside that, or one folder above."
    )
    side: int | Literal["auto"] = parameter(
        "auto",
        ge=8,
        le=2048,
        unit="px",
        help="Width and height of the pictures that it takes. auto is what the file says, or else 224.",
    )
    framing: Literal["auto", "crop", "stretch"] = parameter(
        "auto",
        help="How a picture becomes square: crop takes the middle, stretch takes all and changes the shape. auto is "
        "crop unless the network's file says otherwise.",
    )
    resampling: Literal["auto", "area", "bicubic"] = parameter(
        "auto",
        help="How a picture becomes smaller: area takes means, bicubic is sharper, as CLIP wants it. auto is area "
        "unless the network's file says otherwise.",
    )
    channels: Literal["rgb", "bgr"] = parameter("rgb", help="Order of the colours: rgb, or bgr as Caffe had it.")
    mean_red: float | Literal["auto"] = parameter(
        "auto",
        ge=0,
        le=1,
        help="Subtracted from red, which is 0 to 1. auto is 0.485 unless the network's file says otherwise.",
    )
    mean_green: float | Literal["auto"] = parameter(
        "auto",
        ge=0,
        le=1,
        help="Subtracted from green, likewise; auto is 0.456 unless the network's file says otherwise.",
    )
    mean_blue: float | Literal["auto"] = parameter(
        "auto",
        ge=0,
        le=1,
        help="Subtracted from blue, likewise; auto is 0.406 unless the network's file says otherwise.",
    )
    deviation_red: float | Literal["auto"] = parameter(
        "auto",
        gt=1e-6,
        le=1000,
        help="Divides red after that; 0.00392157 (1/255) gives 0 to 255. auto is 0.229 unless the network's file "
        "says otherwise.",
    )
    deviation_green: float | Literal["auto"] = parameter(
        "auto",
        gt=1e-6,
        le=1000,
        help="Divides green, likewise; auto is 0.224 unless the network's file says otherwise.",
    )
    deviation_blue: float | Literal["auto"] = parameter(
        "auto", gt=1e-6, le=1000, help="Divides blue, likewise; auto is 0.225 unless the network's file says otherwise."
    )
    layer: str | None = parameter(
        None,
        help="Name of the output that is the vector; none for image_embeds or pooler_output, or else the last.",
    )
    normalise: bool = parameter(True, help="Bring every vector to length 1, as nearly all networks want it.")

    @field_validator("path", "text_path", "tokenizer_path", "layer")
    @classmethod
    def _can_be_written(cls, text: str | None) -> str | None:
        if text is None:
            return None
        if not text or any(sign in text for sign in _NOT_IN_TEXT) or text != text.strip():
            raise InvalidError(
                "“{text}” is empty or holds a comma, a parenthesis or a space at an end; give the file another name",
                text=text,
            )
        return text

    @field_validator("path", "text_path", "tokenizer_path")
    @classmethod
    def _whole(cls, path: str | None) -> str | None:
        """Keep the whole path: a library is opened from any folder."""
        return os.path.abspath(os.path.expanduser(path)) if path else None  # noqa: PTH100, PTH111 (text in, text out)

    @property
    def recognises_variants(self) -> bool:
        """Whether such copies look much the same to it: networks learn from mirrored and recoloured photographs."""
        return True

    @property
    def classifies(self) -> bool:
        """Whether it is the network that comes along."""
        return self.path is None

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
        return self._tried(self.path, Preprocessing.beside(self.path)).length

    def fit(self, sample: Pictures, progress: Progress = silent) -> NetworkExtractor:
        """Read the network and find the size of its output; nothing is learned.

        Raises
        ------
        TwinlensError
            If there is no such file, it is no network, does not take such pictures, or gives no vector; if the package
            of a network that comes along is not installed; if a text network is named that is not of its space.
        """
        if self.path is None:
            return replace(NetworkExtractor.of(self.model), components=components(self.model), length=DIMENSIONS)
        beside = Preprocessing.beside(self.path)
        tried = self._tried(self.path, beside)
        if self.text_path is not None or self.tokenizer_path is not None:
            from twinlens.features.network.network_trial import try_text_network

            try_text_network(self.text_network(), tried.length)
        means = zip((self.mean_red, self.mean_green, self.mean_blue), beside.mean, strict=True)
        deviations = zip((self.deviation_red, self.deviation_green, self.deviation_blue), beside.deviation, strict=True)
        red, green, blue = (usual if value == "auto" else value for value, usual in means)
        by_red, by_green, by_blue = (usual if value == "auto" else value for value, usual in deviations)
        return NetworkExtractor(
            self.path,
            network_file_digest(self.path),
            tried.side,
            beside.framing if self.framing == "auto" else self.framing,
            self.channels,
            (red, green, blue),
            (by_red, by_green, by_blue),
            tried.layer,
            self.normalise,
            tried.length,
            beside.resampling if self.resampling == "auto" else self.resampling,
        )

    def text_network(self) -> TextNetwork:
        """Return the text network of the same space, by which words can be searched.

        Raises
        ------
        UnusableError
            If there is none, or what reads words is not installed.
        """
        from twinlens.features.network.text_network import BRING, TextNetwork  # here, since few searches are in words

        if self.path is None:
            raise UnusableError("The network {model} that comes along knows no words.", BRING, model=self.model)
        return TextNetwork.of(self.path, self.text_path, self.tokenizer_path)

    def _tried(self, path: str, beside: Preprocessing) -> NetworkTrial:
        from twinlens.features.network.network_trial import try_network  # here, since a search tries no network

        side = None if self.side == "auto" else self.side
        return try_network(path, network_file_digest(path), side, beside.side or _USUAL_SIDE, self.layer)


_LARGEST = 60_000  # that float16, in which libraries keep vectors, still holds
Planes = npt.NDArray[np.float32]


def _middle_square(height: int, width: int) -> tuple[slice, slice]:
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return slice(top, top + side), slice(left, left + side)


def _resized(pixels: npt.NDArray[np.uint8], side: int) -> npt.NDArray[np.uint8]:
    import cv2

    shrinks = min(pixels.shape[:2]) >= side
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(np.ascontiguousarray(pixels), (side, side), interpolation=how), dtype=np.uint8)
