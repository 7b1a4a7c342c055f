"""Addresses of databases of a server, each with a password that must be shown nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import make_url

from tests.postgres import Server, postgres
from twinlens.storage.database.address import Address

__all__ = ["postgres", "server_address"]

SECRET = "never-shown"


def address_of(server: Server) -> Address:
    """Make an empty database and give its address."""
    with_password = make_url(server.database()).set(password=SECRET)
    return Address.of(with_password.render_as_string(hide_password=False))


@pytest.fixture
def server_address(postgres: Server) -> Iterator[Address]:
    """Give the address of an empty database."""
    yield address_of(postgres)
    postgres.tidy()
