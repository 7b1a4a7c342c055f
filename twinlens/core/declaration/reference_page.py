"""Reference pages: what a declaration says of itself, as text that is Markdown too.

Everything comes from the declaration: its docstring, its fields, its paper. There is nothing to keep in step.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from twinlens.core.declaration.declaration import Declaration, write_text_form
from twinlens.core.declaration.parameters import Parameter, ParameterKind

_WIDTH = 110
_STEP = "    "  # of a list in a list: every kind of Markdown takes four


def page(declaration: type[Declaration]) -> str:
    """Write the page of one declaration: help, parameters with default, limits, unit and help, text form, paper."""
    made = declaration()
    about = declaration.parameters()
    blocks = [
        f"# {declaration.title} (`{declaration.key}`)",
        *(textwrap.fill(one, _WIDTH) for one in declaration.paragraphs()),
    ]
    blocks += ["## Parameters", "\n".join(_list(about, ""))] if about else ["It has no parameters."]
    blocks += ["## Written", *_examples(made)]
    if declaration.paper:
        blocks += ["## Paper", declaration.paper + "."]
    return "\n\n".join([*blocks, f"Version {declaration.version}."]) + "\n"


def whole_text(made: Declaration) -> str:
    """Write the text form with every parameter, also those at their default.

    Examples
    --------
    >>> from twinlens.core.search.linear_scan import Scan
    >>> Scan().text(), whole_text(Scan())
    ('scan', 'scan:candidates=1000,asymmetric=false')
    """
    return write_text_form(made.key, _every_field(made))


def _every_field(made: Declaration) -> dict[str, Any]:
    values = {about.name: getattr(made, about.name) for about in made.parameters()}
    return {
        name: (value.key, _every_field(value)) if isinstance(value, Declaration) else value
        for name, value in values.items()
    }


def _list(about: Sequence[Parameter], indent: str) -> Iterator[str]:
    for parameter in about:
        yield from _wrapped(f"`{parameter.name}`: {_value_text(parameter)}. {parameter.help}", indent)
        if parameter.kind is ParameterKind.DECLARATION and parameter.options is not None:
            for option in parameter.options():
                yield from _wrapped(f"`{parameter.name}={option.key}`: {option.summary()}", indent + _STEP)
                yield from _list(option.parameters(), indent + 2 * _STEP)


def _value_text(parameter: Parameter) -> str:
    """Return the accepted values and the default: "a whole number from 1 to 9, 3 bits by default"."""
    default = parameter.default
    # The text form's own spelling, so that what is read here can be written there.
    written = default.text() if isinstance(default, Declaration) else write_text_form("", {"": default})[2:]
    unit = f" {parameter.unit}" if parameter.unit else ""
    return f"{parameter.accepted()}; {written}{unit} by default"


def _wrapped(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, _WIDTH, initial_indent=f"{indent}- ", subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )


def _examples(made: Declaration) -> Iterator[str]:
    short, whole = made.text(), whole_text(made)
    yield f"`{short}`" if short == whole else f"`{short}`, which is `{whole}`"
    nested = [
        about for about in made.parameters() if about.kind is ParameterKind.DECLARATION and about.options is not None
    ]
    for about in nested:
        for option in about.options() if about.options is not None else ():
            for inner in [inner for inner in option.parameters() if inner.kind is not ParameterKind.SWITCH][:1]:
                value = write_text_form("", {f"{about.name}.{inner.name}": getattr(option(), inner.name)})[1:]
                yield f"A choice's own parameters follow it: `{made.key}:{about.name}={option.key},{value}`"
                return
