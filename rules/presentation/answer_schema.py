"""The JSON schema of an answer and of its parts (docs/record.md, "An answer")."""

from rules.presentation import schema_shapes as shape
from rules.presentation.reason_schema import reason_schemas
from rules.presentation.schema_shapes import Schema


def answer_schemas() -> dict[str, Schema]:
    """The schema of an answer and of its parts, by name."""
    return {"Answer": _answer(), **_part_schemas(), **_match_schemas(), **reason_schemas()}


def _answer() -> Schema:
    number, text = {"type": "integer"}, {"type": "string"}
    answer = {
        "variant": text,
        "paid": shape.by_name(shape.chips()),
        "returned": shape.by_name(shape.chips()) | {"description": "Chips that nobody called."},
        "won": shape.by_name(shape.chips()) | {"description": "Chips by the rules, from all pots."},
        "net": shape.by_name(number) | {"description": "`won` + `returned` - `paid`."},
        "carry": shape.chips() | {"description": "Chips that stay for the next hand."},
        "carries": shape.many(shape.reference("CarriedChips")),
        "pots": shape.many(shape.reference("Pot")),
        "findings": shape.many(shape.reference("Finding")),
    }
    further = {
        "hands": {
            "description": "What each player holds on each way; against a bank, puts and takes.",
            "type": "object",
            "additionalProperties": {
                "anyOf": [shape.reference("BankHand"), shape.reference("BestHands")]
            },
        },
        "story": shape.many(text) | {"description": "Why each share went where it did."},
        "reasons": shape.many(shape.reference("Reason")) | {"description": "The story's facts."},
        "match": shape.reference("MatchDeal"),
    }
    return shape.object_of(
        "Who wins what by the rules, and why; a brief one lacks `hands`, `story` and `reasons`.",
        {**answer, **further},
        *answer,
    )


def _part_schemas() -> dict[str, Schema]:
    text = {"type": "string"}
    cards = {"type": "array", "items": shape.card()}
    share = {"way": text, "amount": shape.chips(), "winners": shape.by_name(shape.chips())}
    pot = {
        "amount": shape.chips(),
        "for": shape.names(),
        "shares": shape.many(shape.reference("PotShare")),
    }
    best = {"cards": cards, "plays_as": shape.by_name(shape.card()), "name": text}
    bank = {"put": shape.chips(), "take": shape.chips()}
    finding = {"code": text, "text": text, "player": text}
    return {
        "Pot": shape.object_of("A pot, and who can win it.", pot, *pot),
        "PotShare": shape.object_of("A share of a pot.", share, *share),
        "BestHand": shape.object_of("`plays_as`: what a wild card stands for.", best, *best),
        "BestHands": shape.by_name(shape.reference("BestHand"))
        | {"description": "What a player holds, by way."},
        "BankHand": shape.object_of("What the cards ask of a player, and give.", bank, *bank),
        "Finding": shape.object_of("What the table did otherwise.", finding, "code", "text"),
    }


def _match_schemas() -> dict[str, Schema]:
    number = {"type": "integer"}
    counts = shape.by_name(number)
    next_deal: dict[str, Schema] = {
        "button": number,
        "options": shape.options(),
        "carried": shape.carried_chips(),
        "match": shape.reference("FoundMatch"),
    }
    match: dict[str, Schema] = {
        "id": {"type": ["string", "null"]},
        "deal": number,
        "legs": counts | {"description": "Legs after this deal."},
        "earned": shape.names(),
        "lives": counts | {"description": "Lives after this deal."},
        "lost": shape.names(),
        "over": {"type": "boolean"},
        "winners": shape.names(),
        "next": shape.reference("NextDeal"),
    }
    return {
        "MatchDeal": shape.object_of(
            "What a deal leaves to its match.", match, "id", "deal", "over", "winners"
        ),
        "NextDeal": shape.object_of(
            "What the record of the next deal takes over.", next_deal, *next_deal
        ),
    }
