"""A library that is a database of a PostgreSQL server; its driver is imported when it is used."""

from __future__ import annotations
