"""The sections of the page: a module for each paper, and its name in ``SECTIONS``."""

from __future__ import annotations

from science.papers.page.section import PageSection
from science.papers.sections import bc, beyond, codes, jkg, jqk, kc, ykc

SECTIONS: tuple[PageSection, ...] = (
    jqk.SECTION,
    bc.SECTION,
    kc.SECTION,
    jkg.SECTION,
    ykc.SECTION,
    codes.SECTION,
    beyond.SECTION,
)
