"""The JSON schemas of a record and of an answer, made from the tables that the reader checks by.

The shape alone, key by key (docs/record.md). Whether a record of this shape is a hand of its game,
`problems` says. A schema refers to another by the name that it has here.
"""

from collections.abc import Collection
from typing import Any

from rules.cards import JOKERS, RANKS, SUITS, UNSEEN_TEXT
from rules.documents.game_lookup import MOST_MODIFIERS
from rules.game.hand import (
    CARRIED_KEYS,
    MOST_CARDS,
    MOST_CHIPS,
    MOST_NAME,
    MOST_PLACES,
    MOST_PLAYERS,
    MOST_ROUNDS,
    PLAYER_KEYS,
    RECORD_KEYS,
    RESULT,
    SHARED_KEYS,
    SHOWDOWN,
)
from rules.game.schema import json_schema
from rules.history.actions import MOST_ACTION, MOST_ACTIONS
from rules.history.stakes import AMOUNTS, KEYS, SWITCHES

Schema = dict[str, Any]

REFERENCES = "#/components/schemas/"
CARD = (
    f"^((10|[{RANKS}{RANKS.lower()}])[{SUITS}{SUITS.upper()}]"
    f"|[*][1-{len(JOKERS)}]|[{UNSEEN_TEXT[0]}]{{{len(UNSEEN_TEXT)}}})$"
)


def record_schemas() -> dict[str, Schema]:
    """Return the schema of a record, of an answer and of their parts, by name."""
    return {
        "Record": _object(
            "A hand as it was played: docs/record.md.",
            RECORD_KEYS,
            _record_shapes(),
            required=("variant", "button", "players"),
        ),
        "RecordPlayer": _object(
            "A player of a record.", PLAYER_KEYS, _player_shapes(), required=("name",)
        ),
        "CarriedChips": _object(
            "Chips that a hand leaves to the next; without `for`, everybody may win them.",
            CARRIED_KEYS,
            {"amount": _chips(), "for": _names(least=1) | {"type": ["array", "null"]}},
            required=("amount",),
        ),
        "SharedCard": _object(
            "A down card that several hold together.",
            SHARED_KEYS,
            {"card": _card(), "for": _names(least=1)},
            required=SHARED_KEYS,
        ),
        "Stakes": _object("What the table plays for: docs/history.md.", KEYS, _stakes_shapes()),
        "GameDocument": {key: part for key, part in json_schema().items() if key != "$schema"},
        **_answer_schemas(),
    }


# --- a record -------------------------------------------------------------------------------------


def _record_shapes() -> dict[str, Schema]:
    return {
        "variant": {
            "description": "The slug of a game, or a whole document of one.",
            "anyOf": [{"type": "string"}, _reference("GameDocument")],
        },
        "modifiers": _list({"type": "string"}, MOST_MODIFIERS, "Changes of the game, in order."),
        "options": {"type": "object", "description": "The choices of the game and of the table."},
        "button": {
            "type": "integer",
            "minimum": 0,
            "maximum": MOST_PLAYERS - 1,
            "description": "Who deals: an index into `players`.",
        },
        "depth": {"enum": [SHOWDOWN, RESULT], "description": "`result`: a hand without cards."},
        "players": _list(_reference("RecordPlayer"), MOST_PLAYERS, "In the order of their seats.")
        | {"minItems": 1},
        "board": _list(_cards(), MOST_CARDS, "The common cards, row by row."),
        "shared": _list(_reference("SharedCard"), MOST_CARDS, "Down cards of several players."),
        "carried": {
            "description": "Chips that an earlier hand left.",
            "anyOf": [_chips(), _list(_reference("CarriedChips"), MOST_PLAYERS)],
        },
        "tiebreaks": _list(_by_name(_cards()), MOST_ROUNDS, "Hands dealt to break a tie."),
        "took": _by_name(_chips())
        | {
            "type": ["object", "null"],
            "maxProperties": MOST_PLAYERS,
            "description": "What each player took from the pot by the table's own count.",
        },
        "actions": _list(
            {"type": "string", "maxLength": MOST_ACTION},
            MOST_ACTIONS,
            "Every action, in order: docs/history.md. `stacks`, `stakes` and `about` go with it.",
        ),
        "stacks": _list(
            _chips() | {"type": ["integer", "null"]},
            MOST_PLAYERS,
            "Chips at the start, null where nobody counted.",
        )
        | {"type": ["array", "null"]},
        "stakes": {"anyOf": [_reference("Stakes"), {"type": "null"}]},
        "about": ABOUT,
    }


ABOUT: Schema = {
    "type": ["object", "null"],
    "description": "Where the record came from.",
    "properties": {
        "places": {"type": "integer", "minimum": 0, "maximum": MOST_PLACES},
        "fields": {"type": "object"},
    },
}


