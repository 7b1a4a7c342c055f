"""XMP sidecar files: what is said of a photograph, written beside it, into what another program has written there.

A sidecar is XML (ISO 16684-1). It is anybody's, so one with a document type or an entity is not touched (defusedxml),
and neither is one that cannot be written as it was read: all that it holds stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.dom.minidom import Document, Element, Node
from xml.etree.ElementTree import canonicalize
from xml.parsers.expat import ExpatError

from defusedxml import DefusedXmlException
from defusedxml.minidom import parseString

from twinlens.features.reading.metadata import Statements, read_xmp

_NEW = (
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>\n'
).encode()
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SPACES = {
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "exif": "http://ns.adobe.com/exif/1.0/",
    "tiff": "http://ns.adobe.com/tiff/1.0/",
    "xmpDM": "http://ns.adobe.com/xmp/1.0/DynamicMedia/",
    "lr": "http://ns.adobe.com/lightroom/1.0/",
}


class CannotMergeError(ValueError):
    """A sidecar file is no XMP, or does not stay as it is when something is added."""


def with_statements(sidecar: bytes | None, statements: Statements, replacing: bool = False) -> bytes:
    """Return a sidecar file that says some more; what it says already stays.

    Parameters
    ----------
    sidecar : bytes or None
        The file as it is; None for a new one.
    statements : Statements
        What is added, unless the file says it already; what is empty is not.
    replacing : bool
        Whether stars, label, title and caption take the place of others; all else stays.

    Raises
    ------
    CannotMergeError
        If the file cannot be read, says something else, or cannot take all of this without losing something.

    Examples
    --------
    >>> read_xmp(with_statements(None, Statements(rating=4, keywords=("Rome",)))).keywords
    ('Rome',)
    """
    document = _parsed(_NEW if sidecar is None else sidecar)
    found = document.getElementsByTagNameNS(_RDF, "RDF")
    if len(found) != 1:
        raise CannotMergeError
    properties, there = _Properties(document, found[0], replacing), read_xmp(sidecar or b"")
    statements = Statements(
        **{name: value for name, value in vars(statements).items() if not _is_there(there, name, value)}
    )
    if sidecar is not None and statements == Statements():
        return sidecar
    for name, value in _simple(statements):
        properties.put(name, value)
    for name, text in (("dc:title", statements.title), ("dc:description", statements.caption)):
        if text:
            properties.add_items(name, "Alt", [text])
    properties.add_items("dc:subject", "Bag", [one.rpartition("|")[2] for one in statements.keywords])
    properties.add_items("lr:hierarchicalSubject", "Bag", [one for one in statements.keywords if "|" in one])
    made = _written(document)
    now = read_xmp(made)
    if not all(_is_there(now, name, value) for name, value in vars(statements).items()):
        raise CannotMergeError
    return made


def _parsed(sidecar: bytes) -> Document:
    """Parse a sidecar that is written as it was read."""
    try:
        document: Document = parseString(sidecar, forbid_dtd=True)
        if canonicalize(sidecar, with_comments=True) != canonicalize(_written(document), with_comments=True):
            raise CannotMergeError
    except (ExpatError, DefusedXmlException, ValueError, LookupError, SyntaxError) as error:
        raise CannotMergeError from error
    return document


def _written(document: Document) -> bytes:
    return "\n".join(one.toxml() for one in document.childNodes).encode() + b"\n"


def _simple(statements: Statements) -> Iterator[tuple[str, str]]:
    """Yield name and value of the properties that are one text each."""
    if statements.rating:
        yield "xmp:Rating", str(statements.rating)
    if statements.label:
        yield "xmp:Label", statements.label
    if statements.pick:
        yield "xmpDM:pick", str(statements.pick)
    if statements.taken:
        yield "exif:DateTimeOriginal", statements.taken
    if statements.camera:
        yield "tiff:Model", statements.camera
    if statements.place:
        latitude, longitude = map(float, statements.place.split(","))
        yield "exif:GPSLatitude", _angle(latitude, "NS")
        yield "exif:GPSLongitude", _angle(longitude, "EW")


def _angle(degrees: float, signs: str) -> str:
    """Return an angle as XMP has it: ``48,8.2458N``."""
    whole, part = divmod(round(abs(degrees) * 600_000), 600_000)  # of a minute, 1/10,000
    return f"{whole},{part / 10_000:.4f}{signs[degrees < 0]}"


_PLACE = 1e-4  # degrees: a place may be rounded


def _is_there(there: Statements, name: str, value: Any) -> bool:
    """Return whether statements have a value; so they do if it is empty."""
    held = getattr(there, name)
    if name == "keywords":
        words = {one.casefold() for one in held}
        return {one.casefold() for one in value} <= words | {one.rpartition("|")[2] for one in words}
    if name == "place" and held and value:
        return all(
            abs(float(one) - float(other)) < _PLACE
            for one, other in zip(held.split(","), value.split(","), strict=True)
        )
    return not value or held == value


class _Properties:
    """The properties of a sidecar; new ones come into a description of their own, with names of their own."""

    def __init__(self, document: Document, rdf: Element, replacing: bool = False) -> None:
        self._document, self._rdf, self._replacing = document, rdf, replacing
        self._new: Element | None = None

    def put(self, name: str, value: str) -> None:
        """Write a property that is one text, in place of an empty one or of a zero."""
        space, local = self._split(name)
        for each in self._rdf.getElementsByTagNameNS(_RDF, "Description"):
            if each.hasAttributeNS(space, local):
                if each.getAttributeNS(space, local).strip() not in ("", "0") and not self._replacing:
                    raise CannotMergeError
                held = each.getAttributeNodeNS(space, local)
                assert held is not None
                held.value = value
                return
        if elements := self._rdf.getElementsByTagNameNS(space, local):
            if not self._replacing or len(elements) > 1 or _elements(elements[0]):
                raise CannotMergeError  # a program that writes elements has its reasons
            self._write(elements[0], value)
            return
        self._description(name).setAttributeNS(space, name, value)

    def add_items(self, name: str, container: str, items: list[str]) -> None:
        """Add items to a list of texts."""
        space, local = self._split(name)
        found = self._rdf.getElementsByTagNameNS(space, local)
        if not items:
            return
        if len(found) > 1 or any(one.hasAttributeNS(space, local) for one in _elements(self._rdf)):
            raise CannotMergeError
        if found:
            lists = _elements(found[0])
            if len(lists) != 1 or lists[0].namespaceURI != _RDF or lists[0].localName not in ("Bag", "Seq", "Alt"):
                raise CannotMergeError
            held = lists[0]
        else:
            one = self._document.createElementNS(space, name)
            self._description(name).appendChild(one)
            held = self._rdf_element(container)
            one.appendChild(held)
        if self._replacing and container == "Alt" and (others := _elements(held)):
            self._write(others[0], items[0])  # the default stands first
            return
        there = {_text(one).strip().casefold() for one in _elements(held)}
        for item in items:
            if item.casefold() not in there:
                li = self._rdf_element("li")
                if container == "Alt":
                    li.setAttribute("xml:lang", "x-default")
                li.appendChild(self._document.createTextNode(item))
                held.appendChild(li)

    def _write(self, element: Element, text: str) -> None:
        """Write the text of an element that has nothing but text."""
        while element.firstChild is not None:
            element.removeChild(element.firstChild)
        element.appendChild(self._document.createTextNode(text))

    @staticmethod
    def _split(name: str) -> tuple[str, str]:
        prefix, _, local = name.partition(":")
        return _SPACES[prefix], local

    def _rdf_element(self, local: str) -> Element:
        prefix = f"{self._rdf.prefix}:" if self._rdf.prefix else ""
        return self._document.createElementNS(_RDF, prefix + local)

    def _description(self, name: str) -> Element:
        """Return the description for what is new, which knows the prefix of a property."""
        if self._new is None:
            others = self._rdf.getElementsByTagNameNS(_RDF, "Description")
            about = others[0].getAttributeNS(_RDF, "about") if others else ""
            self._new = self._rdf_element("Description")
            attribute = f"{self._rdf.prefix}:about" if self._rdf.prefix else "about"
            self._new.setAttributeNS(_RDF, attribute, about)
            self._rdf.appendChild(self._new)
        prefix = name.partition(":")[0]
        self._new.setAttribute(f"xmlns:{prefix}", _SPACES[prefix])
        return self._new


def _elements(one: Element) -> list[Element]:
    return [each for each in one.childNodes if isinstance(each, Element)]


def _text(one: Element) -> str:
    return "".join(each.data for each in one.childNodes if each.nodeType == Node.TEXT_NODE)
