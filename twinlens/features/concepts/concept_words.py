"""The words for what photographs show: a table of concepts, each a sum of classes, and queries read by it.

The table, ``twinlens/resources/concepts.txt``, has a line for each of the 1,000 classes and for some hundred broader
words. A query is read word by word, in the person's own language first: the longest known phrase counts, inflected
forms and German compounds are looked up by simple rules, and every word that is not known is told.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens import resources
from twinlens.core.message import Message, counted, joined, verbatim
from twinlens.features.concepts.concepts import ClassProbabilities

LANGUAGES = ("en", "de")


@dataclass(frozen=True)
class Concept:
    """Something that photographs show.

    Attributes
    ----------
    names : tuple of str
        In each of `LANGUAGES`.
    classes : tuple of int
        Ascending; its probability is the sum of theirs.
    """

    names: tuple[str, ...]
    classes: tuple[int, ...]

    def name(self, language: str) -> str:
        """Return its name; in English where the language is none of the table's."""
        return self.names[LANGUAGES.index(language) if language in LANGUAGES else 0]


@dataclass(frozen=True, eq=False)
class ConceptTable:
    """All concepts, and the words for them.

    Attributes
    ----------
    of_class : tuple of Concept
        The concept of each class.
    broader : tuple of Concept
        Sums of several classes, as the table orders them: by theme.
    facets, single_facets : tuple of Concept
        The broader ones, and those of one class, that may be said of photographs; the others are only searched, since
        fewer than four of five photographs that surely show them do, or a language has no word for them.
    words : tuple of dict
        The concepts by word, in each of `LANGUAGES`; words as :func:`spelt`.
    related : mapping of str to tuple of str
        What to try instead of words that no class shows.
    """

    of_class: tuple[Concept, ...]
    broader: tuple[Concept, ...]
    facets: tuple[Concept, ...]
    single_facets: tuple[Concept, ...]
    words: tuple[Mapping[str, Concept], ...]
    related: Mapping[str, tuple[str, ...]]

    @cached_property
    def longest(self) -> int:
        """The most words of a phrase."""
        return max(len(phrase.split()) for words in self.words for phrase in words)

    @property
    def every(self) -> tuple[Concept, ...]:
        """Broader concepts, then those of one class."""
        return self.broader + self.of_class

    def find(self, phrase: str, language: str) -> Concept | None:
        """Return the concept of a phrase, in a language first; inflected as it may be. None for an unknown one."""
        order = sorted(LANGUAGES, key=lambda one: one != language)
        tables = [(one, self.words[LANGUAGES.index(one)]) for one in order]
        exact = (words[phrase] for _, words in tables if phrase in words)
        inflected = (words[stem] for one, words in tables for stem in _stems(phrase, one) if stem in words)
        return next(exact, None) or next(inflected, None)

    def meant_elsewhere(self, phrase: str, language: str) -> Concept | None:
        """Return what a phrase means in the other language, where it is written the same and means something else."""
        known = [words[phrase] for words in self.words if phrase in words]
        return next((one for one in known if one is not self.find(phrase, language)), None)

    def find_head(self, word: str) -> Concept | None:
        """Return the concept of the last part of a German compound: of "Segelboot", that of "Boot"."""
        german = self.words[LANGUAGES.index("de")]
        tails = (word[start:] for start in range(_LEAST_PART, len(word) - _LEAST_PART + 1))
        stems = (stem for tail in tails for stem in (tail, *_stems(tail, "de")) if len(stem) >= _LEAST_PART)
        return next((german[stem] for stem in stems if stem in german), None)

    def near(self, word: str, language: str) -> list[str]:
        """Return known words that are related to an unknown one, or else spelt like it; a few."""
        near: Sequence[str] = self.related.get(word, ())
        if not near:
            known = [each for words in self.words for each in words]
            near = difflib.get_close_matches(word, known, _MOST_NEAR, cutoff=_SPELT_LIKE)
        found = (self.find(one, language) for one in near)
        return list(dict.fromkeys(one.name(language) for one in found if one is not None))


_LEAST_PART = 4
_MOST_NEAR = 4
_SPELT_LIKE = 0.85
_ENDINGS = {
    "en": (("'s", ""), ("ies", "y"), ("es", ""), ("s", "")),
    "de": (("en", ""), ("er", ""), ("es", ""), ("em", ""), ("e", ""), ("n", ""), ("s", "")),
}
_LEAST_STEM = 3


