"""The shared parts of both kinds of database: tables, ids in statements, addresses, and the protocol of a place."""

from __future__ import annotations
