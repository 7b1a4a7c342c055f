"""Networks: one that comes along, or any ONNX file of a person's own that turns a picture into a vector.

Vectors of the last layers of networks that were trained on other tasks compare what pictures show (Babenko, Slesarev,
Chigorin, Lempitsky: Neural Codes for Image Retrieval, ECCV 2014). Who has another network names its file, and how it
wants its pictures where no file beside it says that. Where its text network is there too, words can be asked with
(:mod:`features.network.text_network`). It runs on the processor.

What makes the vectors is known by the content of the file: another file under the same name makes another descriptor.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import field_validator

from core.declaration.declaration import parameter
from core.errors import InvalidError
from core.kernels.kernel import Kernel
from core.kernels.linear import Linear
from core.message import Message
from core.progress import Progress, silent
from features.descriptor import Descriptor, Extractor, Pictures, UnusableError
from features.network.export_folder import Preprocessing
from features.network.network_extractor import NetworkExtractor
from features.network.network_file import network_file_digest
from features.network.ready_made import DIMENSIONS

if TYPE_CHECKING:
    from features.network.network_trial import NetworkTrial
    from features.network.text_network import TextNetwork

_NOT_IN_TEXT = ",()"
_USUAL_SIDE = 224


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
        "crop where nothing else is said.",
    )
    resampling: Literal["auto", "area", "bicubic"] = parameter(
        "auto",
        help="How a picture becomes smaller: area takes means, bicubic is sharper, as CLIP wants it. auto is area "
        "where nothing else is said.",
    )
    channels: Literal["rgb", "bgr"] = parameter("rgb", help="Order of the colours: rgb, or bgr as Caffe had it.")
    mean_red: float | Literal["auto"] = parameter(
        "auto", ge=0, le=1, help="Taken from red, which is 0 to 1. auto is 0.485 where nothing else is said."
    )
    mean_green: float | Literal["auto"] = parameter(
        "auto", ge=0, le=1, help="Taken from green, likewise; 0.456 where nothing else is said."
    )
    mean_blue: float | Literal["auto"] = parameter(
        "auto", ge=0, le=1, help="Taken from blue, likewise; 0.406 where nothing else is said."
    )
    deviation_red: float | Literal["auto"] = parameter(
        "auto",
        gt=1e-6,
        le=1000,
        help="What red is divided by then; 0.00392157 (1/255) gives 0 to 255. auto is 0.229 where nothing else is "
        "said.",
    )
    deviation_green: float | Literal["auto"] = parameter(
        "auto", gt=1e-6, le=1000, help="What green is divided by, likewise; 0.224 where nothing else is said."
    )
    deviation_blue: float | Literal["auto"] = parameter(
        "auto", gt=1e-6, le=1000, help="What blue is divided by, likewise; 0.225 where nothing else is said."
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
                Message(
                    "“{text}” is empty or holds a comma, a parenthesis or a space at an end; give the file another "
                    "name",
                    text=text,
                )
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
        """Read the network and find out what it gives; nothing is learned.

        Raises
        ------
        TwinlensError
            If there is no such file, it is no network, does not take such pictures, or gives no vector; if the package
            of a network that comes along is not installed; if a text network is named that is not of its space.
        """
        if self.path is None:
            return NetworkExtractor.of(self.model)
        beside = Preprocessing.beside(self.path)
        tried = self._tried(self.path, beside)
        if self.text_path is not None or self.tokenizer_path is not None:
            from features.network.network_trial import try_text_network

            try_text_network(self.text_network(), tried.length)
        means = zip((self.mean_red, self.mean_green, self.mean_blue), beside.mean, strict=True)
        deviations = zip((self.deviation_red, self.deviation_green, self.deviation_blue), beside.deviation, strict=True)
        red, green, blue = (usual if said == "auto" else said for said, usual in means)
        by_red, by_green, by_blue = (usual if said == "auto" else said for said, usual in deviations)
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
        """Return the text network of the same space, by which words can be asked with.

        Raises
        ------
        UnusableError
            If there is none, or what reads words is not installed.
        """
        from features.network.text_network import BRING, TextNetwork  # here, since few searches are in words

        if self.path is None:
            raise UnusableError(
                Message("The network {model} that comes along knows no words.", model=self.model), BRING
            )
        return TextNetwork.of(self.path, self.text_path, self.tokenizer_path)

    def _tried(self, path: str, beside: Preprocessing) -> NetworkTrial:
        from features.network.network_trial import try_network  # here, since a search tries no network

        side = None if self.side == "auto" else self.side
        return try_network(path, network_file_digest(path), side, beside.side or _USUAL_SIDE, self.layer)
