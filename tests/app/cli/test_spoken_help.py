"""Help is written in the spoken language."""

from __future__ import annotations

import click
import pytest

from app.cli.main import TranslatedGroup, TranslatedHelp, help_templates
from app.language import texts
from core.message import English


class Shouting(English):
    """Every template in capitals."""

    def find(self, template: str) -> str:
        return template.upper().replace("{VALUE}", "{value}").replace("{COMMAND}", "{command}")


@click.group(cls=TranslatedGroup, epilog="Example: twinlens things show")
def things() -> None:
    """Look after things."""


@things.command(cls=TranslatedHelp, epilog="Example: it\nExample: it --often 4")
@click.option("--often", default=3, show_default=True, type=click.IntRange(1, 9), help="How often.")
@click.option("--name", required=True, help="Such as {16,64}.")
def show(often: int, name: str) -> None:
    """Show a thing. It stays
    where it is.

    Nothing else happens.
    """


@pytest.fixture
def _shouting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts._Present, "language", Shouting())


def _help(command: click.Command) -> str:
    return command.get_help(click.Context(command, info_name="it", terminal_width=100))


@pytest.mark.usefixtures("_shouting")
def test_all_of_it_is_translated() -> None:
    assert _help(things).splitlines() == [
        "USAGE: it [OPTIONS] COMMAND [ARGS]...",
        "",
        "  LOOK AFTER THINGS.",
        "",
        "OPTIONS:",
        "  --help  SHOW THIS MESSAGE AND EXIT.",
        "",
        "COMMANDS:",
        "  show  SHOW A THING.",
        "",
        "  EXAMPLE: twinlens things show",
    ]
    inner = _help(show)
    assert "SHOW A THING. IT STAYS WHERE IT IS." in inner
    assert "HOW OFTEN.  [DEFAULT: 3; 1<=x<=9]" in inner
    assert "SUCH AS {16,64}.  [REQUIRED]" in inner
    assert inner.endswith("  EXAMPLE: it\n\n  EXAMPLE: it --often 4")


def test_its_templates_are_gathered() -> None:
    found = list(help_templates(things))
    for text in ("Look after things.", "Show a thing. It stays where it is.", "Nothing else happens.", "How often."):
        assert text in found
    assert not any("Example" in text for text in found)
