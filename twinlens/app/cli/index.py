"""``twinlens index`` and ``vocabulary``: a library's indexes, and the visual words learned from its photographs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twinlens.app.cli.folders import reading_options
from twinlens.app.cli.main import Command, TranslatedGroup
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import Session, console, give, index_names, say
from twinlens.app.cli.tables import index_table, plain_table
from twinlens.app.indexes.index_results import IndexListResult, IndexStatus
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.language.texts import _, number, text
from twinlens.app.vocabulary.vocabulary_settings import VocabularySettings

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.library.cluster.cluster import Cluster
    from twinlens.app.vocabulary.learned_vocabularies import VocabularyListResult, VocabularyQuality


@click.group(cls=TranslatedGroup, epilog="Example: twinlens index create --descriptor colour --method lsh:bits=512")
def index() -> None:
    """Create, list, rename and delete indexes. A library can have several; a search chooses one."""


@index.command(
    cls=Command, epilog="Example: twinlens index create --descriptor vlad --method itq:bits=512 --name Shapes"
)
@takes("wanted", NewIndex)
@reading_options
@click.pass_obj
def create(session: Session, wanted: NewIndex, workers: int | None, cluster: Cluster | None) -> None:
    """Create an index and build it. `twinlens methods` lists all choices with their parameters."""
    from twinlens.app.indexes.indexes import create_index
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        _tell_index(session, create_index(library, wanted, progress, workers, cluster))


def _tell_index(session: Session, made: IndexStatus) -> None:
    result = IndexListResult(indexes=[made])
    give(session, result, lambda _: console().print(index_table(result.indexes)))


@index.command(cls=Command, epilog="Example: twinlens index improve")
@reading_options
@click.pass_obj
def improve(session: Session, workers: int | None, cluster: Cluster | None) -> None:
    """Make the automatic index as good as that of a new library. The old one answers until that is done, and stays."""
    from twinlens.app.indexes.indexes import improve_index, improvement_suggestion
    from twinlens.app.indexes.standard_indexes import AUTOMATIC
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        if improvement_suggestion(library) is None:
            say(session, _("“{name}” is as good as that of a new library.", name=AUTOMATIC))
        result = improve_index(library, progress, workers, cluster)
    give(session, result, lambda out: out.print(index_table(result.indexes)))


@index.command("list", cls=Command, epilog="Example: twinlens index list")
@click.pass_obj
def print_indexes(session: Session) -> None:
    """List the indexes."""
    from twinlens.app.indexes.indexes import list_indexes
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        result = list_indexes(library)
    give(session, result, lambda out: out.print(index_table(result.indexes)))


@index.command(cls=Command, epilog="Example: twinlens index rename 'colour · itq:bits=256' Colours")
@click.argument("old", shell_complete=index_names)
@click.argument("new")
@click.pass_obj
def rename(session: Session, old: str, new: str) -> None:
    """Rename the index OLD to NEW."""
    from twinlens.app.indexes.indexes import rename_index
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        _tell_index(session, rename_index(library, old, new))


@index.command(cls=Command, epilog="Example: twinlens index delete Colours")
@click.argument("name", shell_complete=index_names)
@click.pass_obj
def delete(session: Session, name: str) -> None:
    """Delete the index NAME. Photos, and descriptors that other indexes use, stay."""
    from twinlens.app.indexes.indexes import delete_index
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        result = delete_index(library, name)
    give(session, result, lambda out: out.print(index_table(result.indexes)))


@click.group(cls=TranslatedGroup, epilog="Example: twinlens vocabulary learn")
def vocabulary() -> None:
    """Learn visual words from the library's own photos, measure their effect, and keep or drop them."""


@vocabulary.command(cls=Command, epilog="Example: twinlens vocabulary learn")
@takes("settings", VocabularySettings)
@click.pass_obj
def learn(session: Session, settings: VocabularySettings) -> None:
    """Learn a vocabulary, and measure it and the one in use on edited copies. Nothing changes until you keep it."""
    from twinlens.app.library.library import Library
    from twinlens.app.vocabulary.vocabularies import learn_vocabulary

    with Library.open(session.library) as library, long_work(session) as progress:
        _tell_vocabulary(session, learn_vocabulary(library, settings, progress))


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


def _state(state: str) -> str:
    states = {
        "in use": _("in use"),
        "learned": _("learned"),
        "being adopted": _("being adopted"),
        "dropped": _("dropped"),
    }
    return states[state]


def _recall(quality: VocabularyQuality) -> str:
    return _("{new:.1%}, before {present:.1%}", new=quality.new, present=quality.present)


@vocabulary.command("list", cls=Command, epilog="Example: twinlens vocabulary list")
@click.pass_obj
def print_vocabularies(session: Session) -> None:
    """List the vocabularies with their effect, and the next step worth taking."""
    from twinlens.app.library.library import Library
    from twinlens.app.vocabulary.vocabularies import list_vocabularies

    with Library.open(session.library) as library:
        _tell_vocabulary(session, list_vocabularies(library))


@vocabulary.command(cls=Command, epilog="Example: twinlens vocabulary keep")
@click.argument("name", default="")
@reading_options
@click.pass_obj
def keep(session: Session, name: str, workers: int | None, cluster: Cluster | None) -> None:
    """Rebuild the automatic index with vocabulary NAME. The old index is searched until the new one is ready.

    NAME is a number of `twinlens vocabulary list`, or ready-made to go back; by default the newest.
    """
    from twinlens.app.library.library import Library
    from twinlens.app.vocabulary.vocabularies import keep_vocabulary

    with Library.open(session.library) as library, long_work(session) as progress:
        _tell_vocabulary(session, keep_vocabulary(library, name, progress, workers, cluster))


@vocabulary.command(cls=Command, epilog="Example: twinlens vocabulary drop")
@click.argument("name", default="")
@click.pass_obj
def drop(session: Session, name: str) -> None:
    """Remove vocabulary NAME, which is not in use; by default the newest."""
    from twinlens.app.library.library import Library
    from twinlens.app.vocabulary.vocabularies import drop_vocabulary

    with Library.open(session.library) as library:
        _tell_vocabulary(session, drop_vocabulary(library, name))
