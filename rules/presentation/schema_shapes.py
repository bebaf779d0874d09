"""Building blocks for the JSON schemas of records and answers."""

from collections.abc import Collection
from typing import Any

from rules.cards import JOKERS, RANKS, SUITS, UNSEEN_TEXT
from rules.game.hand import MOST_CARDS, MOST_CHIPS, MOST_PLAYERS

Schema = dict[str, Any]

REFERENCES = "#/components/schemas/"
CARD = (
    f"^((10|[{RANKS}{RANKS.lower()}])[{SUITS}{SUITS.upper()}]"
    f"|[*][1-{len(JOKERS)}]|[{UNSEEN_TEXT[0]}]{{{len(UNSEEN_TEXT)}}})$"
)


def object_with(
    description: str,
    keys: Collection[str],
    shapes: dict[str, Schema],
    required: Collection[str] = (),
) -> Schema:
    """Return the schema of an object with only these keys. Raises ValueError for unknown keys."""
    known = list(shapes)
    ordered = {key: shapes[key] for key in sorted(keys, key=known.index)}
    return object_of(description, ordered, *required)


def object_of(description: str, properties: dict[str, Schema], *required: str) -> Schema:
    schema: Schema = {
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": False,
    }
    return schema | {"required": list(required)} if required else schema


def reference(name: str) -> Schema:
    return {"$ref": REFERENCES + name}


def chips() -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": MOST_CHIPS}


def card() -> Schema:
    return {"type": "string", "pattern": CARD}


def cards() -> Schema:
    return {"type": "array", "items": card(), "maxItems": MOST_CARDS}


def names(least: int = 0) -> Schema:
    return {"type": "array", "items": {"type": "string"}} | ({"minItems": least} if least else {})


def by_name(shape: Schema) -> Schema:
    return {"type": "object", "additionalProperties": shape}


def options() -> Schema:
    return by_name({"type": ["string", "integer"]})


def many(shape: Schema) -> Schema:
    return {"type": "array", "items": shape}


def a_list(shape: Schema, most: int, description: str = "") -> Schema:
    schema: Schema = {"type": "array", "items": shape, "maxItems": most}
    return schema | {"description": description} if description else schema


def carried_chips() -> Schema:
    return {
        "description": "Chips carried from an earlier hand.",
        "anyOf": [chips(), a_list(reference("CarriedChips"), MOST_PLAYERS)],
    }