def _stems(phrase: str, language: str) -> Iterator[str]:
    """Yield what an inflected phrase may be a form of."""
    for ending, instead in _ENDINGS[language]:
        if phrase.endswith(ending) and len(phrase) - len(ending) >= _LEAST_STEM:
            yield phrase.removesuffix(ending) + instead


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def spelt(text: str) -> str:
    """Return words in small letters with single spaces, as the table is searched by them.

    Examples
    --------
    >>> spelt("Jack-o’-Lantern")
    'jack o lantern'
    """
    return " ".join(_WORD.findall(text.casefold().replace("’", "'")))


@cache
def concept_table() -> ConceptTable:
    """Return the table that comes along."""
    return read_table(resources.read_text("concepts.txt"))


def read_table(text: str) -> ConceptTable:
    """Read a table.

    Parameters
    ----------
    text : str
        Four sections. ``[classes]``: number, English and German words, with ``|`` between. ``[broader]``: English
        and German words, and what it is the sum of: numbers, ranges, names of other entries. ``[unsure]``: what is not
        said of photographs, written likewise, if any. ``[related]``: words that no class shows, and names of entries to
        try instead. Words have their inflected forms behind them, with ``,`` between, and ``;`` before the next word;
        ``-`` stands for none in a language.

    Raises
    ------
    ValueError
        If a line is not of this form, or a word stands twice in one language.
    """
    sections: dict[str, list[list[str]]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            rows = sections.setdefault(line.strip("[] "), [])
        elif line.strip() and not line.startswith("#"):
            rows.append([part.strip() for part in line.split("|")])
    words: tuple[dict[str, Concept], ...] = tuple({} for _ in LANGUAGES)

    def made(written: Sequence[str], classes: Sequence[int]) -> Concept:
        forms = [_forms(one) for one in written]
        name = next(one[0] for one in forms if one)
        concept = Concept(tuple(one[0] if one else name for one in forms), tuple(sorted(set(classes))))
        for known, own in zip(words, forms, strict=True):
            for form in map(spelt, own):
                if known.setdefault(form, concept) is not concept:
                    raise ValueError(f"“{form}” stands for two things")
        return concept

    of_class = tuple(made(written, (int(number),)) for number, *written in sections["classes"])
    sums = {_forms(" ; ".join(forms))[0]: forms for forms in sections["broader"]}
    classes = {name: _classes(sums, forms[-1], (name,)) for name, forms in sums.items()}
    broader = tuple(made(forms[:-1], classes[name]) for name, forms in sums.items())
    related = {
        spelt(one): tuple(map(spelt, _forms(tried)))
        for unknown, tried in sections["related"]
        for one in _forms(unknown)
    }
    unsure = {part.strip() for (line,) in sections.get("unsure", ()) for part in line.split(",")}
    said = {name for name, forms in sums.items() if name not in unsure and all(map(_forms, forms[:-1]))}
    facets = tuple(one for one, name in zip(broader, sums, strict=True) if name in said)
    unsure_classes = {number for part in unsure - sums.keys() for number in _classes(sums, part, ())}
    single = tuple(one for one in of_class if unsure_classes.isdisjoint(one.classes))
    return ConceptTable(of_class, broader, facets, single, words, related)


def _forms(written: str) -> list[str]:
    return [form.strip() for form in re.split("[,;]", written) if spelt(form)]


def _classes(sums: Mapping[str, Sequence[str]], written: str, above: tuple[str, ...]) -> list[int]:
    """Return the classes of a sum as it is written, through the broader words that are its parts."""
    found: list[int] = []
    for part in (one.strip() for one in written.split(",")):
        first, dash, last = part.partition("-")
        if first.isdecimal():
            found += range(int(first), int(last if dash else first) + 1)
        elif part in above:
            raise ValueError(f"“{part}” is a sum of itself")
        else:
            found += _classes(sums, sums[part][-1], (*above, part))
    return found


class ConceptTerm(NamedTuple):
    """A part of a query: photographs show one of these concepts; or show none, where they are not wanted."""

    concepts: tuple[Concept, ...]
    wanted: bool = True

    @property
    def classes(self) -> list[int]:
        """The classes of any of its concepts."""
        return sorted({each for one in self.concepts for each in one.classes})

    def name(self, language: str) -> str:
        """Return its concepts' names: "cat/dog"."""
        return "/".join(one.name(language) for one in self.concepts)


SURE = 0.4
"""The probability from which a photograph is said to show something."""
_NOT_SURE = SURE - 1e-6
PERHAPS = 0.05
"""The probability from which it is offered as a guess."""
UNWANTED = 0.2
"""The probability of what is not wanted from which a photograph is left out."""


@dataclass(frozen=True)
class ConceptQuery:
    """A query in words, as the table understands it.

    Attributes
    ----------
    language : str
        The person's.
    unknown : tuple of str
        The words that it does not know, as they were typed.
    widened : tuple of (str, Concept)
        Compounds of which only the last part is known.
    ambiguous : tuple of (str, Concept, Concept)
        Words that mean something else in the other language: what counts, and what does not.
    colours : tuple of str
        Colours that it names, in English.
    """

    terms: tuple[ConceptTerm, ...]
    language: str
    unknown: tuple[str, ...] = ()
    widened: tuple[tuple[str, Concept], ...] = ()
    colours: tuple[str, ...] = ()
    ambiguous: tuple[tuple[str, Concept, Concept], ...] = ()

    def title(self) -> Message:
        """Return what the photographs show, as a heading: "Castle and mountain, not water"."""
        wanted = [one.name(self.language) for one in self.terms if one.wanted]
        others = ", ".join(one.name(self.language) for one in self.terms if not one.wanted)
        shown = verbatim(_capital("".join(wanted[:1])))
        if len(wanted) > 1:
            first = ", ".join(wanted[:-1])
            shown = Message("{first} and {last}", first=_capital(first), last=wanted[-1])
        if not others:
            return shown
        return (
            Message("{shown}, not {others}", shown=shown, others=others)
            if wanted
            else Message("Not {others}", others=others)
        )

    def text(self) -> str:
        """Write what is understood of it, in English, so that :func:`read_query` reads it back."""
        return ", ".join(
            ("" if one.wanted else "-") + " or ".join(each.name("en") for each in one.concepts) for one in self.terms
        )

    def note(self) -> Message:
        """Return a sentence on what was not understood; empty where all was."""
        notes = [
            Message("“{word}” is searched as {name}.", word=word, name=concept.name(self.language))
            for word, concept in self.widened
        ]
        notes += [
            Message(
                "“{word}” is searched as {name}, not as {other}.",
                word=word,
                name=concept.name(self.language),
                other=other.name(self.language),
            )
            for word, concept, other in self.ambiguous
        ]
        if self.unknown and self.terms:
            notes.append(
                counted(
                    "The word {words} is not known and does not count.",
                    "The words {words} are not known and do not count.",
                    len(self.unknown),
                    words=list(self.unknown),
                )
            )
        return joined(notes)

    def surely(self, shown: ClassProbabilities) -> npt.NDArray[np.bool_]:
        """Return whether photographs surely show all that is wanted, and nothing that is not, (n,)."""
        kept = np.ones(len(shown.classes), np.bool_)
        for one in self.terms:
            probabilities = shown.of_any(one.classes)
            kept &= probabilities >= SURE if one.wanted else probabilities < UNWANTED
        return kept

    def scores(self, shown: ClassProbabilities) -> npt.NDArray[np.float64]:
        """Return how probably each photograph is what is meant, (n,), in [0, 1]; 0 where it is left out.

        The geometric mean of the probabilities of what is wanted, so that one thing alone is not enough, times the
        probability that nothing unwanted is shown; at least `SURE` of those alone that surely show what is meant.
        """
        count = len(shown.classes)
        wanted = [shown.of_any(one.classes) for one in self.terms if one.wanted]
        scores = np.exp(np.mean(np.log(np.maximum(wanted, 1e-9)), axis=0)) if wanted else np.ones(count)
        kept = np.min(wanted, axis=0) >= PERHAPS if wanted else np.ones(count, np.bool_)
        for one in self.terms:
            if not one.wanted:
                unwanted = shown.of_any(one.classes)
                scores, kept = scores * (1 - unwanted), kept & (unwanted < UNWANTED)
        scores = np.where(self.surely(shown), np.maximum(scores, SURE), np.minimum(scores, _NOT_SURE))
        return np.where(kept, scores, 0).astype(np.float64)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_TOKEN = re.compile(r"(?<!\S)-(?=\w)|[^\W_]+(?:['’][^\W_]+)*")
_NOT = {"-", "not", "no", "without", "except", "nicht", "ohne", "kein", "keine", "keinen", "keiner", "ausser"}
_OR = {"or", "oder"}
_AND = {"and", "und", "nor", "noch"}
_FILLING = {
    *("a", "an", "the", "of", "in", "on", "at", "by", "with", "my", "our", "some", "any", "all", "photo", "photos"),
    *("picture", "pictures", "image", "images", "show", "showing", "me", "is", "are", "from", "to", "near", "for"),
    *("ein", "eine", "einem", "einen", "einer", "eines", "der", "die", "das", "dem", "den", "des", "am", "an", "auf"),
    *("im", "bei", "beim", "mit", "vor", "von", "vom", "zu", "zum", "zur", "mein", "meine", "unser", "unsere"),
    *("foto", "fotos", "bild", "bilder", "bildern", "zeige", "mir", "neben", "unter", "über"),
}


def read_query(text: str, language: str, table: ConceptTable | None = None) -> ConceptQuery:
    """Read a query in words.

    What stands behind "not" or "without" is not wanted; what is joined by "or" counts together.

    Parameters
    ----------
    language : str
        Code of the person's language, whose words come first.

    Examples
    --------
    >>> print(read_query("a castle on a mountain without water", "en").title())
    Castle and mountain, not water
    """
    table = concept_table() if table is None else table
    typed = [one for one in _TOKEN.findall(text) if one == "-" or spelt(one)]
    terms: list[ConceptTerm] = []
    unknown, widened, colours, ambiguous = [], [], [], []
    unwanted = linked = either = False
    for start, phrase, known in _phrases([spelt(one) or one for one in typed], language, table):
        if phrase in _NOT:
            unwanted = linked = True
        elif phrase in _AND | _OR:
            linked, either = True, phrase in _OR
        elif phrase not in _FILLING:
            concept = known or table.find_head(phrase)
            if known is None and (colour := _colour(phrase)):
                colours.append(colour)
                continue
            if concept is None:
                unknown.append(typed[start])
                continue
            if known is None:
                widened.append((typed[start], concept))
            elif other := table.meant_elsewhere(phrase, language):
                ambiguous.append((" ".join(typed[start : start + len(phrase.split())]), concept, other))
            unwanted = unwanted and linked
            if either and terms:
                terms[-1] = terms[-1]._replace(concepts=(*terms[-1].concepts, concept))
            else:
                terms.append(ConceptTerm((concept,), not unwanted))
            linked = either = False
    return ConceptQuery(tuple(terms), language, tuple(unknown), tuple(widened), tuple(colours), tuple(ambiguous))


_COLOURS = {
    **{one: one for one in ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white")},
    "grey": "grey",
    "gray": "grey",
    "violet": "purple",
    "turquoise": "turquoise",
    "türkis": "turquoise",
    "rot": "red",
    "gelb": "yellow",
    "grün": "green",
    "blau": "blue",
    "lila": "purple",
    "violett": "purple",
    "rosa": "pink",
    "braun": "brown",
    "schwarz": "black",
    "weiss": "white",
    "grau": "grey",
}


def _colour(word: str) -> str:
    """Return the English name of a colour, inflected as it may be; empty where it is none."""
    return next((_COLOURS[one] for one in (word, *_stems(word, "de")) if one in _COLOURS), "")


def _phrases(tokens: Sequence[str], language: str, table: ConceptTable) -> Iterator[tuple[int, str, Concept | None]]:
    """Yield the longest known phrases with their places and concepts, and the words between them."""
    start = 0
    while start < len(tokens):
        for length in range(min(table.longest, len(tokens) - start), 0, -1):
            phrase = " ".join(tokens[start : start + length])
            concept = None if phrase in _NOT | _AND | _OR | _FILLING else table.find(phrase, language)
            if concept is not None or length == 1:
                yield start, phrase, concept
                break
        start += length
