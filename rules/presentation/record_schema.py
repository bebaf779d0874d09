"""The JSON schemas of a record and of an answer, generated from the reader's own tables.

The schemas describe only the shape of each key (docs/record.md). `problems` checks whether a record
of this shape is a valid hand of its game. Schemas refer to each other by name.
"""

from rules.documents.game_lookup import MOST_MODIFIERS
from rules.game.game import MATCH_KEYS, MOST_COUNTED
from rules.game.hand import (
    CARRIED_KEYS,
    LEAST_RUNS,
    MOST_CARDS,
    MOST_CHIPS,
    MOST_NAME,
    MOST_PLACES,
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOST_RUNS,
    PLAYER_KEYS,
    RECORD_KEYS,
    RESULT,
    RUN_KEYS,
    RUN_PLAYER_KEYS,
    SHARED_KEYS,
    SHOWDOWN,
)
from rules.game.schema import json_schema
from rules.history.actions import MOST_ACTION, MOST_ACTIONS
from rules.history.table import AMOUNTS, KEYS, SWITCHES
from rules.presentation import schema_shapes as shape
from rules.presentation.answer_schema import answer_schemas
from rules.presentation.schema_shapes import Schema


def record_schemas() -> dict[str, Schema]:
    """Return the schemas of a record, of an answer and of their parts, keyed by name."""
    return {
        "Record": shape.object_with(
            "A hand as it was played; see docs/record.md.",
            RECORD_KEYS,
            _record_shapes(),
            required=("variant", "button", "players"),
        ),
        "RecordPlayer": shape.object_with(
            "A player of a record.", PLAYER_KEYS, _player_shapes(), required=("name",)
        ),
        "CarriedChips": shape.object_with(
            "Chips carried to the next hand; without `for`, all players can win them.",
            CARRIED_KEYS,
            {"amount": shape.chips(), "for": shape.names(least=1) | {"type": ["array", "null"]}},
            required=("amount",),
        ),
        "SharedCard": shape.object_with(
            "A down card that several players share.",
            SHARED_KEYS,
            {"card": shape.card(), "for": shape.names(least=1)},
            required=SHARED_KEYS,
        ),
        "Run": shape.object_with(
            "What one run of a deal adds to the record.", RUN_KEYS, _run_shapes()
        ),
        "RunPlayer": shape.object_with(
            "The cards and the declaration of a player in one run.",
            RUN_PLAYER_KEYS,
            {key: each for key, each in _player_shapes().items() if key in RUN_PLAYER_KEYS},
            required=("name",),
        ),
        "FoundMatch": shape.object_with(
            "The state of the match before the deal; see docs/record.md.",
            MATCH_KEYS,
            MATCH_SHAPES,
        ),
        "RecordSource": RECORD_SOURCE,
        "TakenChips": shape.by_name(shape.chips())
        | {
            "maxProperties": MOST_PLAYERS,
            "description": "What each player took from the pot at the table.",
        },
        "TiebreakCards": shape.by_name(shape.cards()) | {"description": "By player."},
        "Stakes": shape.object_with("The stakes; see docs/history.md.", KEYS, STAKES_SHAPES),
        "GameDocument": {key: part for key, part in json_schema().items() if key != "$schema"},
        **answer_schemas(),
    }


# --- a record -------------------------------------------------------------------------------------


