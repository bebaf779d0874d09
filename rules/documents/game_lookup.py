"""Find the game that a record's variant, modifiers and options describe."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rules.documents import catalog, documents, modifiers
from rules.errors import GameError, Problem, quoted
from rules.game.game import Game
from rules.game.workload import MOST_PROBLEMS

MOST_MODIFIERS = 12
MOST_KNOWN = 4096  # maximum number of cached choices


@dataclass(frozen=True)
class DealtGame:
    """The game of a record, or its errors."""

    variant: str
    game: Game | None
    problems: tuple[Problem, ...] = ()


# Only valid choices are cached, because invalid choices can have any length.
_known: dict[object, DealtGame] = {}


def game_of(record: Mapping[str, Any]) -> DealtGame:
    """Return the game that a record was played under. It is cached per choice of options."""
    variant = record.get("variant")
    modified = record.get("modifiers", ())
    chosen = record.get("options", {})
    key: object = None
    try:
        if type(variant) is str and type(modified) in (list, tuple) and type(chosen) is dict:
            key = variant
            if modified or chosen:
                options = sorted(chosen.items()) if len(chosen) > 1 else chosen.items()
                # the key includes the types, because Python considers true, 1.0 and 1 equal
                types = tuple([type(value) for _, value in options])
                key = variant, tuple(modified), tuple(options), types
        remembered = _known.get(key)
    except TypeError:  # a value that can't be a dictionary key is not a valid choice
        key = remembered = None
    if remembered is not None:
        return remembered
    dealt_game = _look_up(variant, modified, chosen)
    if dealt_game.game is not None and key is not None:
        if len(_known) >= MOST_KNOWN:
            for oldest in list(_known)[: MOST_KNOWN // 2]:
                _known.pop(oldest, None)  # another thread may have removed the entry
        _known[key] = dealt_game
    return dealt_game


def _look_up(variant: object, modified: object, chosen: object) -> DealtGame:
    document, problems = _document(variant)
    slug = variant if isinstance(variant, str) else (str(document["name"]) if document else "")
    names = _modifier_names(modified, problems)
    options: dict[str, Any] | None = None
    if isinstance(chosen, Mapping) and all(isinstance(name, str) for name in chosen):
        options = dict(chosen)
    else:
        problems.append(
            Problem("options", "wrong-type", "options must be an object of names and choices")
        )
    if document is None:
        return DealtGame(slug, None, tuple(problems))
    try:
        document = modifiers.apply(document, [name for _, name in names])
    except modifiers.ModifierFitError as misfit:
        index, _ = names[misfit.place]
        problems.append(Problem(f"modifiers/{index}", "modifier-does-not-fit", str(misfit)))
        return DealtGame(slug, None, tuple(problems))
    if options is not None:
        wrong = documents.option_problems(document, options)
        # limited, because each problem lists all of the game's options
        problems += islice(wrong, MOST_PROBLEMS)
    if problems or options is None:
        return DealtGame(slug, None, tuple(problems))
    try:
        return DealtGame(slug, documents.game(document, options))
    # a number option may have invalid values between those that were checked
    except GameError as bad:
        return DealtGame(slug, None, tuple(_of_variant(problem) for problem in bad.problems))


def _document(variant: object) -> tuple[dict[str, Any] | None, list[Problem]]:
    if variant is None:
        text = "the record must name its game"
        return None, [Problem("variant", "missing", text)]
    if isinstance(variant, Mapping):
        problems = [_of_variant(problem) for problem in documents.check(variant)]
        return (None if problems else dict(variant)), problems
    if not isinstance(variant, str):
        text = "variant must be the slug of a game or a document"
        return None, [Problem("variant", "wrong-type", text)]
    try:
        return catalog.document(variant), []
    except KeyError:
        near = catalog.candidates(variant)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        text = f"no game is called {quoted(variant)}{hint}"
        return None, [Problem("variant", "unknown-game", text)]


def _of_variant(problem: Problem) -> Problem:
    """Convert an error in a document to an error in the record that contains it."""
    where = f"variant/{problem.where}" if problem.where else "variant"
    return Problem(where, problem.code, str(problem))


def _modifier_names(modified: object, problems: list[Problem]) -> list[tuple[int, str]]:
    """Return the known modifiers with their places in the record."""
    if not isinstance(modified, list | tuple) or len(modified) > MOST_MODIFIERS:
        text = f"modifiers must be a list of at most {MOST_MODIFIERS}"
        problems.append(Problem("modifiers", "wrong-type", text))
        return []
    names = []
    for index, name in enumerate(modified):
        if not isinstance(name, str):
            problems.append(
                Problem(f"modifiers/{index}", "wrong-type", "a modifier must be a string")
            )
        elif reason := modifiers.why_unknown(name):
            problems.append(Problem(f"modifiers/{index}", "unknown-modifier", reason))
        else:
            names.append((index, name))
    return names
