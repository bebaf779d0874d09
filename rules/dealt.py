"""Which game was dealt: a record's variant, its modifiers and its options."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules import catalog, documents, modifiers
from rules.game import Game
from rules.nearest import nearest
from rules.quoting import shown

MOST_MODIFIERS = 12

ProblemFields = tuple[str, str, str]  # where, code, text


@dataclass(frozen=True)
class Dealt:
    """The game, or why there is none."""

    variant: str
    game: Game | None
    problems: tuple[ProblemFields, ...] = ()


def game_of(record: Mapping[str, Any]) -> Dealt:
    """The game of a record. The same choice is looked up once and then remembered."""
    variant = record.get("variant")
    modified = record.get("modifiers", ())
    chosen = record.get("options", {})
    if type(variant) is str and type(modified) in (list, tuple) and type(chosen) is dict:
        try:
            kinds = tuple(map(type, chosen.values()))
            return _remembered(variant, tuple(modified), tuple(chosen.items()), kinds)
        except _NoGame as refused:
            return refused.dealt
        except TypeError:  # a value that can't be a key is no good choice either
            pass
    return _game_of(variant, modified, chosen)


class _NoGame(Exception):
    """Carries a refusal past the memory, which keeps only games."""

    def __init__(self, dealt: Dealt) -> None:
        super().__init__()
        self.dealt = dealt


@lru_cache(maxsize=1024)
def _remembered(
    variant: str,
    modified: tuple[Any, ...],
    chosen: tuple[tuple[Any, Any], ...],
    kinds: tuple[type, ...],  # part of the key alone: true and 1.0 are equal to 1 and no numbers
) -> Dealt:
    found = _game_of(variant, list(modified), dict(chosen))
    if found.game is None:
        raise _NoGame(found)
    return found


def _game_of(variant: object, modified: object, chosen: object) -> Dealt:
    document, problems = _document(variant)
    slug = variant if isinstance(variant, str) else _name(document)
    names = _modifier_names(modified, problems)
    options = _options(chosen, problems)
    if document is None:
        return Dealt(slug, None, tuple(problems))
    document = _modify(document, names, options, problems)
    if document is not None and options is not None:
        for name, code, text in documents.option_problems(document, options):
            problems.append((f"options/{shown(name, quote=False)}", code, text))
    if problems or document is None or options is None:
        return Dealt(slug, None, tuple(problems))
    return Dealt(slug, documents.game(document, options))


def _name(document: Mapping[str, Any] | None) -> str:
    return str(document["name"]) if document else ""


def _document(variant: object) -> tuple[dict[str, Any] | None, list[ProblemFields]]:
    if variant is None:
        return None, [("variant", "missing", "the record does not say which game was dealt")]
    if isinstance(variant, Mapping):
        faults = documents.check(variant)
        problems = [_bad_game(fault) for fault in faults]
        return (None if faults else dict(variant)), problems
    if not isinstance(variant, str):
        return None, [("variant", "wrong-type", "a game is named by its slug, or is a document")]
    try:
        return catalog.document(variant), []
    except KeyError:
        near = nearest(variant, catalog.slugs())
        hint = f"; is it {' or '.join(near)}?" if near else ""
        return None, [("variant", "unknown-game", f"no game is called {shown(variant)}{hint}")]


def _bad_game(fault: documents.Fault) -> ProblemFields:
    where = f"variant/{fault.where}" if fault.where else "variant"
    return where, "bad-game", str(fault)


def _modifier_names(modified: object, problems: list[ProblemFields]) -> list[tuple[int, str]]:
    """The known modifiers, each with its place in the record."""
    if not isinstance(modified, list | tuple) or len(modified) > MOST_MODIFIERS:
        text = f"a list of at most {MOST_MODIFIERS} modifiers is needed here"
        problems.append(("modifiers", "wrong-type", text))
        return []
    found = []
    for index, name in enumerate(modified):
        if not isinstance(name, str):
            problems.append((f"modifiers/{index}", "wrong-type", "a modifier is a text"))
        elif reason := modifiers.unknown(name):
            problems.append((f"modifiers/{index}", "unknown-modifier", reason))
        else:
            found.append((index, name))
    return found


def _options(chosen: object, problems: list[ProblemFields]) -> dict[str, Any] | None:
    if isinstance(chosen, Mapping) and all(isinstance(name, str) for name in chosen):
        return dict(chosen)
    problems.append(("options", "wrong-type", "options are an object, name to choice"))
    return None


def _modify(
    document: dict[str, Any],
    names: list[tuple[int, str]],
    options: dict[str, Any] | None,
    problems: list[ProblemFields],
) -> dict[str, Any] | None:
    """The document with its modifiers, or None when one does not fit."""
    try:
        return modifiers.apply(document, [name for _, name in names])
    except modifiers.DoesNotFit as misfit:
        index, _ = names[misfit.place]
        problems.append((f"modifiers/{index}", "modifier-does-not-fit", str(misfit)))
        return None
