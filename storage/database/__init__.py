"""What both kinds of database share: tables, ids in statements, addresses, and the protocol of a place."""

from __future__ import annotations
