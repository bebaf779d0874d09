"""The JSON schemas of an answer and of its reasons (docs/record.md)."""

from rules.presentation import schema_shapes as shape
from rules.presentation.schema_shapes import Schema
from rules.settlement.story.sentences import SENTENCES


def answer_schemas() -> dict[str, Schema]:
    """Return the schemas of an answer and its parts, keyed by name."""
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
        "Answer": _answer(),
        **_pot_schemas(),
        "MatchDeal": shape.object_of(
            "The state of the match after a deal.", match, "id", "deal", "over", "winners"
        ),
        "NextDeal": shape.object_of(
            "What the record of the next deal takes from this one.", next_deal, *next_deal
        ),
        **reason_schemas(),
    }


def _answer() -> Schema:
    number, text = {"type": "integer"}, {"type": "string"}
    answer = {
        "variant": text,
        "paid": shape.by_name(shape.chips()),
        "returned": shape.by_name(shape.chips()) | {"description": "Uncalled chips."},
        "won": shape.by_name(shape.chips()) | {"description": "Chips by the rules, from all pots."},
        "net": shape.by_name(number) | {"description": "`won` + `returned` - `paid`."},
        "carry": shape.chips() | {"description": "Chips carried to the next hand."},
        "carries": shape.many(shape.reference("CarriedChips")),
        "pots": shape.many(shape.reference("Pot")),
        "findings": shape.many(shape.reference("Finding")),
    }
    further = {
        "hands": {
            "description": "What each player holds for each way; against a bank, puts and takes.",
            "type": "object",
            "additionalProperties": {
                "anyOf": [shape.reference("BankHand"), shape.reference("BestHands")]
            },
        },
        "story": shape.many(text) | {"description": "The reason for each share, in sentences."},
        "reasons": shape.many(shape.reference("Reason"))
        | {"description": "The sentences of the story as facts."},
        "match": shape.reference("MatchDeal"),
        "runs": shape.many(shape.reference("RunAnswer"))
        | {"description": "The parts of the answer by run, if the deal was run several times."},
    }
    return shape.object_of(
        (
            "Who wins what by the rules, and why. A brief answer "
            "lacks `hands`, `story` and `reasons`."
        ),
        {**answer, **further},
        *answer,
    )


def _pot_schemas() -> dict[str, Schema]:
    text = {"type": "string"}
    cards = {"type": "array", "items": shape.card()}
    share = {"way": text, "amount": shape.chips(), "winners": shape.by_name(shape.chips())}
    pot = {
        "amount": shape.chips(),
        "for": shape.names(),
        "shares": shape.many(shape.reference("PotShare")),
    }
    run = {
        "won": shape.by_name(shape.chips()),
        "carry": shape.chips(),
        "pots": shape.many(shape.reference("Pot")),
    }
    hands = {"hands": shape.by_name(shape.reference("BestHands"))}
    best = {"cards": cards, "plays_as": shape.by_name(shape.card()), "name": text}
    bank = {"put": shape.chips(), "take": shape.chips()}
    finding = {"code": text, "text": text, "player": text}
    return {
        "Pot": shape.object_of("A pot, and who can win it.", pot, *pot),
        "RunAnswer": shape.object_of("What one run of a deal decides.", run | hands, *run),
        "PotShare": shape.object_of("A share of a pot.", share, *share),
        "BestHand": shape.object_of("`plays_as`: what a wild card stands for.", best, *best),
        "BestHands": shape.by_name(shape.reference("BestHand"))
        | {"description": "What a player holds, by way."},
        "BankHand": shape.object_of("What the cards require of a player and give.", bank, *bank),
        "Finding": shape.object_of("What the table did differently.", finding, "code", "text"),
    }


def reason_schemas() -> dict[str, Schema]:
    """Return the schemas of a reason and its parts, keyed by name."""
    text, number = {"type": "string"}, {"type": "integer"}
    cards = {"type": "array", "items": shape.card()}
    lies: dict[str, Schema] = {"hand": cards, "board": cards, "row": number, "rows": number}
    lies["line"] = shape.reference("PlayedLine")
    lines = {"type": "string", "enum": ["row", "column", "diagonal", "line"]}
    line: dict[str, Schema] = {"kind": lines, "number": number, "of": number, "cards": cards}
    kickers: dict[str, Schema] = {"ranks": shape.many(text), "on_board": {"type": "boolean"}}
    best: dict[str, Schema] = {"players": shape.names(), "hand": shape.reference("MadeHand")}
    best["named"] = text | {"description": "For single cards: which were compared."}
    return {
        "Reason": _reason(),
        **_part_schemas(),
        "LyingCards": shape.object_of(
            "Where the cards of a hand are: in hand or on the board.", lies, "hand", "board"
        ),
        "PlayedLine": shape.object_of("A line across the board.", line, "kind", "cards"),
        "Kickers": shape.object_of("Ranks besides those that name a hand.", kickers, *kickers),
        "BestOfKind": shape.object_of("The best of its kind.", best, "players", "hand"),
    }


