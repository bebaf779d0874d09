"""Generate plausible random hands from a game's form, for the demo and for authors of games.

The code does not contain the rules of any game. The form describes each player's final cards.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Any

from league.hands.validation import answer_to
from rules.presentation import form as presentation_form

Record = dict[str, Any]
Form = Mapping[str, Any]
Answer = Mapping[str, Any]

ANTE = 1
BETS = (3, 4, 5, 5, 7, 7, 9, 11, 15, 21, 31)

# The samples that show a game's author how the game works.
NAMES = ("Ann", "Bob", "Cat", "Dan")
DEALS = 3
STACK = 100
MOST_TRIES = 40
MOST_SECONDS = 1.0  # time limit per hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The players' stacks in seat order. `carried` contains the pots left by the last hand."""

    stacks: Mapping[str, int]
    button: int
    carried: tuple[Mapping[str, Any], ...]
    chance: Random


def make_up(
    table: Table, variant: str | Mapping[str, Any], modifiers: tuple[str, ...] = ()
) -> Record:
    """Return a random record of a hand at this table. The rules rarely reject such a record."""
    offered = _form(variant, modifiers, {})["options"]
    options = {each["name"]: _any(each, table.chance) for each in offered if each["asked"]}
    choices = [each for each in offered if "choices" in each and each["name"] != "odd_chip"]
    if choices and table.chance.random() >= 0.6:
        option = table.chance.choice(choices)
        options[option["name"]] = _any(option, table.chance)
    form = _form(variant, modifiers, options)
    record: Record = {"variant": variant, "button": table.button}
    if modifiers:
        record["modifiers"] = list(modifiers)
    if options:
        record["options"] = options
    if table.carried:
        record["carried"] = [dict(each) for each in table.carried]
    record["players"] = _players(form, table)
    deck = _shuffled(form, table.chance)
    for place, player in enumerate(record["players"]):  # folded players show no cards
        if not player.get("folded") and not (form["bank"] and place == table.button):
            player.update(_own(form, deck, table.chance))
    if board := [_draw_cards(deck, len(row["slots"])) for row in form["board"]]:
        record["board"] = board
    return record


def make_up_briefly(
    table: Table, variant: str | Mapping[str, Any], modifiers: tuple[str, ...] = ()
) -> Record | None:
    """Return a random hand with chips but no cards, or None if the game has a bank."""
    form = _form(variant, modifiers, {})
    if form["bank"]:
        return None
    record: Record = {"variant": variant, "button": table.button}
    if modifiers:
        record["modifiers"] = list(modifiers)
    record["players"] = _players(form, table)
    stays = [each["name"] for each in record["players"] if not each.get("folded")]
    return without_cards(record, table.chance.choice(stays))


def play_out(record: Record, chance: Random, judge: Callable[[Record], Answer]) -> Answer:
    """Turn cards and break ties until the hand is complete, and return the answer."""
    while True:
        answer = judge(record)
        if "tie-not-broken" in codes(answer):
            record["tiebreaks"] = [tiebreak(record, chance)]
            continue
        findings = answer.get("findings", ())
        behind = [each["player"] for each in findings if each["code"] == "did-not-beat"]
        if not any(turn(record, name) for name in behind):
            return answer


def codes(answer: Answer) -> set[str]:
    return {each["code"] for each in answer.get("findings", ())}


def turn(record: Record, name: str) -> bool:
    """Turn this player's next card, if there is one."""
    player = next(each for each in record["players"] if each["name"] == name)
    if player.get("down"):
        player["up"] = [*player.get("up", ()), player["down"].pop(0)]
        return True
    return False


def tiebreak(record: Record, chance: Random) -> dict[str, list[str]]:
    """Return five cards for each remaining player, dealt from a newly shuffled deck."""
    form = _form(record["variant"], tuple(record.get("modifiers", ())), {})
    deck = _shuffled(form, chance)
    return {
        each["name"]: _draw_cards(deck, 5) for each in record["players"] if not each.get("folded")
    }


def without_cards(record: Record, winner: str) -> Record:
    """Return the same hand as a brief record without cards."""
    brief = {key: record[key] for key in ("variant", "modifiers", "button") if key in record}
    players = [{"name": each["name"], "paid": each.get("paid", 0)} for each in record["players"]]
    took = {winner: sum(each["paid"] for each in players)}
    return brief | {"depth": "result", "players": players, "took": took}


