"""Links of a made site are followed: to files, to places in them, and to papers, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.distribution.guide_site.site import link_faults


@pytest.mark.parametrize(
    "link",
    [
        '<a href="other.html">',
        '<a href="sub/p%C3%A4ge.html#there">',
        '<a href="#here">',
        '<img src="picture.jpg">',
        '<a href="https://doi.org/10.1000/1">',
        '<a href="https://arxiv.org/abs/1"></a>',
    ],
)
def test_what_is_there_is_no_fault(tmp_path: Path, link: str) -> None:
    make(tmp_path, link)
    assert link_faults(tmp_path) == []


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ('<a href="gone.html">', "gone.html"),
        ('<a href="sub">', "sub"),
        ('<a href="#there">', "#there"),
        ('<a href="sub/p%C3%A4ge.html#here">', "sub/p%C3%A4ge.html#here"),
        ('<a href="https://example.org/">', "https://example.org/"),
        ('<script src="https://doi.org/script.js"></script>', "https://doi.org/script.js"),
        ('<link href="//fonts.example.org/font.css">', "//fonts.example.org/font.css"),
        ('<a href="/other.html">', "/other.html"),
    ],
)
def test_what_leads_nowhere_or_outside_is_named(tmp_path: Path, link: str, target: str) -> None:
    make(tmp_path, link)
    assert link_faults(tmp_path) == [f"index.html: {target}"]


def make(site: Path, link: str) -> None:
    (site / "sub").mkdir()
    (site / "index.html").write_text(f'<h1 id="here">{link}', encoding="utf-8")
    (site / "sub" / "päge.html").write_text('<h1 id="there">', encoding="utf-8")
    (site / "other.html").write_text("", encoding="utf-8")
    (site / "picture.jpg").write_bytes(b"")
