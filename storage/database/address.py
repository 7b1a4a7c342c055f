"""The address of a library: a file, or a database of a PostgreSQL server.

The address of a server may hold a password; nothing but the driver is given it. Text for people, logs and lists has
:attr:`Address.shown`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import parse_qsl, unquote

from core.errors import TwinlensError
from core.message import Message

SCHEMES = ("postgresql", "postgres")
EXAMPLE = "postgresql://archive/photos"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")  # one letter alone is a drive
_HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(:\d*)?")
_WRONG = re.compile(r"\s|%00|%(?![0-9A-Fa-f]{2})")  # libpq's own error would show the text around it
_SECRET = {"password", "sslpassword"}
_IN_TEXT = re.compile(r"(postgres(?:ql)?(?:\+\w+)?:/{1,2}[^\s:/?@]*):\S*@")
_NAMED_IN_TEXT = re.compile(r"(password=)[^\s&'\"]+")


@dataclass(frozen=True, repr=False)
class Address:
    """A path or a URL. Made by :meth:`of`.

    Attributes
    ----------
    text : str
        The path, or the URL as libpq takes it, a password in it included.

    Examples
    --------
    >>> Address.of("library.twinlens").path.name
    'library.twinlens'
    >>> server = Address.of("postgresql://anna:secret@archive/photos")
    >>> server.shown, server.title
    ('postgresql://anna@archive/photos', 'archive/photos')
    """

    text: str

    @classmethod
    def of(cls, where: Self | Path | str) -> Self:
        """Return the address that a person or a caller gives.

        Raises
        ------
        TwinlensError
            If it names a kind of server that Twinlens does not know, or no database, or cannot be understood.
        """
        if isinstance(where, cls):
            return where
        text = os.fspath(where) if isinstance(where, Path) else str(where)
        scheme = _SCHEME.match(text)
        if scheme is not None:
            _check(scheme[1], text)
        return cls(text)

    @property
    def is_file(self) -> bool:
        """Whether the library is a file."""
        return _SCHEME.match(self.text) is None

    @property
    def path(self) -> Path:
        """The file.

        Raises
        ------
        LookupError
            If the library lies on a server.
        """
        if not self.is_file:
            raise LookupError("a library on a server is no file")
        return Path(self.text)

    @property
    def shown(self) -> str:
        """The path or URL for people and lists: without a password, and as text that every terminal can take."""
        return os.fsencode(self.text).decode("utf-8", "replace") if self.is_file else _Url.of(self.text).shown

    @property
    def title(self) -> str:
        """The name of the library: that of the file, or those of server and database, of a socket the latter."""
        if self.is_file:
            return os.fsencode(self.path.stem).decode("utf-8", "replace")
        url = _Url.of(self.text)
        name = url.parameter("dbname") or unquote(url.database) or url.parameter("service")
        return name if url.server.startswith("/") or not url.server else f"{url.server}/{name}"

    @property
    def server(self) -> str:
        """The hosts that answer, empty for a file, or where the machine itself or a service file says it."""
        return "" if self.is_file else _Url.of(self.text).server

    @property
    def key(self) -> bytes:
        """Bytes for one library, however its address is written: links are followed, a password does not count."""
        return os.fsencode(os.path.normcase(os.path.realpath(self.text))) if self.is_file else self.shown.encode()

    def without_password(self) -> Self:
        """Return the address as it may be kept."""
        return self if self.is_file else type(self)(self.shown)

    def absolute(self) -> Self:
        """Return the address with which the working folder has nothing to do."""
        return self.of(self.path.expanduser().absolute()) if self.is_file else self

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def without_passwords(text: str) -> str:
    """Return a text with the passwords of all addresses in it left out, those of misspelt ones too.

    Examples
    --------
    >>> without_passwords("There is no folder postgresql:/anna:secret@archive/photos.")
    'There is no folder postgresql:/anna@archive/photos.'
    """
    return _NAMED_IN_TEXT.sub(r"\1…", _IN_TEXT.sub(r"\1@", text))


@dataclass(frozen=True, repr=False)
class _Url:
    """The parts of a URL, as libpq splits it."""

    credentials: str
    hosts: str
    database: str
    parameters: str

    @classmethod
    def of(cls, text: str) -> _Url:
        rest = text.split("://", 1)[1]
        before, _, parameters = rest.partition("?")
        server, _, database = before.partition("/")
        credentials, _, hosts = server.rpartition("@")
        return cls(credentials, hosts, database, parameters)

    @property
    def shown(self) -> str:
        user = self.credentials.split(":", 1)[0]
        kept = "&".join(one for one in self.parameters.split("&") if unquote(one.split("=", 1)[0]) not in _SECRET)
        return f"{SCHEMES[0]}://{user}{'@' if user else ''}{self.hosts}/{self.database}{'?' if kept else ''}{kept}"

    @property
    def server(self) -> str:
        return unquote(self.hosts) or self.parameter("host")

    def parameter(self, name: str) -> str:
        return dict(parse_qsl(self.parameters)).get(name, "")

    def is_sound(self) -> bool:
        """Return whether the parts are what they seem: a sign of a password that is not written as %XX splits it."""
        return (
            "@" not in self.credentials + self.database + self.parameters
            and all(_HOST.fullmatch(host) for host in self.hosts.split(","))
            and all("=" in one for one in self.parameters.split("&") if one)
        )


def _check(scheme: str, text: str) -> None:
    if scheme not in SCHEMES:
        raise TwinlensError(
            Message("Twinlens knows no servers of the kind {scheme}.", scheme=scheme),
            Message("Write the address of a PostgreSQL database, such as {example}.", example=EXAMPLE),
        )
    url = _Url.of(text)
    if _WRONG.search(text) or not url.is_sound():  # its text is not shown: nobody knows what in it is the password
        raise TwinlensError(
            Message("The address of the server is not understood."),
            Message(
                "Write it like {example}, and signs such as @, / and : of a name as %40, %2F and %3A. "
                "A password is better kept in ~/.pgpass.",
                example=EXAMPLE,
            ),
        )
    if not (url.database or url.parameter("dbname") or url.parameter("service")):
        raise TwinlensError(
            Message("The address {address} names no database.", address=url.shown),
            Message("Write its name at the end, such as {example}.", example=EXAMPLE),
        )
