"""The processes that read photographs: how many, and on which machines."""

from __future__ import annotations

from pathlib import Path

from twinlens.app.library.cluster.address import ClusterAddress
from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request
from twinlens.core.errors import TwinlensError


class ReadingOptions(Request):
    """The processes of this machine or of a cluster that read photographs."""

    key = "add"

    workers: int | None = parameter(None, ge=1, le=256, help="Processes that read; by default one a core.")
    cluster: str | None = parameter(
        None,
        metavar="ADDRESS",
        help="Have other machines read: tcp://HOST:8786, tls://HOST:8786, or local:4 for 4 processes of this one.",
    )
    tls_ca: Path | None = parameter(None, metavar="FILE", help="Authority that signs certificates, for tls://.")
    tls_cert: Path | None = parameter(None, metavar="FILE", help="Certificate of this machine, for tls://.")
    tls_key: Path | None = parameter(None, metavar="FILE", help="Key of the certificate.")
    without_tls: bool = parameter(
        False,
        help="Reach a scheduler on another machine without certificates, in a network where nobody else is: "
        "whoever reaches it can run any program on all machines.",
    )

    def address(self) -> ClusterAddress | None:
        """Return the address of the cluster; None where this machine reads.

        Raises
        ------
        TwinlensError
            If the address is not valid, or there are certificates without a cluster.
        """
        if self.cluster is not None:
            return self.address_of(self.cluster)
        if self.tls_ca or self.tls_cert or self.tls_key:
            raise TwinlensError("Certificates are given, but no cluster.", "Add `--cluster tls://HOST:8786`.")
        return None

    def address_of(self, cluster: str) -> ClusterAddress:
        """Return the address of a cluster, with these certificates.

        Raises
        ------
        TwinlensError
            If it is not valid, or leads to a network without certificates, and nobody insists on that.
        """
        address = ClusterAddress(cluster, self.tls_ca, self.tls_cert, self.tls_key)
        if address.is_open and not self.without_tls:
            raise TwinlensError(
                "Whoever is on the network of {address} could run programs on this machine and the others: "
                "tcp:// has no certificates.",
                "Use tls:// with certificates (docs/cluster.md shows how), "
                "or add `--without-tls` where nobody else is on that network.",
                address=cluster,
            )
        return address