def _reason() -> Schema:
    text, number = {"type": "string"}, {"type": "integer"}
    reason: dict[str, Schema] = {
        "code": {"type": "string", "enum": list(SENTENCES)},
        "pots": shape.many(number)
        | {"description": "Indices in `pots`, because several had the same result."},
        "pot": shape.reference("TablePot"),
        "share": text | {"description": "A way; missing in a game with one share."},
        "amount": shape.chips(),
        "run": number | {"description": "The run of the deal, from 1."},
        "boards": shape.many({"type": "array", "items": shape.card()})
        | {"description": "The cards that each run deals to the board."},
        "player": text,
        "dealer": text | {"description": "Who deals the same game again."},
        "players": shape.names(),
        "winners": shape.by_name(shape.chips()),
        "hand": shape.reference("MadeHand"),
        "ahead_of": shape.reference("RivalHand"),
        "rival": shape.reference("RivalHand"),
        "decided_by": shape.reference("Decider"),
        "only": text | {"description": "Why there was no opponent."},
        "also": shape.many(shape.reference("MadeHand")),
        "table": shape.reference("MadeHand"),
        "over": shape.by_name({"type": "number"}) | {"description": "Points above `number`."},
        "kickers": shape.reference("Kickers"),
        "best": shape.many(shape.reference("BestOfKind")),
        "together": number,
        "returned": shape.by_name(shape.chips()),
        "broken": shape.reference("BrokenTie"),
        "odd": shape.reference("OddChips"),
        "why": text,
        "needed": shape.many(shape.reference("Bar")),
        "others": shape.names(),
        "keeps": shape.names() | {"description": "Ways that a player keeps after losing one."},
        "stays": shape.many(shape.reference("StayingChips")),
        "everybody": {"type": "boolean"},
        "out": shape.many(shape.reference("PlayerOut")),
        "number": number,
        "side": text,
        "card": shape.card(),
        "turned": {"type": "boolean"},
        "shown": shape.card(),
        "posts": shape.many(shape.card()),
        **{key: {"type": "string", "enum": ["high", "low"]} for key in ("called", "ace")},
        "pot_left": shape.chips(),
        **dict.fromkeys(("legs", "needed_legs", "lives"), number),
        **dict.fromkeys(("put", "take", "held"), shape.chips()),
    }
    return shape.object_of("A sentence of the story as facts.", reason, "code")


def _part_schemas() -> dict[str, Schema]:
    text, number = {"type": "string"}, {"type": "integer"}
    cards = {"type": "array", "items": shape.card()}
    rank = {"type": "string", "description": "As in cards."}
    decider: Schema = {
        "type": ["string", "null"],
        "description": "A rank or a card; null if there is none left.",
    }
    kinds = {"type": "string", "enum": ["only", "main", "side", "carried"]}
    pot: dict[str, Schema] = {"kind": kinds, "number": number, "count": number}
    made: dict[str, Schema] = {
        "scale": text,
        "category": text,
        "ranks": shape.many(rank),
        "deciding": cards,
        "points": {"type": "number"},
        "number": number | {"description": "For `nearest`: the number to reach."},
        "cards": cards,
        "plays_as": shape.by_name(shape.card()),
        "lies": shape.reference("LyingCards"),
    }
    hand = {"anyOf": [shape.reference("MadeHand"), {"type": "null"}]}
    rival: dict[str, Schema] = {"player": text, "hand": hand}
    broken: dict[str, Schema] = {
        "by": text,
        "players": shape.names(),
        "hand": hand,
        "ahead_of": shape.reference("RivalHand"),
        "decided_by": shape.reference("Decider"),
        "wild": shape.by_name(number),
    }
    decides = {"by": decider, "over": decider}
    odd: dict[str, Schema] = {"players": shape.names(), "by": text, "side": text}
    odd |= {"decided_by": shape.reference("Decider"), "then": shape.reference("OddChips")}
    bar: dict[str, Schema] = {"share": text, "scale": text, "category": text, "rank": rank}
    bar |= {"cards": number, "number": number}
    out: dict[str, Schema] = {"player": text, "why": text}
    stays: dict[str, Schema] = {"amount": shape.chips(), "for": shape.names()}
    return {
        "TablePot": shape.object_of("Which pot it is.", pot, "kind"),
        "MadeHand": shape.object_of("The value of a hand.", made, "scale", "cards"),
        "RivalHand": shape.object_of("The best hand that was beaten, or that won.", rival, *rival),
        "Decider": shape.object_of("The first rank or card that decides.", decides, *decides),
        "BrokenTie": shape.object_of("How a tie was broken.", broken, "by", "players"),
        "OddChips": shape.object_of("How odd chips are given, and why.", odd, "players", "by"),
        "Bar": shape.object_of("What a hand needs to qualify.", bar, "share", "scale"),
        "StayingChips": shape.object_of("Chips that stay, and for which players.", stays, *stays),
        "PlayerOut": shape.object_of("Why a player is out.", out, *out),
    }
