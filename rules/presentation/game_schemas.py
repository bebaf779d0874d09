"""The JSON schemas of what is told about a game: its recording form, its rules page, its odds."""

from rules.presentation import schema_shapes as shape
from rules.presentation.schema_shapes import Schema

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
FLAG: Schema = {"type": "boolean"}
ROWS: Schema = shape.many(shape.names())
WORD: Schema = {"type": ["string", "integer", "null"]}


def game_schemas() -> dict[str, Schema]:
    """Return the schemas by name; a test holds every game of the catalog to them."""
    return {
        "GameForm": _whole("What a form needs to know to record a hand of a game.", _form()),
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
        "GameOptionChoice": _whole("A word.", {"name": TEXT, "text": TEXT}),
        "GameFormRow": _whole("A row of the board.", {"row": WHOLE, "slots": shape.names()}),
        "CardCount": _whole("How many cards.", {"least": WHOLE, "most": WHOLE}),
        "GameRules": _whole(
            "The rules page of a game.",
            {
                **_names(),
                "modifiers": shape.names(),
                "board": ROWS,
                "lines": ROWS,
                "sections": shape.many(shape.reference("GameRulesSection")),
            },
        ),
        "GameRulesSection": _whole("A section.", {"title": TEXT, "lines": shape.names()}),
        "GameOddsFound": _whole("What random deals said; rates are of all deals.", _odds()),
        "ShareOdds": _whole(
            "A share of the pot.",
            {
                "name": TEXT,
                "nobody": RATE | {"description": "that nobody wins it"},
                "won_by": shape.many(shape.reference("CategoryOdds")),
                "median": TEXT,
            },
        ),
        "CategoryOdds": _whole("A kind of hand.", {"category": TEXT, "rate": RATE}),
    }


def _form() -> dict[str, Schema]:
    cards = shape.many(shape.card())
    return {
        "game": TEXT | {"description": "its slug; empty for a document"},
        **_names(),
        "players": {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2},
        "deck": cards,
        "down": shape.reference("CardCount"),
        "up": shape.reference("CardCount"),
        "piles": shape.by_name(WHOLE),
        "dealt": {"type": ["integer", "null"]},
        "extra_cards": cards,
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
        "unturned": FLAG,
        "tiebreak": WHOLE,
        "shows_alone": FLAG,
        "late_folds": FLAG,
        "hash": TEXT | {"description": "of the document"},
    }


def _odds() -> dict[str, Schema]:
    return {
        "game": TEXT,
        "players": WHOLE,
        "deals": WHOLE,
        "assumed": TEXT,
        "shares": shape.many(shape.reference("ShareOdds")),
        "scoop": RATE | {"description": "that one player wins all"},
    }


def _names() -> dict[str, Schema]:
    return {"name": TEXT, "aliases": shape.names(), "by": TEXT, "source": TEXT}


def _whole(description: str, properties: dict[str, Schema]) -> Schema:
    """Return the schema of an object that has all of these keys."""
    return shape.object_of(description, properties, *properties)
