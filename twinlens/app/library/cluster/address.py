"""The address of a cluster: a Dask scheduler, or a number of processes of this machine."""

from __future__ import annotations

import ipaddress
import logging
import re
import secrets
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message

_SCHEDULER = re.compile(r"(tcp|tls)://[^\s/@?#]+:\d{1,5}")
_LOCAL = re.compile(r"local:([1-9]\d{0,2})")
_NO_CARD = 1 << 40  # the bit of such a number that no card has (RFC 9562)


@dataclass(frozen=True)
class ClusterAddress:
    """The address of a cluster, checked.

    Attributes
    ----------
    text : str
        ``tcp://HOST:PORT``, ``tls://HOST:PORT``, or ``local:4`` for four processes of this machine.
    tls_ca, tls_cert, tls_key : Path or None
        Certificates of ``tls://``; where none is given, those that Dask's configuration names.

    Raises
    ------
    TwinlensError
        If the text is no such address.
    """

    text: str
    tls_ca: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None

    def __post_init__(self) -> None:
        if not _SCHEDULER.fullmatch(self.text) and not _LOCAL.fullmatch(self.text):
            raise TwinlensError(
                "{address} is no address of a cluster.",
                "Write tcp://HOST:8786, tls://HOST:8786, or local:4 for four processes of this machine.",
                address=self.text,
            )

    @property
    def local(self) -> int:
        """The number of processes of this machine; 0 for a scheduler."""
        found = _LOCAL.fullmatch(self.text)
        return int(found[1]) if found else 0

    @property
    def is_open(self) -> bool:
        """Whether it leads to other machines without certificates: not to this machine's own loopback."""
        if not self.text.startswith("tcp://"):
            return False
        host = self.text.removeprefix("tcp://").rpartition(":")[0].strip("[]")
        try:
            return not ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host.lower() != "localhost"  # a name that is looked up may lead anywhere

    def security(self) -> Any:
        """Return Dask's settings of encryption.

        Raises
        ------
        TwinlensError
            If the address wants certificates and there are none, or they cannot be read.
        """
        distributed = imported()
        given = {"tls_ca_file": self.tls_ca, "tls_cert": self.tls_cert, "tls_key": self.tls_key}
        files = {name: str(path) for name, path in given.items() if path is not None}
        roles = {
            f"tls_{role}_{what}": files[f"tls_{what}"]
            for role in ("client", "worker")
            for what in ("cert", "key")
            if f"tls_{what}" in files
        }
        if "tls_ca_file" in files:
            roles["tls_ca_file"] = files["tls_ca_file"]
        advice = Message("Give --tls-ca, --tls-cert and --tls-key, or name the files in Dask's configuration.")
        try:
            security = distributed.Security(require_encryption=True if files else None, **roles)
            encrypted = security.get_connection_args("client").get("ssl_context") is not None
        except (OSError, ValueError) as error:
            raise TwinlensError("The certificates cannot be read: {why}.", advice, why=str(error)) from error
        if self.text.startswith("tls:") and not encrypted:
            raise TwinlensError("{address} needs certificates.", advice, address=self.text)
        return security


def unanswered(address: ClusterAddress, why: BaseException) -> TwinlensError:
    """Return the error of a scheduler that does not reply, or of local processes that do not start."""
    if address.local:
        return TwinlensError(
            "The processes of {address} could not be started: {why}",
            "Close other programs, or ask for fewer.",
            address=address.text,
            why=str(why),
        )
    return TwinlensError(
        "No scheduler answers at {address}.",
        "Start one there with `dask scheduler`, and check the address and the firewall.",
        address=address.text,
    )


def how_to_install() -> Message:
    """Return how the package comes into the installation that this program is in."""
    places = Path(sys.prefix).parts
    if getattr(sys, "frozen", False):
        return Message(
            "This package of Twinlens cannot take it: use Twinlens installed as `pipx install 'twinlens[app,cluster]'`."
        )
    if "pipx" in places:
        return Message("Install it: `pipx inject twinlens distributed`.")
    if "uv" in places and "tools" in places:
        return Message("Install it: `uv tool install --with distributed 'twinlens[app]'`.")
    return Message("Install it: `{python} -m pip install distributed`.", python=sys.executable)


def imported() -> Any:
    """Import Dask's `distributed`, and silence its log: what matters of it becomes a TwinlensError.

    Raises
    ------
    TwinlensError
        If it is not installed.
    """
    try:
        import dask
        import distributed
    except ImportError as error:
        raise TwinlensError("Reading by a cluster needs the package distributed.", how_to_install()) from error
    for name in logging.root.manager.loggerDict:
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    dask.config.set({"distributed.comm.timeouts.connect": "10s"})
    # Dask names a client by the number of this machine's network card, which is nobody's business.
    uuid._node = secrets.randbits(48) | _NO_CARD  # type: ignore[attr-defined]
    return distributed
