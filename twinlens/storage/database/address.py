"""The address of a library: a file, or a database of a PostgreSQL server.

The address of a server may hold a password; nothing but the driver is given it. Text for people, logs and lists has
:attr:`Address.shown`. What is meant as a server and is not understood is refused without a word of it: taken for the
name of a file, it would be written on the disk with the password in it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import parse_qsl, unquote

from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded

EXAMPLE = "postgresql://archive/photos"
_SCHEME = "postgresql://"
_AROUND = " \t\r\n'\"“”"  # what comes along with an address that is copied from elsewhere
# Patterns are compiled when they are first used: most libraries are files.
_SERVER = r"(?i)postgres(?:ql)?(?:\+\w+)?://"  # some programs name their driver, too
_OTHER_KIND = r"([A-Za-z][A-Za-z0-9+.-]+)://"  # one letter alone is a drive
_PATH = r"(?!//[^/]*:[^/]*@)(?:[/\\~.]|[A-Za-z]:[/\\])"  # begins like no address of a server

# A letter of it may be written as %70; its value follows as libpq, a URL, JSON or YAML has it.
_HIDDEN_NAME = r"""(?:
    (?<![\w%])(?:\w{,30}(?:pas+w\w{,30}|passphrase|pwd|secret)|pass|pw|[\w%]{,30}%[4-7][0-9a-f][\w%]{,60})
        (?:\s*(?:=|%3D)|\\*["']\s*[:=])
    |(?<![\w%])\w{,30}(?:password|passwd|pwd)\s*:
)"""
_MEANT_AS_SERVER = rf"""(?ixs)postgres(?:ql)?(?:\+\w+)?:|:// # a misspelt URL, or one of another program
    |(?:^|[\s;&?])(?:host|hostaddr|port|dbname|user|service)\s*=|{_HIDDEN_NAME} # the driver's names and values
    |^[\[{{].*: # the same as JSON or YAML
    |(?:^|[/\\])[^/\\:@]+:.*@ # a login and its password"""

# One sign as a URL, or as JSON, may have it.
_ENCODED = r"(?i)%(?P<url>0[9ad]|[2-7][0-9a-f])|\\+u00(?P<json>[2-7][0-9a-f])|\\+(?P<itself>/)"
_TIMES = 4  # that an address is encoded at most; each program on the way may do it once

_HOST = r"(\[[^\]]*\]|[^:\[\]]*)(:\d*)?"
_WRONG = r"\s|%00|%(?![0-9A-Fa-f]{2})"  # libpq's own error would show the text around it

# What may stand behind the question mark and is shown: everything that libpq knows and that is no secret.
_HARMLESS = r"""(?x)host|hostaddr|port|dbname|user|service|servicefile|passfile|options|(fallback_)?application_name
    |replication|client_encoding|connect_timeout|keepalives(_idle|_interval|_count)?|tcp_user_timeout|target_session_attrs
    |load_balance_hosts|require_auth|channel_binding|m(in|ax)_protocol_version|requirepeer|krbsrvname
    |gss(lib|encmode|delegation)|ssl(mode|negotiation|compression|cert|key|certmode|rootcert|crl|crldir|sni)?
    |ssl_m(in|ax)_protocol_version"""

# A login and its password: up to the last @ of the word or, where that has none, of the line.
_IN_TEXT = r"""(?ix)((?:\bpostgres(?:ql)?(?:\+\w+)?:[/\\]*|\b[a-z][a-z0-9+.-]+:[/\\]{1,2})[^:@/?\n]*)
    :(?:\S*@|(?!\d+(?:[/?,\s]|$))(?:(?!://).)*@)
    |(?<=\b)([^\s:@/\\?]{2,30}):[^\s:@/\\]+@ # without a scheme"""

# Nobody knows where a value ends, in quotes or without.
_NAMED_IN_TEXT = rf"(?ix)({_HIDDEN_NAME}\s*)\S.*"


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

        Parameters
        ----------
        where : Address, Path or str
            A `Path` is always a file, and so is a text that begins like a whole path.

        Raises
        ------
        TwinlensError
            If it names a kind of server that Twinlens does not know, or no database, or cannot be understood.
        """
        if isinstance(where, cls):
            return where
        if isinstance(where, Path):
            return cls(os.fspath(where))
        text = str(where)
        if not names_server(text):
            return cls(text)
        bare = text.strip(_AROUND)
        scheme = re.match(_SERVER, bare)
        if scheme is None:
            raise _not_a_server(bare)
        url = _SCHEME + bare[scheme.end() :]
        _check(url)
        return cls(url)

    @property
    def is_file(self) -> bool:
        """Whether the library is a file."""
        return not self.text.startswith(_SCHEME)

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
        """The hosts of the server; empty for a file, and where this machine or a service file names them."""
        return "" if self.is_file else _Url.of(self.text).server

    @property
    def key(self) -> bytes:
        """Bytes for one library, however its address is written: links are followed, a password does not count."""
        return os.fsencode(os.path.normcase(os.path.realpath(self.text))) if self.is_file else self.shown.encode()

    def without_password(self) -> Self:
        """Return the address as it may be kept."""
        return self if self.is_file else type(self)(self.shown)

    def absolute(self) -> Self:
        """Return the address as a full path, which does not depend on the working folder."""
        return self.of(expanded(self.path).absolute()) if self.is_file else self

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def names_server(text: str) -> bool:
    """Return whether a text is meant as the address of a server, of any kind and in any form.

    Examples
    --------
    >>> [names_server(one) for one in ("host=archive dbname=photos", "./host=archive", "a=b.twinlens")]
    [True, False, False]
    """
    bare = text.strip(_AROUND)
    return re.match(_PATH, bare) is None and any(
        re.search(_MEANT_AS_SERVER, one.strip(_AROUND)) is not None for one in (bare, _decoded(bare))
    )


def _decoded(text: str) -> str:
    """Return a text with all signs as themselves that are encoded for a URL or for JSON, in one line as it was."""
    for _ in range(_TIMES):
        text = re.sub(_ENCODED, _sign, text)
    return text


def _sign(encoded: re.Match[str]) -> str:
    sign = encoded["itself"] or chr(int(encoded["url"] or encoded["json"], 16))
    return " " if sign.isspace() else sign


def without_passwords(text: str) -> str:
    """Return a text with the passwords of all addresses in it left out, those of misspelt ones too.

    Examples
    --------
    >>> without_passwords("There is no folder postgresql:/anna:secret@archive/photos.")
    'There is no folder postgresql:/anna@archive/photos.'
    >>> without_passwords("There is no file host=archive password='a secret' dbname=photos.")
    'There is no file host=archive password=…'
    >>> without_passwords("There is no file postgresql%3A%2F%2Fanna%3Asecret%40archive%2Fphotos.")
    'There is no file postgresql://anna@archive/photos.'
    """
    decoded = _decoded(text)
    shorter = _cut(decoded)
    return _cut(text) if shorter == decoded else shorter


def _cut(text: str) -> str:
    return re.sub(_NAMED_IN_TEXT, r"\1…", re.sub(_IN_TEXT, r"\1\2@", text))


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
        kept = "&".join(
            one for one in self.parameters.split("&") if re.fullmatch(_HARMLESS, unquote(one.split("=", 1)[0]))
        )
        return f"{_SCHEME}{user}{'@' if user else ''}{self.hosts}/{self.database}{'?' if kept else ''}{kept}"

    @property
    def server(self) -> str:
        return unquote(self.hosts) or self.parameter("host")

    def parameter(self, name: str) -> str:
        return dict(parse_qsl(self.parameters)).get(name, "")

    def is_sound(self) -> bool:
        """Return whether the parts are as meant: a character of a password that is not written as %XX splits it."""
        return (
            "@" not in self.credentials + self.database + self.parameters
            and all(re.fullmatch(_HOST, host) for host in self.hosts.split(","))
            and "=" not in self.database
            and all(one.count("=") == 1 for one in self.parameters.split("&") if one)
        )


def _check(text: str) -> None:
    url = _Url.of(text)
    if re.search(_WRONG, text) or not url.is_sound():
        raise _not_understood()
    if not (url.database or url.parameter("dbname") or url.parameter("service")):
        raise TwinlensError(
            "The address {address} names no database.",
            "Write its name at the end, such as {example}.",
            address=url.shown,
            example=EXAMPLE,
        )


def _not_a_server(text: str) -> TwinlensError:
    """Refuse the address of a server that is no URL of PostgreSQL's."""
    other = re.match(_OTHER_KIND, text)
    if other is None:
        return _not_understood()
    return TwinlensError(
        "Twinlens knows no servers of the kind {scheme}.",
        "Write the address of a PostgreSQL database, such as {example}.",
        scheme=other[1],
        example=EXAMPLE,
    )


def _not_understood() -> TwinlensError:
    """Refuse an address without showing its text, since any part of it may be the password."""
    return TwinlensError(
        "The address of the server is not understood.",
        "Write it like {example}, and signs such as @, / and : of a name as %40, %2F and %3A. "
        "A password is better kept in ~/.pgpass. A file with such a name is named by its whole path.",
        example=EXAMPLE,
    )