def _record_shapes() -> dict[str, Schema]:
    return {
        "variant": {
            "description": "The slug of a game, or a document.",
            "anyOf": [{"type": "string"}, shape.reference("GameDocument")],
        },
        "modifiers": shape.a_list(
            {"type": "string"}, MOST_MODIFIERS, "Changes of the game, in order."
        ),
        "options": shape.options() | {"description": "The choices of the game and of the table."},
        "button": {
            "type": "integer",
            "minimum": 0,
            "maximum": MOST_PLAYERS - 1,
            "description": "The dealer: an index into `players`.",
        },
        "depth": {
            "enum": [SHOWDOWN, RESULT],
            "description": "`result` for a hand without cards.",
        },
        "players": shape.a_list(
            shape.reference("RecordPlayer"), MOST_PLAYERS, "In the order of their seats."
        )
        | {"minItems": 1},
        "board": shape.a_list(shape.cards(), MOST_CARDS, "The common cards, row by row."),
        "shared": shape.a_list(
            shape.reference("SharedCard"), MOST_CARDS, "Down cards that several players share."
        ),
        "carried": shape.carried_chips(),
        "tiebreaks": shape.a_list(
            shape.reference("TiebreakCards"), MOST_ROUNDS, "Hands dealt to break a tie."
        ),
        "took": {"anyOf": [shape.reference("TakenChips"), {"type": "null"}]},
        "match": FOUND_MATCH,
        "runs": RUNS,
        "actions": shape.a_list(
            {"type": "string", "maxLength": MOST_ACTION},
            MOST_ACTIONS,
            "All actions in order, with `stacks`; see docs/history.md.",
        ),
        "stacks": shape.a_list(
            shape.chips() | {"type": ["integer", "null"]},
            MOST_PLAYERS,
            "Chips at the start, null where unknown.",
        )
        | {"type": ["array", "null"]},
        "stakes": {"anyOf": [shape.reference("Stakes"), {"type": "null"}]},
        "about": {"anyOf": [shape.reference("RecordSource"), {"type": "null"}]},
    }


RUNS: Schema = shape.a_list(
    shape.reference("Run"), MOST_RUNS, "What each run adds, if the rest was run several times."
) | {"minItems": LEAST_RUNS}
FOUND_MATCH: Schema = {
    "description": "The state of the match before the deal; not needed for the first deal.",
    "anyOf": [shape.reference("FoundMatch"), {"type": "null"}],
}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_COUNTED}
MATCH_SHAPES: dict[str, Schema] = {
    "id": {"type": ["string", "null"], "minLength": 1, "maxLength": MOST_NAME},
    "deal": COUNT | {"minimum": 1, "description": "The number of the deal in the match."},
    "legs": shape.by_name(COUNT) | {"description": "Legs earned before this deal."},
    "lives": shape.by_name(COUNT) | {"description": "Lives left before this deal."},
}
BY_SEAT = "By seat, from the dealer's left."
POST: Schema = {"type": "integer", "minimum": -MOST_CHIPS, "maximum": MOST_CHIPS}
STAKES_SHAPES: dict[str, Schema] = {
    **{key: shape.chips() for key in AMOUNTS},
    "unit": shape.chips() | {"minimum": 1},
    **{key: {"type": "boolean"} for key in SWITCHES},
    "ante": {"anyOf": [shape.chips(), shape.a_list(shape.chips(), MOST_PLAYERS, BY_SEAT)]},
    "blinds": shape.a_list(POST, MOST_PLAYERS, BY_SEAT),
    "betting": {"type": ["string", "null"], "description": "Limits, in the words of a game."},
}
RECORD_SOURCE: Schema = {
    "type": "object",
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
        "paid": shape.chips() | {"description": "Chips put in over the whole hand."},
        "dead": shape.chips() | {"description": "The part of `paid` that is not a stake."},
        "folded": {
            "description": '`"late"`: after the last card.',
            "anyOf": [switch, {"const": "late"}],
        },
        "mucked": switch | {"description": "Stayed in and shows nothing."},
        "all_in": switch,
        "down": shape.cards() | {"description": "In the order dealt."},
        "up": shape.cards() | {"description": "In the order dealt, or turned."},
        "piles": shape.by_name(shape.cards()) | {"description": "Cards in piles, by pile."},
        "out": shape.cards() | {"description": "Discarded cards, if known."},
        "declared": {"type": ["string", "null"]},
    }


def _run_shapes() -> dict[str, Schema]:
    whole = _record_shapes()
    players = shape.a_list(shape.reference("RunPlayer"), MOST_PLAYERS, "Players dealt cards.")
    return {"players": players} | {key: whole[key] for key in RUN_KEYS - {"players"}}
