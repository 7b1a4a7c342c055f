"""XMP sidecar files: what is added is read back, and all that another program wrote stays as it is."""

from __future__ import annotations

import sys
from xml.etree.ElementTree import canonicalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.features.reading.metadata import Statements, read_xmp
from twinlens.features.reading.xmp_sidecar import CannotMergeError, with_statements

DARKTABLE = """<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:darktable="http://darktable.sf.net/"
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="0" darktable:xmp_version="5">
   <!-- by hand -->
   <dc:subject><rdf:Bag><rdf:li>Käse &amp; Brot</rdf:li></rdf:Bag></dc:subject>
   <darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:params="gz02eJ"/></rdf:Seq></darktable:history>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>""".encode()
SAID = Statements(
    taken="2021-06-05T10:11:12",
    camera="Canon EOS 80D",
    place="-48.137430,11.575490",
    rating=5,
    label="Red",
    keywords=("Places|Italy|Rome", "cake & <more>"),
    title='a "title"',
    caption="Cutting <the> cake",
)


def test_a_new_one() -> None:
    assert read_xmp(with_statements(None, SAID)) == SAID


def test_another_program_s_stays_in_all_that_it_holds() -> None:
    made = with_statements(DARKTABLE, SAID)
    said = read_xmp(made)
    assert said.keywords == ("Places|Italy|Rome", "Käse & Brot", "cake & <more>")
    assert (said.rating, said.caption, said.taken) == (5, "Cutting <the> cake", "2021-06-05T10:11:12")
    without = made.decode()
    start = without.rindex("<rdf:Description")
    without = without[:start] + without[without.index("</rdf:RDF>") :]
    for each in ("<rdf:li>cake &amp; &lt;more&gt;</rdf:li>", "<rdf:li>Rome</rdf:li>"):
        assert each in without
        without = without.replace(each, "")
    before = DARKTABLE.decode().replace('Rating="0"', 'Rating="5"')
    assert canonicalize(without, with_comments=True, strip_text=True) == canonicalize(
        before, with_comments=True, strip_text=True
    )


@pytest.mark.parametrize(
    "sidecar",
    [
        b"",
        b"no XML",
        b"<x/>",
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        pytest.param(
            DARKTABLE.replace(b"gz02eJ", b"two&#10;lines"),  # would be one line when it is written
            marks=pytest.mark.skipif(sys.version_info >= (3, 13), reason="newer Pythons write both lines"),
        ),
        DARKTABLE.replace(b'Rating="0"', b'Rating="of its own"'),
        DARKTABLE.replace(b"<rdf:Bag>", b"<rdf:li>").replace(b"</rdf:Bag>", b"</rdf:li>", 1),
    ],
)
def test_one_that_is_left_as_it_is(sidecar: bytes) -> None:
    with pytest.raises(CannotMergeError):
        with_statements(sidecar, SAID)


@given(
    st.builds(
        Statements,
        rating=st.integers(0, 5),
        keywords=st.lists(st.text("aä<&>|\"']", min_size=1, max_size=8).filter(str.strip), max_size=3).map(tuple),
        caption=st.text("a <&>\"']\\", max_size=20).map(lambda text: " ".join(text.split())),
    ),
    st.sampled_from([None, DARKTABLE]),
)
def test_what_is_written_is_read_back_or_refused(said: Statements, sidecar: bytes | None) -> None:
    try:
        found = read_xmp(with_statements(sidecar, said))
    except CannotMergeError:
        assert any("|" in one for one in said.keywords)  # a tree without a name
        return
    assert found.caption == said.caption
    assert found.rating == said.rating