def _form(
    variant: str | Mapping[str, Any], modifiers: tuple[str, ...], options: Mapping[str, Any]
) -> Form:
    """Return the game's form. Forms of catalog games are cached."""
    if isinstance(variant, str):
        return _listed_form(variant, modifiers, tuple(options.items()))
    return presentation_form.form(variant, modifiers, options)


@lru_cache(maxsize=512)
def _listed_form(
    slug: str, modifiers: tuple[str, ...], options: tuple[tuple[str, Any], ...]
) -> Form:
    return presentation_form.form(slug, modifiers, dict(options))


def _any(option: Form, chance: Random) -> str | int:
    if "choices" not in option:
        return chance.randint(option["least"], option["most"])
    choice: str = chance.choice(option["choices"])["name"]
    return choice


def _players(form: Form, table: Table) -> list[Record]:
    """Return the players with their payments. Usually two or three do not fold.

    If a pot is carried, only players who can win it stay.
    """
    if form["bank"]:
        return [{"name": name} for name in table.stacks]
    bet = table.chance.choice((*BETS, max(table.stacks.values())))
    entitled = {name for each in table.carried for name in each["for"]}
    eager = [name for name in table.stacks if name in entitled or not entitled]
    count = table.chance.choices((1, 2, 3, 4), weights=(2, 9, 6, 2))[0]
    stays = set(table.chance.sample(eager, min(count, len(eager))))
    players: list[Record] = []
    for name, stack in table.stacks.items():
        if name not in stays:
            paid = min(stack, table.chance.choice((ANTE, ANTE, bet // 2)))
            players.append({"name": name, "paid": paid, "folded": True})
        elif stack <= bet:
            players.append({"name": name, "paid": stack, "all_in": True})
        else:
            players.append({"name": name, "paid": bet})
    return players


def _own(form: Form, deck: list[str], chance: Random) -> Record:
    """Return a player's cards and declaration, without empty fields."""
    if form["unturned"]:
        return {"up": _draw_cards(deck, 1), "down": _draw_cards(deck, form["dealt"] - 1)}
    up = chance.randint(form["up"]["least"], form["up"]["most"])
    down = chance.randint(form["down"]["least"], form["down"]["most"])
    cards = {"down": _draw_cards(deck, down), "up": _draw_cards(deck, up)}
    if form["declarations"]:
        cards["declared"] = chance.choice(form["declarations"])
    return {key: value for key, value in cards.items() if value}


def _shuffled(form: Form, chance: Random) -> list[str]:
    deck = list(form["deck"])
    chance.shuffle(deck)
    return deck


def _draw_cards(deck: list[str], count: int) -> list[str]:
    return [deck.pop() for _ in range(min(count, len(deck)))]


def sample_deals(
    document: dict[str, Any], *, names: Sequence[str] = NAMES, seed: int = 1
) -> list[tuple[Record, Answer]]:
    """Return three hands of the game with their answers, or fewer if no valid hand is found.

    The same seed gives the same hands.
    """
    least, most = document.get("players", (2, 8))
    fit = [*names, *NAMES, *(f"Player {number}" for number in range(1, least + 1))]
    table = list(dict.fromkeys(fit))[: max(least, min(most, len(NAMES)))]
    chance = Random(seed)  # noqa: S311 (not used for security)
    hands = (_legal(document, table, button, chance) for button in range(DEALS))
    return [hand for hand in hands if hand]


def _legal(
    document: dict[str, Any], names: Sequence[str], button: int, chance: Random
) -> tuple[Record, Answer] | None:
    """Return a valid hand, preferably without findings, or None."""
    odd = None
    ends = monotonic() + MOST_SECONDS
    table = Table(
        stacks=dict.fromkeys(names, STACK),
        button=button % len(names),
        carried=(),
        chance=chance,
    )
    for record in (make_up(table, document) for _ in range(MOST_TRIES)):
        if monotonic() > ends:  # a few tries are enough for slow games
            break
        answer = play_out(record, chance, answer_to)
        if "errors" not in answer and not codes(answer):
            return record, answer
        odd = odd or ((record, answer) if "errors" not in answer else None)
    return odd
