"""Groups of duplicates as a sheet of pictures, to look at, print or hand on."""

from __future__ import annotations

from app.duplicates.kinds import KIND_NAMES, DuplicateKind
from app.duplicates.results import DuplicateMember, DuplicatesResult, KeptPhotograph
from app.library.library import Library
from app.library.picture_sheet import SheetBand, SheetFigure, SheetSection, Words, write_sheet
from app.machine.output_file import OutputFile
from core.amounts import size


def write_groups_sheet(library: Library, found: DuplicatesResult, file: OutputFile, words: Words = str) -> None:
    """Write the groups, as :func:`app.library.picture_sheet.write_sheet` does.

    Parameters
    ----------
    library : Library
        Where thumbnails come from.
    found : DuplicatesResult
    file : OutputFile
    words : callable
        Writes a message in a person's language.
    """

    def facts(one: KeptPhotograph | DuplicateMember) -> str:
        return f"{one.width} × {one.height} · {words(size(one.bytes))}"

    sections = []
    for group in found.groups:
        figures = [SheetFigure(group.keeper.id, group.keeper.path, (facts(group.keeper),), "keep")]
        for one in group.members:
            said = ", ".join(words(each) for each in one.differs) or words(KIND_NAMES[DuplicateKind(one.kind)])
            figures.append(SheetFigure(one.id, one.path, (facts(one), said), "goes" if one.goes else ""))
        warned = tuple(filter(None, [words(group.warning)]))
        sections.append(SheetSection(words(group.reason), warned, bands=(SheetBand("", tuple(figures)),)))
    write_sheet(library, sections, file)
