"""Texts of the theory page: its questions, and the background of the answers."""

from __future__ import annotations

from dataclasses import dataclass

from app.language.spoken import _

KINDS = ("rank", "hamming", "bounds", "rotation", "metric")


@dataclass(frozen=True)
class TheoryTopic:
    """A question: as a heading, in the list, and what must be known before."""

    heading: str
    short: str
    background: str


def theory_topic(kind: str) -> TheoryTopic:
    """Return the question of a kind of theory."""
    return {
        "rank": TheoryTopic(
            _("What does rank do to KLSH on your photos?"),
            _("What does rank do to KLSH?"),
            _(
                "KLSH hashes a photo by where it lies in the space of a kernel, of which it knows a sample: the "
                "landmarks. The rank says how many of the sample's leading directions count. The first ones hold what "
                "photos differ in; the last ones are little more than chance."
            ),
        ),
        "hamming": TheoryTopic(
            _("How well do bits tell how alike two photos are?"),
            _("What do bits tell of a kernel?"),
            _(
                "Bits of random waves differ the more often, the less alike two photos are under a kernel that "
                "depends on their difference alone. Theory says how often to expect it, and within which bounds; every "
                "pair of photos shows how far off it is."
            ),
        ),
        "bounds": TheoryTopic(
            _("How much work do norm bounds spare an exact search?"),
            _("What do norm bounds spare?"),
            _(
                "Two photos cannot be nearer than their norms differ. An exact search that knows the norms "
                "can leave out, uncompared, what is too far by this bound (1). The paper's second bound is not true "
                "of every pair: it may lose neighbours."
            ),
        ),
        "rotation": TheoryTopic(
            _("What does the rotation of ITQ gain?"),
            _("What does a rotation gain?"),
            _(
                "ITQ keeps the directions in which photos differ most, and of each one bit: its sign. Before it "
                "takes signs it turns the directions, step by step, so that photos come to lie as near as can be "
                "to the corners of a cube, where signs lose least."
            ),
        ),
        "metric": TheoryTopic(
            _("What has a metric learned from your marks?"),
            _("What has a metric learned?"),
            _(
                "A metric learned from marks stretches directions in which photos that you call different lie "
                "apart, and shrinks those in which alike ones do; most stay as they are."
            ),
        ),
    }[kind]


def option_label(name: str) -> str:
    """Name what can be chosen."""
    return {
        "index": _("Photos of"),
        "kernel": _("Kernel"),
        "metric": _("Metric"),
        "landmarks": _("Landmarks"),
        "bits": _("Bits"),
        "scale": _("Transform s"),
        "size": _("Sample"),
        "seed": _("Seed"),
    }[name]


def option_help(name: str) -> str:
    """Return what it does."""
    return {
        "index": _("The index whose vectors are looked at"),
        "kernel": _("How photos are compared; its own is the one that the index ranks by"),
        "metric": _("One of the metrics that were learned from marks"),
        "landmarks": _("Photos that the space of the kernel is learned from, 20 to 500"),
        "bits": _("Length of the codes, 8 to 1,024"),
        "scale": _("Scale of the transform exp(s (k − 1)) that is held against none; 0 for none"),
        "size": _("Photos that are looked at, at most; more take longer"),
        "seed": _("Of everything that is drawn by chance: another one shows how much chance does"),
    }[name]
