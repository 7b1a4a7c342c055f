"""Types of columns that hold the same values in every database."""

from __future__ import annotations

import sqlalchemy
from sqlalchemy import BigInteger, Dialect, TypeDecorator


class _Text(TypeDecorator[str]):
    impl = sqlalchemy.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return clean(value)


Integer = BigInteger().with_variant(sqlalchemy.Integer(), "sqlite")
"""A whole number of 64 bits."""

Text = _Text().with_variant(_Text(collation="C"), "postgresql")
"""Text without NUL, which a camera may write and a server refuses; ordered by its bytes, on every machine."""


def is_text(one: object) -> bool:
    """Return whether a type is :data:`Text`."""
    return isinstance(one, _Text)


def clean(value: str | None) -> str | None:
    """Return text as :data:`Text` keeps it."""
    return value.replace("\0", "") if value is not None else None
