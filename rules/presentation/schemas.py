"""The JSON schemas of a record, an answer and its reasons, generated from the reader's own tables.

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
from rules.presentation.schema_shapes import Schema
from rules.settlement.story.sentences import SENTENCES


def record_schemas() -> dict[str, Schema]:
    """Return the schemas of a record, of an answer and of their parts, keyed by name."""
    run_players = shape.a_list(shape.reference("RunPlayer"), MOST_PLAYERS, "Players dealt cards.")
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
            "What one run of a deal adds to the record.",
            RUN_KEYS,
            _record_shapes() | {"players": run_players},
        ),
        "RunPlayer": shape.object_with(
            "The cards and the declaration of a player in one run.",
            RUN_PLAYER_KEYS,
            _player_shapes(),
            required=("name",),
        ),
        "FoundMatch": shape.object_with(
            "The state of the match before the deal; see docs/record.md.", MATCH_KEYS, MATCH_SHAPES
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
