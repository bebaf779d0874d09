"""The fields of a recording form for a game, and their JSON schema.

This module also defines the schemas of the rules page and of the odds.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rules.cards import format_cards
from rules.documents import catalog, documents, modifiers
from rules.errors import GameError, bad_game, quoted
from rules.game.game import Game, Option, Range
from rules.presentation import schema_shapes as shape
from rules.presentation.schema_shapes import Schema
from rules.settlement.checks import counting_zones, declarations

Document = Mapping[str, Any]
_OWN_NAMES = frozenset(modifiers.NAMES)


def document_of(variant: str | Document, modified: Sequence[str] = ()) -> dict[str, Any]:
    """Return the document of a game with modifiers applied. Raises GameError."""
    if isinstance(variant, str):
        try:
            document = catalog.document(variant)
        except KeyError:
            raise GameError([bad_game("variant", f"no game is called {quoted(variant)}")]) from None
    else:
        documents.require(variant)
        document = dict(variant)
    try:
        return modifiers.apply(document, modified)
    except (modifiers.ModifierFitError, modifiers.UnknownModifierError) as misfit:
        raise GameError([bad_game("modifiers", str(misfit))]) from None


def game_of(
    variant: str | Document, modified: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> Game:
    """Return the game with modifiers and options. Raises GameError, even for unknown options."""
    document = document_of(variant, modified)
    asked = [option for option in documents.own_options(document) if option.asked]
    wanted = {o.name: o.least if o.is_number else o.choices[0].word for o in asked} | dict(
        options or {}
    )
    if problems := list(documents.option_problems(document, wanted)):
        raise GameError(problems)
    return documents.game(document, wanted)


def form(
    variant: str | Document, modified: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return all data of a recording form as plain JSON. Raises GameError."""
    game = game_of(variant, modified, options)
    source = catalog.document(variant) if isinstance(variant, str) else variant
    down, up = game.down, game.up
    if game.turned is not None:  # cards turned over one by one are dealt down
        down = up = Range(0, game.turned + len(game.extra_cards))
    words = declarations(game)
    if game.declare == "high-low" and len(words) == 3:
        words = (words[1], words[0], words[2])  # by number of chips (docs/rulings.md 5)
    return {
        "game": variant if isinstance(variant, str) else "",
        "name": game.name,
        "aliases": list(game.aliases),
        "by": game.by,
        "source": game.source,
        "players": list(game.players),
        "deck": format_cards(sorted(game.deck)),
        "down": _range(down),
        "up": _range(up),
        "piles": dict(game.pile_cards),
        "dealt": game.turned,
        "extra_cards": format_cards(sorted(game.extra_cards)),
        "board": [{"row": n, "slots": list(row)} for n, row in enumerate(game.board, start=1)],
        "lines": [list(line) for line in game.lines],
        "options": [_option(option) for option in game.options],
        "chosen": dict(game.chosen),
        "modifiers": list(modified),
        "declare": game.declare,
        "declarations": list(words),
        "shares": list(game.share_names),
        "shared": sum(step.most for step in game.steps if step.zone == "common"),
        "bank": game.bank,
        "against_pot": bool(game.against_pot),
        "run_zones": _run_zones(game),
        "unturned": game.turned is not None and "down" not in counting_zones(game),
        "tiebreak": game.tiebreak_cards,
        "shows_alone": game.must_show,
        "late_folds": game.must_show,
        "hash": documents.content_hash(source),
    }


def _run_zones(game: Game) -> list[str]:
    """Return the zones whose cards can be dealt several times, after the first bet."""
    if game.bank or game.against_pot or game.dues or game.keeps_pot:
        return []
    verbs = [step.verb for step in game.steps]
    start = verbs.index("bet") if "bet" in verbs else 0
    dealt = [step for step in game.steps[start:] if step.verb in ("board", "deal", "draw")]
    zones = {"board" if step.slots else step.zone or "down" for step in dealt}
    return [zone for zone in ("board", "down", "up") if zone in zones]


def _range(cards: Range) -> dict[str, int]:
    return {"least": cards.least, "most": cards.most}


def _option(option: Option) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": option.name, "default": option.default, "asked": option.asked}
    if option.is_number:
        return plain | {"least": option.least, "most": option.most}
    choices = [{"name": choice.word, "text": choice.text} for choice in option.choices]
    return plain | {"choices": choices}


def modifiers_that_fit(variant: str | Document, modified: Sequence[str] = ()) -> dict[str, str]:
    """Return every modifier with the reason why it does not fit the game, or "" if it fits.

    An applied modifier fits if the game is valid with all applied modifiers.
    """
    # only known names are cached, because other strings can have any length
    if isinstance(variant, str) and variant in catalog.slugs() and set(modified) <= _OWN_NAMES:
        return dict(_fit_of_catalog(variant, tuple(modified)))
    return _fit_of(variant, modified)