def _player_shapes() -> dict[str, Schema]:
    switch = {"type": "boolean"}
    return {
        "name": {"type": "string", "minLength": 1, "maxLength": MOST_NAME},
        "paid": _chips() | {"description": "Chips put in over the whole hand."},
        "dead": _chips() | {"description": "The part of `paid` that is no stake."},
        "folded": {
            "description": '`"late"`: after the last card.',
            "anyOf": [switch, {"const": "late"}],
        },
        "mucked": switch | {"description": "Stayed in and shows nothing."},
        "all_in": switch,
        "down": _cards() | {"description": "In the order dealt."},
        "up": _cards() | {"description": "In the order dealt, or turned."},
        "piles": _by_name(_cards()) | {"description": "Cards laid into piles, by pile."},
        "out": _cards() | {"description": "Cards thrown away, as far as they are known."},
        "declared": {"type": ["string", "null"]},
    }


def _stakes_shapes() -> dict[str, Schema]:
    by_seat = "By seat from the dealer's left."
    post = {"type": "integer", "minimum": -MOST_CHIPS, "maximum": MOST_CHIPS}
    return {
        **{key: _chips() for key in AMOUNTS},
        "unit": _chips() | {"minimum": 1},
        **{key: {"type": "boolean"} for key in SWITCHES},
        "ante": {"anyOf": [_chips(), _list(_chips(), MOST_PLAYERS, by_seat)]},
        "blinds": _list(post, MOST_PLAYERS, by_seat),
        "betting": {"type": ["string", "null"], "description": "Limits, in a game's words."},
    }


# --- an answer ------------------------------------------------------------------------------------


def _answer_schemas() -> dict[str, Schema]:
    number, text = {"type": "integer"}, {"type": "string"}
    cards = {"type": "array", "items": _card()}
    share = {"way": text, "amount": _chips(), "winners": _by_name(_chips())}
    pot = {"amount": _chips(), "for": _names(), "shares": _many(_reference("PotShare"))}
    best = {"cards": cards, "plays_as": _by_name(_card()), "name": text}
    bank = {"put": _chips(), "take": _chips()}
    answer = {
        "variant": text,
        "paid": _by_name(_chips()),
        "returned": _by_name(_chips()) | {"description": "Chips that nobody called."},
        "won": _by_name(_chips()) | {"description": "Chips by the rules, from all pots."},
        "net": _by_name(number) | {"description": "`won` + `returned` - `paid`."},
        "carry": _chips() | {"description": "Chips that stay for the next hand."},
        "carries": _many(_reference("CarriedChips")),
        "pots": _many(_reference("Pot")),
        "findings": _many(_reference("Finding")),
    }
    further = {
        "hands": {
            "description": "What each player holds on each way; against a bank, puts and takes.",
            "type": "object",
            "additionalProperties": {
                "anyOf": [_reference("BankHand"), _by_name(_reference("BestHand"))]
            },
        },
        "story": _many(text) | {"description": "Why each share went where it did."},
    }
    finding = {"code": text, "text": text, "player": text}
    return {
        "Answer": _all(
            "Who wins what by the rules, and why; a brief one lacks `hands` and `story`.",
            {**answer, **further},
            *answer,
        ),
        "Pot": _all("A pot, and who can win it.", pot, *pot),
        "PotShare": _all("A share of a pot.", share, *share),
        "BestHand": _all("`plays_as`: what a wild card stands for.", best, *best),
        "BankHand": _all("What the cards ask of a player, and give.", bank, *bank),
        "Finding": _all("What the table did otherwise.", finding, "code", "text"),
    }


# --- shapes ---------------------------------------------------------------------------------------


def _object(
    description: str,
    keys: Collection[str],
    shapes: dict[str, Schema],
    required: Collection[str] = (),
) -> Schema:
    """The schema of an object with these keys and no others; an error where one has no shape."""
    known = list(shapes)
    ordered = {key: shapes[key] for key in sorted(keys, key=known.index)}
    return _all(description, ordered, *required)


def _all(description: str, properties: dict[str, Schema], *required: str) -> Schema:
    schema: Schema = {
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": False,
    }
    return schema | {"required": list(required)} if required else schema


def _reference(name: str) -> Schema:
    return {"$ref": REFERENCES + name}


def _chips() -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": MOST_CHIPS}


def _card() -> Schema:
    return {"type": "string", "pattern": CARD}


def _cards() -> Schema:
    return {"type": "array", "items": _card(), "maxItems": MOST_CARDS}


def _names(least: int = 0) -> Schema:
    return {"type": "array", "items": {"type": "string"}} | ({"minItems": least} if least else {})


def _by_name(shape: Schema) -> Schema:
    return {"type": "object", "additionalProperties": shape}


def _many(shape: Schema) -> Schema:
    return {"type": "array", "items": shape}


def _list(shape: Schema, most: int, description: str = "") -> Schema:
    schema: Schema = {"type": "array", "items": shape, "maxItems": most}
    return schema | {"description": description} if description else schema
