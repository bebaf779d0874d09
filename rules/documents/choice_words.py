"""Describe what each choice of an option changes, by comparing the rules pages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from rules.cards import RANKS
from rules.documents import documents
from rules.game.game import Game, Option
from rules.game.shape import TABLE_OPTIONS

# maximum number of an option's choices to describe; options in the catalog have up to 13
MOST_COMPARED = 16
# maximum number of groups of choices with their own line; all other groups share a line
MOST_GROUPS = 3

# maximum number of words that may differ between choices described in one line
MOST_CHANGED_WORDS = 6

# Choices whose names players don't use at the table.
_TITLES = {
    ("low", "best"): "ace to five",
    ("low", "worst"): "deuce to seven",
    ("both_ways", "outright"): "must win both outright",
    ("both_ways", "unbeaten"): "must win or tie both",
    ("lost_both", "next-best"): "next best hand wins",
    ("lost_both", "each-keeps"): "each keeps what they won",
    ("lost_both", "redeal"): "same dealer deals again",
    ("odd_chip", "seat"): "nearest the dealer's left",
}

WORDS_ALIKE = 3  # how many words at the start of a line must match for it to replace another line

Lines = Sequence[str]
# maps (added lines, removed lines) to the choices that cause the change
Changes = dict[tuple[Lines, Lines], list[str]]
PageLines = Callable[[Game], Lines]  # function that returns the lines of a game's rules page


def choices_in_words(game: Game, option: Option, lines: PageLines) -> Iterator[str]:
    """Yield one line for each group of choices that add and remove the same lines.

    If a choice has no effect until another option is chosen, the line names that option.
    """
    if option.name in TABLE_OPTIONS or len(_values(option)) > MOST_COMPARED:
        return
    name, other = option_title(option.name), ""
    changes = _changes(game, option, lines)
    if not changes:
        changes, other = _under_another(game, option, lines)
    under = f" (with {other})" if other else ""
    single = {
        key: values for key, values in changes.items() if len(key[0]) == 1 and len(key[1]) < 2
    }
    merged = _merge_choices(name + under, {key[0][0]: values for key, values in single.items()})
    if merged and len(changes) > MOST_GROUPS and len(single) > MOST_GROUPS:
        yield merged
        changes = {key: values for key, values in changes.items() if key not in single}
    usual = {*map(_begins, lines(game))}
    for (added, away), values in changes.items():
        staying = usual.difference(map(_begins, away))
        sentences = [f"also: {line}" if _begins(line) in staying else line for line in added]
        replaced = {*map(_begins, added)}
        if gone := [line for line in away if _begins(line) not in replaced]:
            sentences.append(f"{'Instead of' if sentences else 'leaves out'}: {' '.join(gone)}")
        change = " ".join(sentences).removeprefix(f"{name.capitalize()}: ")
        yield f"{name.capitalize()}, {either(values)}{under}: {change}"


def _values(option: Option) -> Sequence[str | int]:
    words = [choice.word for choice in option.choices]
    return words or range(option.least, option.most + 1)


def _changes(game: Game, option: Option, page_lines: PageLines) -> Changes:
    """Return all choices except the current one, by the lines that they add and remove."""
    usual = page_lines(game)
    changes: Changes = {}
    for value in _values(option):
        if value != game.chosen[option.name]:
            other = page_lines(_under(game, option, value))
            added = tuple(line for line in other if line not in usual)
            away = tuple(line for line in usual if line not in other)
            changes.setdefault((added, away), []).append(choice_title(option.name, value))
    changes.pop(((), ()), None)
    return changes


def _under_another(game: Game, option: Option, page_lines: PageLines) -> tuple[Changes, str]:
    """Return the changes under the first choice of a different option that makes a difference."""
    for other in game.options:
        if other.name in TABLE_OPTIONS or other == option or len(_values(other)) > MOST_COMPARED:
            continue
        for value in _values(other):
            if value == game.chosen[other.name]:
                continue
            if changes := _changes(_under(game, other, value), option, page_lines):
                return changes, f"{option_title(other.name)} {choice_title(other.name, value)}"
    return {}, ""


def _under(game: Game, option: Option, value: str | int) -> Game:
    return documents.game(
        game.document,
        {
            **{name: word for name, word in game.chosen.items() if name not in TABLE_OPTIONS},
            option.name: value,
        },
    )


def option_title(name: str) -> str:
    """Return "odd chip" for "odd_chip"."""
    return "if you lose one way" if name == "lost_both" else name.replace("_", " ")


def choice_title(of: str, value: Any) -> str:
    """Return the words for a choice of the option `of`, such as "ace to five" for the low "best".

    Other choices are spelled with spaces, as "cards speak" for "cards-speak", and with 10 for T.
    """
    if title := _TITLES.get((of, str(value))):
        return title
    text = "10" if value == "T" else str(value)
    return text if text == "high-low" else text.replace("-", " ")


def either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _begins(line: str) -> str:
    return " ".join(line.split(" ")[:WORDS_ALIKE]).partition(":")[0]


def _merge_choices(name: str, choices: Mapping[str, Sequence[str]]) -> str:
    """Return one line for choices that change a few words of the same line, or ""."""
    if not choices:
        return ""
    words = [line.split(" ") for line in choices]
    least = min(map(len, words))
    columns = zip(*(line_words[:least] for line_words in words), strict=True)
    first = len([*takewhile(lambda column: len({*column}) == 1, columns)])
    ends = zip(
        *(line_words[len(line_words) - least + first :][::-1] for line_words in words), strict=True
    )
    last = len([*takewhile(lambda column: len({*column}) == 1, ends)])
    parts = [line_words[first : len(line_words) - last] for line_words in words]
    if max(map(len, parts)) > MOST_CHANGED_WORDS:
        return ""
    changed = [
        f"{' '.join(part)} ({name} {either(chosen)})"
        for part, chosen in zip(parts, choices.values(), strict=True)
    ]
    return " ".join(
        [f"By {name}:", *words[0][:first], either(changed), *words[0][len(words[0]) - last :]]
    )


def stated_ranks(game: Game) -> dict[str, str]:
    """Return the facts whose value is a rank, with the meaning of cards of that rank."""
    asked = [option for option in game.options if option.asked and option.choices]
    ranks = {o.name for o in asked if {c.text for c in o.choices} <= {"none", "10", *RANKS}}
    document: Any = game.document
    return {
        text[1:-1]: what
        for key, what in (("wild", "wild"), ("bug", "bugs"))
        for text in document.get(key, ())
        if text[1:-1] in ranks and text == f"{{{text[1:-1]}}}"
    }
