"""The text network of a pair of one space, as CLIP has them: words become a vector near those of pictures that show it.

Radford et al., *Learning Transferable Visual Models From Natural Language Supervision* (ICML 2021). The tokenizer that
belongs to it cuts the words into the numbers that it takes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import read_bytes
from twinlens.core.message import Message, verbatim
from twinlens.features.descriptor import UnusableError, Vector
from twinlens.features.network.network_file import (
    TOKENIZER,
    OpenNetwork,
    RunError,
    find_beside,
    is_file,
    network_file_digest,
    open_network,
    text_names,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer


BRING = Message(
    "Create one with an image network and its text network, such as CLIP's files: twinlens index create --name Words "
    "--descriptor network:path=vision_model.onnx"
)
"""The advice where no index can be searched with words."""

_PACKAGE = "tokenizers"
_EMBEDDINGS = ("text_embeds", "sentence_embedding", "pooler_output")
_IDS, _MASK = "input_ids", "attention_mask"
_PADS = ("<|pad|>", "[PAD]", "<pad>")
_CONTEXT = 77  # of CLIP: how many numbers it takes, where neither network nor tokenizer says so
_MOST_BYTES = 64 << 20


@dataclass(frozen=True)
class TextNetwork:
    """A text network and its tokenizer.

    Attributes
    ----------
    path, tokenizer : str
        Their files.
    """

    path: str
    tokenizer: str

    @classmethod
    def of(cls, image_network: str, path: str | None, tokenizer: str | None) -> TextNetwork:
        """Return the text network that is named, or else the one that lies beside an image network.

        Raises
        ------
        UnusableError
            If it is not there, has no tokenizer, or the package that reads that is not installed.
        """
        beside = text_names(image_network)
        combined = [Path(image_network).name] if Path(image_network).name.startswith("model") else []
        found = find_beside(image_network, [*beside, *combined]) if path is None else path
        if found is None or not is_file(found):
            raise UnusableError(
                "The network {path} cannot search with words: its text network {names} is not there.",
                "Put the file there, or create an index that names it: network:path=…,text_path=FILE",
                path=image_network,
                names=path or beside[0],
            )
        reads = find_beside(found, [TOKENIZER]) if tokenizer is None else tokenizer
        if reads is None or not is_file(reads):
            raise UnusableError(
                "The network {path} cannot search with words: its {names} is not there.",
                "Put the file there, or create an index that names it: network:path=…,tokenizer_path=FILE",
                path=image_network,
                names=tokenizer or TOKENIZER,
            )
        if find_spec(_PACKAGE) is None:
            raise UnusableError(
                "The package {package} is not installed, which reads the words of a search.",
                "Install it beside Twinlens: pip install {package}",
                package=_PACKAGE,
            )
        return cls(found, reads)

    def bytes(self) -> int:
        """Return the size of both files; 0 where they are gone."""
        try:
            return Path(self.path).stat().st_size + Path(self.tokenizer).stat().st_size
        except OSError:
            return 0

    def vector(self, words: str, length: int) -> Vector:
        """Describe words.

        Parameters
        ----------
        length : int
            Of the vectors of the image network.

        Returns
        -------
        ndarray of float32, (length,)
            Finite; all zero where it knows none of the words.

        Raises
        ------
        TwinlensError
            If a file cannot be read, the network takes no words, or gives vectors of another length.
        """
        network = open_network(self.path, network_file_digest(self.path))
        wanted = {one.name: one for one in network.inputs}
        if _IDS not in wanted:
            raise TwinlensError(
                "{path} takes no words: its inputs are {inputs}, and not {ids}.",
                "Name the text network that belongs to the image network.",
                path=self.path,
                inputs=", ".join(wanted) or "0",
                ids=_IDS,
            )
        shape = wanted[_IDS].shape
        room = shape[1] if len(shape) == 2 and isinstance(shape[1], int) and shape[1] > 0 else None
        ids, mask = _cut(_tokenizer(self.tokenizer, _seen(self.tokenizer)), words, room)
        kind = np.int32 if wanted[_IDS].kind == "tensor(int32)" else np.int64
        output = next((name for name in _EMBEDDINGS if name in network.outputs), network.outputs[-1])
        found = self._run(network, {_IDS: ids.astype(kind), _MASK: mask.astype(kind)}, output)
        if len(found) != length or not np.isfinite(found).all():
            raise TwinlensError(
                "{path} gives {found} numbers for words, and its image network {length} for a picture: they do "
                "not belong together.",
                "Name the text network that belongs to the image network.",
                path=self.path,
                found=len(found),
                length=length,
            )
        return found

    def _run(self, network: OpenNetwork, given: dict[str, npt.NDArray[np.generic]], output: str) -> Vector:
        try:
            return network.vectors(given, [output])[0]
        except RunError as error:
            raise TwinlensError(
                "{path} cannot search with words ({why}).",
                "Name the text network and the tokenizer that belong to the image network.",
                path=self.path,
                why=error.why,
            ) from None


def _cut(tokenizer: Tokenizer, words: str, room: int | None) -> tuple[Int64Ids, Int64Ids]:
    """Return the numbers of words, (1, n), and which of them are not only padding, (1, n)."""
    own, padding = tokenizer.truncation, tokenizer.padding
    limits = [most for most in (room, None if own is None else int(own["max_length"])) if most]
    tokenizer.enable_truncation(max_length=min(limits, default=_CONTEXT))
    if room is not None:
        pad = next((number for name in _PADS if (number := tokenizer.token_to_id(name)) is not None), 0)
        names = ("direction", "pad_id", "pad_type_id", "pad_token")
        padding_settings = {"pad_id": pad} if padding is None else {name: padding[name] for name in names}
        tokenizer.enable_padding(length=room, **padding_settings)
    cut = tokenizer.encode(words)
    return np.array([cut.ids], np.int64), np.array([cut.attention_mask], np.int64)


@lru_cache(maxsize=2)
def _tokenizer(path: str, _seen_as: tuple[int, int]) -> Tokenizer:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_str(read_bytes(Path(path), _MOST_BYTES).decode())
    except Exception as error:  # noqa: BLE001 (its errors have no common kind)
        raise TwinlensError(
            "{path} is no tokenizer that can be read ({why}).",
            "Give the tokenizer.json that was exported with the network.",
            path=path,
            why=verbatim(" ".join(str(error).split())[:160]),
        ) from None


def _seen(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)  # noqa: PTH116 (as text in, so text out)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns
