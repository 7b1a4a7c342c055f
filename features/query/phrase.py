"""Phrases: queries in words, which a text network brings into the space of its image network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import TwinlensError
from core.message import NOTHING, Message
from features.descriptor import Descriptor, UnusableError

if TYPE_CHECKING:
    from features.network.text_network import TextNetwork


_MOST = 1_000  # signs: text networks read far fewer


@dataclass(frozen=True)
class Phrase:
    """A query in words.

    Attributes
    ----------
    text : str
        One line, with single spaces between its words.

    Raises
    ------
    TwinlensError
        If it says nothing, or is too long.

    Examples
    --------
    >>> Phrase("  a dog on  a beach ").text
    'a dog on a beach'
    """

    text: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", " ".join(self.text.split()))
        if not self.text:
            raise TwinlensError("The text to search with is empty.", "Describe what the photos show: a dog on a beach")
        if len(self.text) > _MOST:
            raise TwinlensError(
                "The text to search with is longer than {most} characters.",
                "Describe what the photos show in one sentence.",
                most=_MOST,
            )


def text_network(declared: Descriptor) -> TextNetwork:
    """Return the text network by which words can be queries of a descriptor.

    Raises
    ------
    UnusableError
        If it has none.
    """
    from features.network.network import Network  # here, since few searches are in words
    from features.network.text_network import BRING

    if not isinstance(declared, Network):
        raise UnusableError(
            "Words need an index of an image network with its text network; {title} compares {plain_name}.",
            BRING,
            title=Message(declared.title),
            plain_name=Message(declared.plain_name),
        )
    return declared.text_network()


def accepts_words(declared: Descriptor) -> bool:
    """Return whether words can be queries of a descriptor."""
    return not lacking_for_words(declared)


def lacking_for_words(declared: Descriptor) -> Message:
    """Return why words cannot be queries of a descriptor; empty where they can."""
    try:
        text_network(declared)
    except UnusableError as error:
        return error.message
    return NOTHING
