"""``twinlens vocabulary``: learn, list, keep and drop the library's own vocabularies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.cluster import reading_options
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.cli.spoken_help import TranslatedGroup
from app.cli.tables import plain_table
from app.language.spoken import _, number, text

if TYPE_CHECKING:
    from rich.console import Console

    from app.library.cluster.cluster import Cluster
    from app.vocabulary.results import VocabularyListResult, VocabularyQuality


@click.group(cls=TranslatedGroup, epilog="Example: twinlens vocabulary learn")
def vocabulary() -> None:
    """Learn visual words from the library's own photos, measure their effect, and keep or drop them."""


@vocabulary.command(cls=Command, epilog="Example: twinlens vocabulary learn")
@click.option(
    "--photographs",
    "sample",
    type=click.IntRange(1, 100_000),
    default=2_000,
    show_default=True,
    help="Largest number of photos to learn from.",
)
@click.option(
    "--questions",
    "asked",
    type=click.IntRange(8, 1_000),
    default=40,
    show_default=True,
    help="Other photos whose edited copies measure the effect.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Seed of the draws.")
@click.pass_obj
def learn(session: Session, sample: int, asked: int, seed: int) -> None:
    """Learn a vocabulary, and measure it and the one in use on edited copies. Nothing changes until you keep it."""
    from app.library.library import Library
    from app.vocabulary.learned_vocabularies import VocabularySample
    from app.vocabulary.vocabularies import learn_vocabulary

    with Library.open(session.library) as library, long_work(session) as progress:
        _tell_vocabulary(
            session, learn_vocabulary(library, VocabularySample(sample=sample, asked=asked, seed=seed), progress)
        )


@vocabulary.command("list", cls=Command, epilog="Example: twinlens vocabulary list")
@click.pass_obj
def print_vocabularies(session: Session) -> None:
    """List the vocabularies with their effect, and the next step worth taking."""
    from app.library.library import Library
    from app.vocabulary.vocabularies import list_vocabularies

    with Library.open(session.library) as library:
        _tell_vocabulary(session, list_vocabularies(library))


@vocabulary.command(cls=Command, epilog="Example: twinlens vocabulary keep")
@click.argument("name", default="")
@reading_options
@click.pass_obj
def keep(session: Session, name: str, workers: int | None, cluster: Cluster | None) -> None:
    """Make the automatic index anew with vocabulary NAME; until it is complete, the one in use is searched.

    NAME is a number of `twinlens vocabulary list`, or ready-made to go back; by default the newest.
    """
    from app.library.library import Library
    from app.vocabulary.adoption import keep_vocabulary

    with Library.open(session.library) as library, long_work(session) as progress:
        _tell_vocabulary(session, keep_vocabulary(library, name, progress, workers, cluster))


@vocabulary.command(cls=Command, epilog="Example: twinlens vocabulary drop")
@click.argument("name", default="")
@click.pass_obj
def drop(session: Session, name: str) -> None:
    """Remove vocabulary NAME, which is not in use; by default the newest."""
    from app.library.library import Library
    from app.vocabulary.adoption import drop_vocabulary

    with Library.open(session.library) as library:
        _tell_vocabulary(session, drop_vocabulary(library, name))


def _tell_vocabulary(session: Session, result: VocabularyListResult) -> None:
    def people(out: Console) -> None:
        rows = [
            (
                one.name,
                _state(one.state),
                one.descriptor,
                "" if one.sample is None else number(one.sample),
                "" if one.quality is None else _recall(one.quality),
            )
            for one in result.vocabularies
        ]
        heading = (_("vocabulary"), _("state"), _("descriptor"), _("learned from"), _("finds first"))
        out.print(plain_table(heading, rows, numbers=(3,)))
        newest = result.vocabularies[-1].quality
        sentences = [one for one in (newest and newest.sentence, result.notice) if one]
        for sentence in dict.fromkeys(sentences):
            out.print(text(sentence))

    give(session, result, people)


def _recall(quality: VocabularyQuality) -> str:
    return _("{new:.1%}, before {present:.1%}", new=quality.new, present=quality.present)


def _state(state: str) -> str:
    states = {
        "in use": _("in use"),
        "learned": _("learned"),
        "being adopted": _("being adopted"),
        "dropped": _("dropped"),
    }
    return states[state]