@lru_cache(maxsize=1024)
def _fit_of_catalog(slug: str, modified: tuple[str, ...]) -> dict[str, str]:
    """Return the fit of modifiers to a catalog game, cached because every page needs it."""
    return _fit_of(slug, modified)


def _fit_of(variant: str | Document, modified: Sequence[str]) -> dict[str, str]:
    applied = {modifiers.read(text).name for text in modified if modifiers.is_modifier(text)}
    fit = {}
    for name in modifiers.NAMES:
        try:
            document_of(variant, list(modified) if name in applied else [*modified, name])
            fit[name] = ""
        except GameError as bad:
            fit[name] = bad.problems[0].text
    return fit


TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
FLAG: Schema = {"type": "boolean"}
ROWS: Schema = shape.many(shape.names())
WORD: Schema = {"type": ["string", "integer", "null"]}
NAMES: dict[str, Schema] = {"name": TEXT, "aliases": shape.names(), "by": TEXT, "source": TEXT}
GAME_FORM: dict[str, Schema] = {
    "game": TEXT | {"description": "its slug; empty for a document"},
    **NAMES,
    "players": {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2},
    "deck": shape.many(shape.card()),
    "down": shape.reference("CardCount"),
    "up": shape.reference("CardCount"),
    "piles": shape.by_name(WHOLE),
    "dealt": {"type": ["integer", "null"]},
    "extra_cards": shape.many(shape.card()),
    "board": shape.many(shape.reference("GameFormRow")),
    "lines": ROWS,
    "options": shape.many(shape.reference("GameOption")),
    "chosen": shape.by_name(WORD),
    "modifiers": shape.names(),
    "declare": TEXT,
    "declarations": shape.names(),
    "shares": shape.names(),
    "shared": WHOLE,
    "bank": FLAG,
    "against_pot": FLAG,
    "run_zones": shape.names()
    | {"description": "zones that can be dealt several times (runs); empty if none"},
    "unturned": FLAG,
    "tiebreak": WHOLE,
    "shows_alone": FLAG,
    "late_folds": FLAG,
    "hash": TEXT | {"description": "of the document"},
}
GAME_ODDS: dict[str, Schema] = {
    "game": TEXT,
    "players": WHOLE,
    "deals": WHOLE,
    "assumed": TEXT,
    "shares": shape.many(shape.reference("ShareOdds")),
    "scoop": RATE | {"description": "that one player wins the whole pot"},
}


def game_schemas() -> dict[str, Schema]:
    """Return the schemas, keyed by name. A test checks them against every catalog game."""
    return {
        "GameForm": _full_object("The fields of a form that records a hand of a game.", GAME_FORM),
        "GameOption": shape.object_of(
            "A choice of the table or a fact of the deal: a word of `choices`, or a number.",
            {
                "name": TEXT,
                "default": WORD,
                "asked": FLAG,
                "choices": shape.many(shape.reference("GameOptionChoice")),
                "least": {"type": "integer"},
                "most": {"type": "integer"},
            },
            "name",
            "default",
            "asked",
        ),
        "GameOptionChoice": _full_object("A word.", {"name": TEXT, "text": TEXT}),
        "GameFormRow": _full_object("A row of the board.", {"row": WHOLE, "slots": shape.names()}),
        "CardCount": _full_object("How many cards.", {"least": WHOLE, "most": WHOLE}),
        "GameRules": _full_object(
            "The rules page of a game.",
            {
                **NAMES,
                "modifiers": shape.names(),
                "board": ROWS,
                "lines": ROWS,
                "sections": shape.many(shape.reference("GameRulesSection")),
            },
        ),
        "GameRulesSection": _full_object("A section.", {"title": TEXT, "lines": shape.names()}),
        "GameOddsFound": _full_object(
            "The results of random deals; rates are of all deals.", GAME_ODDS
        ),
        "ShareOdds": _full_object(
            "A share of the pot.",
            {
                "name": TEXT,
                "nobody": RATE | {"description": "that no hand wins it"},
                "won_by": shape.many(shape.reference("CategoryOdds")),
                "median": TEXT,
            },
        ),
        "CategoryOdds": _full_object("A kind of hand.", {"category": TEXT, "rate": RATE}),
    }


def _full_object(description: str, properties: dict[str, Schema]) -> Schema:
    """Return the schema of an object in which all of these keys are required."""
    return shape.object_of(description, properties, *properties)
