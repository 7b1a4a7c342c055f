"""Names of series: declarations without what all of them have in common."""

from __future__ import annotations

from collections.abc import Sequence

BETWEEN = " · "


def short_names(names: Sequence[str]) -> list[str]:
    """Shorten names of declarations: what tells none apart is left out.

    Parameters
    ----------
    names : sequence of str
        Text forms, or several with `BETWEEN` between them, as many in each.

    Examples
    --------
    >>> short_names(["klsh:rank=16,bits=64", "klsh:rank=64,bits=64", "lsh:bits=64"])
    ['klsh:rank=16', 'klsh:rank=64', 'lsh']
    >>> short_names(["lsh:bits=64 · scan", "lsh:bits=64 · buckets"])
    ['lsh · scan', 'lsh · buckets']
    >>> short_names(["klsh:kernel=chi-square,rank=8", "klsh:kernel=chi-square,rank=16", "itq:bits=8", "itq:bits=16"])
    ['klsh:rank=8', 'klsh:rank=16', 'itq:bits=8', 'itq:bits=16']
    """
    parts = [name.split(BETWEEN) for name in names]
    if len(names) < 2 or len({len(one) for one in parts}) > 1:
        return list(names)
    columns = [_shorter(list(column)) for column in zip(*parts, strict=True)]
    short = [BETWEEN.join(one) for one in zip(*columns, strict=True)]
    return short if len(set(short)) == len(set(names)) else list(names)


def _shorter(texts: list[str]) -> list[str]:
    """Leave out parameters that all of a key have alike, where no other key has another value of them."""
    taken = [words_of_declaration(text) for text in texts]
    found = []
    for key, words in taken:
        own = [others for other, others in taken if other == key]
        common = {word for word in words if all(word in others for others in own)}

        def told_elsewhere(word: str, key: str = key) -> bool:
            name = word.partition("=")[0] + "="
            elsewhere = [one for other, others in taken if other != key for one in others]
            return all(one == word for one in elsewhere if one.startswith(name))

        alone = len(own) < 2 and len({other for other, _ in taken}) < len(taken)
        kept = [
            word for word in words
            if not (word in common and told_elsewhere(word) and (not alone or _everywhere(word, taken)))
        ]  # fmt: skip
        found.append(key + (":" + ",".join(kept) if kept else ""))
    return found


def _everywhere(word: str, taken: Sequence[tuple[str, list[str]]]) -> bool:
    return all(word in words for _, words in taken)


def words_of_declaration(text: str) -> tuple[str, list[str]]:
    """Part a text form into its key and its parameters; commas in brackets part nothing.

    Examples
    --------
    >>> words_of("klsh:kernel=gaussian(gamma=1,scale=2),rank=8")
    ('klsh', ['kernel=gaussian(gamma=1,scale=2)', 'rank=8'])
    """
    key, _, rest = text.partition(":")
    words, depth, word = [], 0, ""
    for letter in rest:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            words.append(word)
            word = ""
        else:
            word += letter
    return key, [*words, *([word] if word else [])]
