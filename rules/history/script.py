"""The deal of a game as a list of stages for the replay."""

from dataclasses import dataclass, replace
from functools import lru_cache

from rules.game.game import Game, Limit, Step
from rules.history.actions import mask_of

# stages that deal cards or change hands; a fold after the last of these stages is late
CARD_STAGES = frozenset(
    (
        "deal",
        "board",
        "draw",
        "discard",
        "buy",
        "pass",
        "turn",
        "roll",
        "earn",
        "set",
        "replace",
        "extra",
        "take",
        "swap",
        "swap hand",
        "hit",
        "push",
        "bid",
    )
)
NONE = Limit("none")
TABLE = Limit("table")


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a deal.

    `zones` contains the zone of each card that a player is dealt. `back` is the stage to return to
    while hands are left to be turned over or players take cards.
    """

    kind: str
    text: str
    zones: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    face_down: bool = False
    least: int = 0
    most: int = 0
    change: int = 0
    zone: str = ""
    word: str = ""  # who opens, a direction, or a price
    must: bool = False
    limit: Limit = TABLE
    round: int = -1  # the betting round, starting at 0
    ranks: frozenset[int] = frozenset()
    piles: tuple[tuple[str, int], ...] = ()
    # the board cards to take, or the board cards whose ranks are discarded
    table_slots: tuple[str, ...] = ()
    prices: tuple[int, ...] = ()
    cards: frozenset[int] = frozenset()  # cards that cost something or block a swap
    stands: int = 0  # how many times a player may stand before receiving no more cards
    back: int = -1
    bring_in: bool = False
    bar: str = ""  # the hand required to open
    forced: bool = False  # whether the opener must bet


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    game: Game
    stages: tuple[Stage, ...]
    last_cards: int  # index of the last stage that changes cards
    final_down: int  # maximum number of face-down cards of a player at the end
    deck: int  # bit mask of the cards
    bomb: bool  # whether all players post a big ante that replaces the first bet
    plain: bool  # whether the last remaining player takes the pot regardless of their cards


@lru_cache(maxsize=1024)
def script_of(game: Game) -> Script:
    """Return the stages of a game in order."""
    stages: list[Stage] = []
    round_ = 0
    bring_in = ""
    bomb = False  # true while skipping bets before the first board
    for step in game.steps:
        if step.verb == "bring-in":
            bring_in = step.word
        elif step.verb == "bet":
            if bomb:  # all players have posted a big ante, which replaces this bet
                bomb = False
                continue
            limit = step.limit or game.betting.limit(round_) or TABLE
            stages.append(
                Stage(
                    "bet",
                    step.text,
                    word=bring_in or step.word,
                    must=step.must,
                    limit=limit,
                    round=round_,
                    bring_in=bool(bring_in),
                    bar="" if bring_in or not step.word.endswith("-or-better") else step.word,
                    forced=step.must or bool(bring_in),
                )
            )
            round_, bring_in = round_ + 1, ""
        elif step.verb == "earn" and stages and stages[-1].kind == "roll":
            stages[-1] = replace(stages[-1], ranks=step.ranks)
        else:  # deals, exchanges and other steps; antes and blinds have no stage
            bomb = step.verb == "bomb" or (bomb and step.verb != "board")
            _add(game, stages, step)
    stages = _with_ways_back(stages)
    last = max((at for at, stage in enumerate(stages) if stage.kind in CARD_STAGES), default=-1)
    usual = PLAIN_STAGES.issuperset(stage.kind for stage in stages)
    return Script(
        game,
        tuple(stages),
        last,
        game.down.most,
        deck=mask_of(game.deck),
        bomb=any(step.verb == "bomb" for step in game.steps),
        plain=usual and not (game.must_show or game.bank or game.kill or game.turned is not None),
    )


PLAIN_STAGES = frozenset(("deal", "board", "bet", "draw"))


def _add(game: Game, stages: list[Stage], step: Step) -> None:
    """Append the stage of a step. Consecutive deals form one stage. Some steps have no stage."""
    if step.verb == "deal":
        zones = (step.zone,) * step.most
        if stages and stages[-1].kind == "deal":
            last = stages[-1]
            stages[-1] = replace(
                last,
                zones=last.zones + zones,
                text=last.text if last.text.endswith(step.text) else f"{last.text}, {step.text}",
            )
        else:
            stages.append(Stage("deal", step.text, zones=zones))
    elif step.verb == "push":  # one stage per card, because cards are offered one at a time
        one = Stage("push", step.text, zone=step.zone, word=step.word, prices=step.prices)
        stages += [one] * step.most
    elif step.verb in STAGES:
        piles: list[tuple[str, int]] = []
        if step.verb == "set":
            words = [part.split(" ") for part in step.word.split(", ")]
            piles = [(pile, int(number)) for pile, number in words]
        stages.append(
            Stage(
                STAGES[step.verb],
                step.text,
                slots=step.slots,
                face_down=step.face_down,
                least=step.least,
                most=step.most,
                change=step.change,
                zone=step.zone,
                word=step.word,
                ranks=step.ranks,
                piles=tuple(piles),
                table_slots=game.slots_at(step.place) if step.place else (),
                prices=step.prices,
                cards=step.cards,
                stands=step.stands,
            )
        )


STAGES = {
    "board": "board",
    "draw": "draw",
    "discard": "discard",
    "buy": "buy",
    "pass": "pass",
    "turn": "turn",
    "turn until": "roll",
    **{verb: verb for verb in ("earn", "extra", "hit", "take", "swap", "swap hand")},
    **{verb: verb for verb in ("toll", "bid")},
    "set": "set",
    "declare": "declare",
    "in-or-out": "in-or-out",
    "replace": "replace",
}


ROUNDS = frozenset(("roll", "hit"))


def _with_ways_back(stages: list[Stage]) -> list[Stage]:
    """Set the stage to which a loop returns.

    Turning cards repeats until one hand is left, and taking cards until all players stand. The
    betting round after such a stage leads back to it.
    """
    for at, stage in enumerate(stages):
        if stage.kind in ROUNDS:
            after = at + 1 if at + 1 < len(stages) and stages[at + 1].kind == "bet" else at
            stages[after] = replace(stages[after], back=at)
    return stages
