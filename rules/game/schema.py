"""The JSON schema of a game document, for editors and client authors.

The schema describes only the shape of a document. `documents.check` checks whether the words of a
document make a game. `python -m rules.game.schema` prints the schema, which is stored in
docs/game.schema.json.
"""

import json
import sys
from typing import Any

from rules.game.builder import WORDS
from rules.game.grammar import OPTION_NAME
from rules.game.shape import LISTS, MOST_ITEMS, MOST_OPTIONS, MOST_TEXT, TABLES, TEXTS

Schema = dict[str, Any]

MEANINGS = {
    "name": "The name of the game.",
    "aliases": "Other names of the game.",
    "by": "The inventor.",
    "source": "The source of the rules.",
    "players": "The fewest and the most players.",
    "deck": "The cards, such as `52 + 1 joker` or `52 without 2-5`.",
    "direction": "The direction of play.",
    "betting": "The limits, round by round.",
    "deal": "Every step of the deal, in order.",
    "board": "The common cards, a row of slots each.",
    "lines": "Slots that count as lines; by default the rows.",
    "hand": "Which cards make a hand.",
    "wild": "Cards that stand for any other.",
    "bug": "Cards that stand for an ace or complete a straight or a flush.",
    "kill": "Cards that kill the hand that holds them.",
    "points": "What cards count, if not their pips.",
    "top": "Cards above the ace of spades when single cards are compared, best first.",
    "order": "Kinds of hands in a different order, strongest first.",
    "straights": "Which straights exist besides, or without, the usual ones.",
    "shares": "The shares of the pot, and how each is measured.",
    "declare": "Whether and what players declare.",
    "both_ways": "What a player needs to win after declaring both ways.",
    "lost_both": "Who wins if a player declares both ways and loses one.",
    "alone": "Whether the last player left wins, or must show a hand that qualifies.",
    "ties": "What happens to equal hands.",
    "unwon": "What happens to a pot if no share of it is won.",
    "dues": "Chips moved by cards, or paid by those who lose.",
    "match": "How several deals make one game: legs, lives, a pot that stays.",
    "options": "The choices of the table; the first of each is the default.",
    "asked": "Facts that the cards do not show, given with every hand.",
}
PLACEHOLDER = r"\{[a-z][a-z0-9_]*\}"


def json_schema() -> Schema:
    """Return the schema (draft 2020-12) as plain JSON."""
    table = {
        "type": "object",
        "maxProperties": MOST_OPTIONS,
        "propertyNames": {"pattern": "^" + OPTION_NAME.pattern.replace(r"\Z", "$")},
        "additionalProperties": _texts() | {"minItems": 1},
    }
    number = {"type": "integer", "minimum": 1, "maximum": 52}
    placeholder = {"type": "string", "pattern": PLACEHOLDER}
    shapes: dict[str, Schema] = {
        "players": {"type": "array", "items": number, "minItems": 2, "maxItems": 2},
        **dict.fromkeys(TABLES, table),
        **dict.fromkeys(LISTS, _texts()),
        **dict.fromkeys(TEXTS, _text()),
        **{key: {"anyOf": [{"enum": list(words)}, placeholder]} for key, words in WORDS.items()},
    }
    properties = {key: shapes[key] | {"description": text} for key, text in MEANINGS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game of poker",
        "description": "docs/games.md describes the words.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": ["name"],
        "anyOf": [{"required": ["shares"]}, {"required": ["dues"]}],
    }


def _text() -> Schema:
    return {"type": "string", "maxLength": MOST_TEXT}


def _texts() -> Schema:
    return {"type": "array", "items": _text(), "maxItems": MOST_ITEMS}


def as_text() -> str:
    return json.dumps(json_schema(), indent=2) + "\n"


if __name__ == "__main__":
    sys.stdout.write(as_text())
