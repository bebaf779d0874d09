"""Random hands, played and exported with PokerKit, as examples of other tools' files."""

import random
import warnings
from dataclasses import dataclass
from random import Random
from typing import Any

from pokerkit import Automation, HandHistory, Mode

FIXED = frozenset(("FT", "FO/8", "F2L3D", "FB"))
STUD = frozenset(("F7S", "F7S/8", "FR"))
MOST = {"F7S": 7, "F7S/8": 7, "FR": 7, "N2L1D": 6, "F2L3D": 5, "FB": 6}
CODES = tuple(HandHistory.game_types)
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


@dataclass(frozen=True)
class Played:
    """A hand as PHH, and the final stacks according to PokerKit."""

    code: str
    text: str
    stacks: list[int]


def play(chance: Random, code: str) -> Played:
    """Play a random legal hand of the game with this PokerKit code."""
    random.seed(chance.random())  # PokerKit shuffles with Python's random generator
    with warnings.catch_warnings():
        # PokerKit warns about cards from the stub when the deck is empty
        warnings.simplefilter("ignore")
        game, stacks = _table(chance, code)
        state = game(stacks, len(stacks))
        while state.status:
            _act(chance, state, fixed=code in FIXED | STUD)
        history = HandHistory.from_game_state(
            game,
            state,
            compression_status=chance.random() < 0.7,
            ante_trimming_status=game.ante_trimming_status,
            finishing_stacks=list(state.stacks),
        )
        return Played(code, history.dumps(), list(state.stacks))


def _table(chance: Random, code: str) -> tuple[Any, list[int]]:
    count = chance.randint(2, MOST.get(code, 9))
    big = chance.choice((2, 4, 10, 100))
    most = chance.choice((3, 12, 60)) * big
    stacks = [chance.randint(big * 2, big * 2 + most) for _ in range(count)]
    antes, trims = _antes(chance, count, big, stud=code in STUD)
    settings: dict[str, Any] = {"ante_trimming_status": trims, "raw_antes": antes}
    if code in STUD:
        settings |= {"bring_in": big // 2, "small_bet": big, "big_bet": 2 * big}
    else:
        settings["raw_blinds_or_straddles"] = _blinds(chance, code, count, big)
        if code in FIXED:
            settings |= {"small_bet": big, "big_bet": 2 * big}
        else:
            settings["min_bet"] = big
    return HandHistory.game_types[code](AUTOMATIC, mode=Mode.CASH_GAME, **settings), stacks


def _antes(chance: Random, count: int, big: int, *, stud: bool) -> tuple[list[int], bool]:
    """Return no antes, an ante from each player, or an ante that the big blind posts for all."""
    kind = chance.random()
    trims = chance.random() < 0.5
    if kind < 0.4 and not stud:
        return [0] * count, trims
    if kind < 0.75 or stud:
        return [max(1, big // 4)] * count, trims
    antes = [0] * count
    antes[0 if count == 2 else 1] = big
    return antes, False


def _blinds(chance: Random, code: str, count: int, big: int) -> list[int]:
    if code == "NS":  # the button's blind
        return [0] * (count - 1) + [big] if count > 2 else [0, big]
    blinds = [big // 2, big]
    if count > 2 and chance.random() < 0.15:
        blinds.append(2 * big)
    return blinds + [0] * (count - len(blinds))


def _act(chance: Random, state: Any, *, fixed: bool) -> None:
    if state.can_deal_hole():
        state.deal_hole()
    elif state.can_deal_board():
        state.deal_board()
    elif state.can_stand_pat_or_discard():
        held = list(state.hole_cards[state.turn_index])
        thrown = chance.sample(held, chance.choice((0, 1, 1, 2, len(held) // 2)))
        state.stand_pat_or_discard(thrown)
    elif state.can_show_or_muck_hole_cards():
        state.show_or_muck_hole_cards(None if chance.random() < 0.2 else True)
    elif state.can_post_bring_in() and chance.random() < 0.7:
        state.post_bring_in()
    else:
        _bet(chance, state, fixed=fixed)


def _bet(chance: Random, state: Any, *, fixed: bool) -> None:
    kind = chance.random()
    if kind < 0.3 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        amount = chance.choice((least, most, chance.randint(least, most)))
        state.complete_bet_or_raise_to(least if fixed else amount)
    elif kind < 0.45 and state.checking_or_calling_amount and state.can_fold():
        state.fold()
    elif state.can_check_or_call():
        state.check_or_call()
    else:
        state.post_bring_in()
