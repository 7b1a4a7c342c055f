"""The list of the demo photographs."""

from __future__ import annotations

from collections import Counter

import pytest

from twinlens.app.demo.listing import LICENCE_TEXTS, Source, read_listing

LISTING = read_listing()
PHOTOGRAPHS = [
    (package, group, photograph)
    for package in LISTING.packages
    for group in package.groups
    for photograph in group.photographs
]


@pytest.mark.parametrize(("source", "least", "megabytes"), [("debian", 250, 120), ("pypi", 25, 75)])
def test_there_are_enough_for_little(source: Source, least: int, megabytes: float) -> None:
    packages = LISTING.of(source)
    assert sum(len(group.photographs) for package in packages for group in package.groups) >= least
    assert sum(package.megabytes for package in packages) <= megabytes


def test_no_content_and_no_name_is_there_twice() -> None:
    contents = Counter(photograph.sha256 for _, _, photograph in PHOTOGRAPHS)
    names = Counter(f"{group.folder}/{photograph.stem}".lower() for _, group, photograph in PHOTOGRAPHS)
    assert [one for one, count in (contents + names).items() if count > 1] == []


def test_names_are_plain_on_every_system() -> None:
    odd = [
        photograph.stem
        for _, group, photograph in PHOTOGRAPHS
        if not all(mark.isascii() and (mark.isalnum() or mark in "-_") for mark in group.folder + photograph.stem)
    ]
    assert odd == []


def test_only_cc0_and_public_domain_are_free_to_show() -> None:
    free = {photograph.licence for _, _, photograph in PHOTOGRAPHS if photograph.free}
    assert free == {"CC0-1.0", "public domain"}


def test_every_licence_that_asks_for_it_has_an_author_and_a_text() -> None:
    without_text = {"public domain", "no known copyright restrictions"}
    for _, _, photograph in PHOTOGRAPHS:
        assert photograph.licence in LICENCE_TEXTS.keys() | without_text
        assert photograph.author or photograph.licence in without_text


def test_archives_from_pypi_have_checksums() -> None:
    assert all(len(package.sha256) == 64 for package in LISTING.of("pypi"))
