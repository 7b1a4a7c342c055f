"""The base of the results of commands: pydantic models that ``--json`` prints and the reference describes.

Each result is a model beside the use case that makes it. Paths are text here; bytes that are no valid text are shown
with the replacement character, and the id identifies the photograph exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from twinlens.core.message import Message

_PHOTOGRAPH = "photograph"
PhotographPath = Annotated[str, _PHOTOGRAPH]
"""The path of a photograph that a result names: ``--paths`` prints these."""


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

    @classmethod
    def document_properties(cls, properties: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON schemas of what :meth:`document` writes, by name, of those of the fields."""
        as_data = {"type": "object", "description": "template, values and plural form of the text"}
        for name in _messages(cls):
            many = properties.get(name, {}).get("type") == "array"
            properties[f"{name}_message{'s' * many}"] = {"type": "array", "items": as_data} if many else as_data
        return properties

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        made = handler(schema)
        described = handler.resolve_ref_schema(made)
        written = {name: one for name, one in described.get("properties", {}).items() if name not in _left_out(cls)}
        for one in written.values():  # what is always there needs no default, and a name no title
            one.pop("default", None), one.pop("title", None)
        described["properties"] = cls.document_properties(written)
        described["required"] = [name for name in described["properties"] if not name.endswith(_BESIDE)]
        return made

    @classmethod
    def names_photographs(cls) -> bool:
        """Return whether such a result can name photographs by their paths."""
        return any(_names_photographs((one.annotation, *one.metadata)) for one in cls.model_fields.values())

    def photograph_paths(self) -> Iterator[str]:
        """Yield the paths of the photographs that the result names, in its order."""
        for name, field in type(self).model_fields.items():
            own = _is_path((field.annotation, *field.metadata))
            for one in _flat(getattr(self, name)):
                if isinstance(one, Result):
                    yield from one.photograph_paths()
                elif own and isinstance(one, str):
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


def _left_out(result: type[Result]) -> set[str]:
    """Return the names of the fields that documents do not have."""
    return {name for name, field in result.model_fields.items() if field.exclude}


_BESIDE = ("_message", "_messages")
"""Ends of the names of what stands in a document only where there is a text."""


def _is_path(kinds: Any) -> bool:
    return any(kind == _PHOTOGRAPH or _is_path(get_args(kind)) for kind in kinds)


def _names_photographs(kinds: Any) -> bool:
    inside = (kind.names_photographs() for kind in kinds if isinstance(kind, type) and issubclass(kind, Result))
    return _is_path(kinds) or any(inside) or any(_names_photographs(get_args(kind)) for kind in kinds if get_args(kind))


def _flat(value: Any) -> Iterator[Any]:
    """Yield what lies in lists, however deep; a value that is none as it is."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _flat(one)
    else:
        yield value
