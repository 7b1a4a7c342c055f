"""Results of ``encode``."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import Message


class EncodeResult(Result):
    """Result of ``encode``."""

    file: str = Field(description=".npz of codes, uint8 (n, bytes), and of the encoder")
    method: str = Field(description="in text form; of an encoder that was given, as its file says")
    vectors: int
    dimensions: int
    bits: int
    fitted_on: int = Field(description="vectors that the method learned from; 0 where the encoder was given")
    bytes: int = Field(description="of the file")
    fit_seconds: float
    encode_seconds: float
    note: Message
