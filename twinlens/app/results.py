"""The base of the results of commands: pydantic models that ``--json`` prints and the reference describes.

Each result is a model beside the use case that makes it. Paths are text here; bytes that are no valid text are shown
with the replacement character, and the id identifies the photograph exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from twinlens.core.message import Message


class Result(BaseModel):
    """The base of results: frozen, without unknown fields.

    In a document a message is its English text; its template and values are in a second field, whose name ends in
    ``_message`` (``_messages`` for a list).
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True
    )  # a command builds only the models that it returns

    @model_serializer(mode="wrap")
    def _serialized(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return self.document(handler(self))

    def document(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the document of the fields: messages with their templates behind all else."""
        made = dict(fields)
        for name in _messages(type(self)):
            value = getattr(self, name)
            if isinstance(value, Message):
                made[f"{name}_message"] = value.as_data()
            elif isinstance(value, list | tuple):
                made[f"{name}_messages"] = [one.as_data() for one in value]
        return made

    def photograph_paths(self) -> Iterator[str]:
        """Yield the paths that the result names, in its order: the fields ``path`` and ``paths``, and those inside."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if name == "path" and isinstance(value, str):
                yield value
            for one in value if isinstance(value, list | tuple) else (value,):
                if isinstance(one, Result):
                    yield from one.photograph_paths()
                elif name == "paths" and isinstance(one, str):
                    yield one

    @model_validator(mode="before")
    @classmethod
    def _from_templates(cls, values: Any) -> Any:
        names = _messages(cls)
        if not names or not isinstance(values, Mapping):
            return values
        made = dict(values)
        for name in names:
            for beside in (f"{name}_message", f"{name}_messages"):
                if beside in made:
                    made[name] = made.pop(beside)
        return made


@cache
def _messages(result: type[Result]) -> tuple[str, ...]:
    """Return the names of the fields that hold messages."""
    return tuple(name for name, field in result.model_fields.items() if _holds_message([field.annotation]))


def _holds_message(kinds: Any) -> bool:
    return any(kind is Message or _holds_message(get_args(kind)) for kind in kinds)
