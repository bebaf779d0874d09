"""Random hands with their results, which are computed here and not by the service.

Results of declared hands follow docs/rulings.md 3 to 7.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from tests.helpers.rules.log_cards import DECK, RANKS, five, in_record, strength
from tests.simulation.beginning import NAMES

MOST_PAID = 40
STACK = 500  # at the start of a hand with all actions
Chips = dict[str, int]
SHARES = ("high", "low")
OPTIONS = {
    "low": ("best", "8-or-better"),
    "both_ways": ("outright", "unbeaten"),
    "lost_both": ("next-best", "winner-takes-all", "each-keeps", "redeal"),
}
# The house game whose players declare in turn. A round of betting follows.
IN_TURN = """\
name = "Declared in turn"
players = [2, 8]
deal = ["ante", "5 down", "bet", "declare in turn", "bet"]
hand = ["5 down"]
shares = ["high", "low: {low}"]
declare = "{declare}"
both_ways = "{both_ways}"
lost_both = "{lost_both}"

[options]
low = ["best", "8-or-better"]
declare = ["high-low", "cards-speak"]
both_ways = ["outright", "unbeaten"]
lost_both = ["next-best", "winner-takes-all", "each-keeps", "redeal"]
"""


@dataclass(frozen=True, kw_only=True)
class Declared:
    """The cards and declarations of the players who stayed, from the dealer's left, and the pot."""

    held: Mapping[str, Sequence[str]]
    declared: Mapping[str, str]
    pot: int
    options: Mapping[str, str]

    def won(self, **options: str) -> Counter[str]:
        """Return the chips won under these options. A pot without a winner is carried."""
        if len(self.held) == 1:
            return Counter(dict.fromkeys(self.held, self.pot))
        winners = [each for each in self._winners({**self.options, **options}) if each]
        chips: Counter[str] = Counter()
        for part, tied in zip(evenly(self.pot, winners), winners, strict=True):
            chips.update(dict(zip(tied, evenly(part, tied), strict=True)))
        return chips

    def _winners(self, options: Mapping[str, str]) -> list[list[str]]:
        """Return the winners of the high and of the low."""
        best = [self._best(share, options, self.held) for share in SHARES]
        if options.get("declare") == "cards-speak":
            return best
        outright = options["both_ways"] == "outright"
        out = {
            name
            for name in self.held
            if self.declared[name] == "both"
            for tied in best
            if name not in tied or (outright and len(tied) > 1)
        }
        rule = options["lost_both"]
        if not out or (rule == "each-keeps" and all(t and out.issuperset(t) for t in best)):
            return best
        left = [[name for name in tied if name not in out] for tied in best]
        if rule in {"winner-takes-all", "redeal"}:
            return left
        others = [name for name in self.held if name not in out]
        return [
            tied or self._best(share, options, others)
            for share, tied in zip(SHARES, left, strict=True)
        ]

    def _best(self, share: str, options: Mapping[str, str], names: Iterable[str]) -> list[str]:
        speaks = options.get("declare") == "cards-speak"
        going = [name for name in names if speaks or self.declared[name] in {share, "both"}]
        shown = {name: _value(self.held[name], share, options["low"]) for name in going}
        strengths = [each for each in shown.values() if each is not None]
        return [name for name in going if strengths and shown[name] == max(strengths)]


@dataclass(frozen=True, kw_only=True)
class Deal:
    """A hand's record and its result.

    `live` are the players who can win a carried pot, from the dealer's left. `seven_deuce` is the
    player who won with 7-2, if any. `cards` is None if nothing can be settled differently.
    """

    record: dict[str, Any]
    won: Chips
    net: Chips
    live: tuple[str, ...]
    carried: int = 0
    carry: int = 0
    is_bomb_pot: bool = False
    seven_deuce: str = ""
    cards: Declared | None = None

    @property
    def kind(self) -> str:
        """The kind of record and, with declarations, what happens to a player who lost one way."""
        if self.cards:
            order = " in turn" if "actions" in self.record else ""
            return f"declares{order}, {self.cards.options['lost_both']}"
        if self.is_bomb_pot:
            return "a bomb pot"
        return "7-2" if self.seven_deuce else "a hand"

    @property
    def winners(self) -> frozenset[str]:
        return frozenset(name for name, chips in self.won.items() if chips)

    def under(self, **options: str) -> "Deal":
        """Return the deal recorded under other options."""
        if self.cards is None:
            return self
        chosen = {**self.cards.options, **options}
        record = self.record | {"options": self.record["options"] | options}
        return self._settled(record, replace(self.cards, options=chosen))

    def _settled(self, record: dict[str, Any], cards: Declared) -> "Deal":
        won = cards.won()
        net = {name: chips - self.won[name] + won[name] for name, chips in self.net.items()}
        carry = cards.pot - sum(won.values())
        return replace(
            self, record=record, won={n: won[n] for n in net}, net=net, carry=carry, cards=cards
        )


def evenly(chips: int, among: Sequence[Any]) -> list[int]:
    """Divide chips evenly. The first parts get the odd chips."""
    return [chips // len(among) + (place < chips % len(among)) for place, _ in enumerate(among)]


def _value(cards: Sequence[str], share: str, low: str) -> tuple[Any, ...] | None:
    """Return a hand's value, which is higher if better, or None if it doesn't qualify."""
    if share == "high":
        return five(cards)
    ranks = Counter((RANKS.index(card[:-1]) + 1) % 13 for card in cards)  # aces are 0
    counts = sorted(ranks.values(), reverse=True)
    if low == "8-or-better" and (len(ranks) < 5 or max(ranks) > RANKS.index("8") + 1):
        return None
    order = sorted(ranks, key=lambda rank: (ranks[rank], rank), reverse=True)
    return tuple(-each for each in counts), tuple(-each for each in order)


def _dealt(
    record: dict[str, Any], paid: Mapping[str, int], won: Mapping[str, int], **more: Any
) -> Deal:
    record = {"button": len(paid) - 1, **record}
    if carried := more.get("carried", 0):
        record["carried"] = carried
    carry = sum(paid.values()) + carried - sum(won.values())
    return Deal(
        record=record,
        won={name: won.get(name, 0) for name in paid},
        net={name: won.get(name, 0) - chips for name, chips in paid.items()},
        carry=carry,
        **{"live": tuple(paid), **more},
    )


@dataclass
class Deals:
    """Creates random hands. The last player deals."""

    chance: Random
    house_game: str

    def any(self, carried: int = 0) -> Deal:
        """Return a hand of some of the players. `carried` are the chips that it starts with."""
        names = list(NAMES)
        if self.chance.random() < 0.2:
            names.remove(self.chance.choice(names))
        does = (self.result, self.run, self.seven_deuce, self.declared, self.in_turn)
        [deal] = self.chance.choices(does, (9, 3, 3, 4, 2))
        return deal(names, carried)

    def for_import(self) -> Deal:
        """Return a hand of all players of a game that the service knows."""
        return (self.run if self.chance.random() < 0.2 else self.result)(list(NAMES), 0)

    def result(self, names: Sequence[str], carried: int) -> Deal:
        """Return a hand recorded without cards, sometimes a bomb pot."""
        paid = {name: self.chance.randrange(MOST_PAID) for name in names}
        took: Counter[str] = Counter()
        rest = sum(paid.values()) + carried
        share = self.chance.randint(0, rest)
        took[self.chance.choice(names)] += share
        took[self.chance.choice(names)] += rest - share
        is_bomb_pot = self.chance.random() < 0.2
        record = {
            "variant": "bomb-pot-holdem" if is_bomb_pot else "texas-holdem",
            "depth": "result",
            "players": [{"name": name, "paid": paid[name]} for name in names],
            "took": {name: took[name] for name in names},
        }
        return _dealt(record, paid, took, carried=carried, is_bomb_pot=is_bomb_pot)

    def run(self, names: Sequence[str], carried: int) -> Deal:
        """Return an all-in that is run two to four times."""
        chips, deck = self.chance.randrange(1, MOST_PAID), self.chance.sample(DECK, len(DECK))
        held = {name: [deck.pop(), deck.pop()] for name in names}
        before = [deck.pop() for _ in range(self.chance.choice((0, 3, 4)))]
        number = self.chance.randint(2, 4)
        runs = [[deck.pop() for _ in range(5 - len(before))] for _ in range(number)]
        paid = dict.fromkeys(names, chips)
        won: Counter[str] = Counter()
        for part, cards in zip(evenly(sum(paid.values()) + carried, runs), runs, strict=True):
            won.update(_hold_em(held, [*before, *cards], part))
        players = [
            {"name": name, "paid": chips, "all_in": True, "down": in_record(held[name])}
            for name in names
        ]
        record = {"variant": "texas-holdem", "players": players}
        record["runs"] = [{"board": [in_record(cards)]} for cards in runs]
        record |= {"board": [in_record(before)]} if before else {}
        return _dealt(record, paid, won, carried=carried, seven_deuce=_with_7_2(held, won))

    def seven_deuce(self, names: Sequence[str], carried: int) -> Deal:
        """Return a hand of a player with 7-2, who usually wins it, or all others fold to."""
        chips, lucky = self.chance.randrange(1, MOST_PAID), self.chance.choice(names)
        own = [f"7{self.chance.choice('♣♦♥♠')}", f"2{self.chance.choice('♣♦♥♠')}"]
        deck = [card for card in self.chance.sample(DECK, len(DECK)) if card not in own]
        helped = [card for card in deck if card[0] in "72"][:2]
        deck = [card for card in deck if card not in helped]
        held = {name: own if name == lucky else [deck.pop(), deck.pop()] for name in names}
        board, paid = [*helped, *(deck.pop() for _ in range(3))], dict.fromkeys(names, chips)
        folds = self.chance.random() < 0.3
        live = {lucky: own} if folds else held
        won = _hold_em(live, board, chips * len(names) + carried)
        players = [
            {"name": name, "paid": chips}
            | ({"down": in_record(held[name])} if name in live else {"folded": True})
            for name in names
        ]
        record = {"variant": "texas-holdem", "players": players}
        record |= {} if folds else {"board": [in_record(board)]}
        seven_deuce, live_names = _with_7_2(held, won), tuple(n for n in names if n in live)
        return _dealt(record, paid, won, carried=carried, seven_deuce=seven_deuce, live=live_names)

    def declared(self, names: Sequence[str], carried: int) -> Deal:
        """Return a high-low hand with declarations. Sometimes a player folded."""
        chips, live = self.chance.randrange(1, MOST_PAID), list(names)
        if self.chance.random() < 0.2:
            live.remove(self.chance.choice(live))
        cards = self._cards(live, chips * len(names) + carried)
        players = [
            {"name": name, "paid": chips}
            | (_shown(cards, name) if name in live else {"folded": True})
            for name in names
        ]
        record = {
            "variant": "straight-declare",
            "options": {"cards": "5", "declare": "high-low", **cards.options},
            "players": players,
        }
        paid = dict.fromkeys(names, chips)
        return _dealt(record, paid, cards.won(), carried=carried, live=tuple(live), cards=cards)

    def in_turn(self, names: Sequence[str], _: int) -> Deal:
        """Return a hand with all its actions whose players declare in turn, and then bet."""
        hands = self._cards(names, 0)
        table = Table([*names], self.chance)
        actions = [f"d dh {table.seat(name)} {_joined(hands.held[name])}" for name in names]
        raiser = table.bet(actions)
        turns = table.from_seat(raiser or names[0])
        if self.chance.random() < 0.2:  # out of turn, which changes nothing
            turns = [*turns[1:], turns[0]]
        declared = {name: hands.declared[name] for name in turns}
        actions += [f"{table.seat(name)} declare {declared[name]}" for name in turns]
        if len(turns) > 1:
            table.bet(actions)
        held = {name: hands.held[name] for name in table.live}
        cards = replace(hands, held=held, declared=declared, pot=sum(table.paid.values()))
        record = {
            "variant": self.house_game,
            "options": dict(hands.options),
            "players": [{"name": name} for name in names],
            "stakes": {"ante": 1},
            "stacks": [STACK] * len(names),
            "actions": actions,
        }
        # All folds are after the last card, so all players can win a carried pot (ruling 14).
        return _dealt(record, table.paid, cards.won(), cards=cards)

    def _cards(self, names: Sequence[str], pot: int) -> Declared:
        """Return hands, some with the same ranks, and declarations, many of them both ways."""
        deck = self.chance.sample(DECK, len(DECK))
        held = {name: [deck.pop() for _ in range(5)] for name in names}
        if self.chance.random() < 0.5:
            suits = dict(zip("♣♦♥♠", "♦♥♠♣", strict=True))
            one, other = self.chance.sample(list(names), 2)
            same = [card[:-1] + suits[card[-1]] for card in held[one]]
            if not any(set(same) & set(held[name]) for name in names if name != other):
                held[other] = same
        return Declared(
            held=held,
            declared={n: self.chance.choice(("high", "low", "both", "both")) for n in names},
            pot=pot,
            options={name: self.chance.choice(words) for name, words in OPTIONS.items()},
        )


@dataclass
class Table:
    """The players left in a hand with all its actions, from the dealer's left, and their chips."""

    names: list[str]
    chance: Random
    live: list[str] = field(default_factory=list)
    paid: Chips = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.live, self.paid = [*self.names], dict.fromkeys(self.names, 1)

    def seat(self, name: str) -> str:
        return f"p{self.names.index(name) + 1}"

    def from_seat(self, name: str) -> list[str]:
        at = self.live.index(name)
        return self.live[at:] + self.live[:at]

    def bet(self, actions: list[str]) -> str:
        """Play a round in which at most one player bets. Return this player, or ""."""
        if self.chance.random() < 0.3:
            actions += [f"{self.seat(name)} cc" for name in self.live]
            return ""
        raiser, chips = self.chance.choice(self.live), self.chance.randrange(1, MOST_PAID)
        turns = self.from_seat(raiser)
        checks = self.live[: self.live.index(raiser)]
        actions += [f"{self.seat(name)} cc" for name in checks]
        actions.append(f"{self.seat(raiser)} cbr {chips}")
        self.paid[raiser] += chips
        callers = [name for name in turns[1:] if self.chance.random() < 0.8] or [turns[1]]
        for name in turns[1:]:
            calls = name in callers
            actions.append(f"{self.seat(name)} {'cc' if calls else 'f'}")
            self.paid[name] += chips if calls else 0
        self.live = [name for name in self.live if name in {raiser, *callers}]
        return raiser


def _hold_em(held: Mapping[str, Sequence[str]], board: Sequence[str], chips: int) -> Counter[str]:
    """Return the chips won. Odd chips go to the first tied players from the dealer's left."""
    strengths = {name: strength(cards, board) for name, cards in held.items()}
    best = [name for name in held if strengths[name] == max(strengths.values())]
    return Counter(dict(zip(best, evenly(chips, best), strict=True)))


def _with_7_2(held: Mapping[str, Sequence[str]], won: Mapping[str, int]) -> str:
    """Return the player who won the whole pot with 7-2, or ""."""
    winners = [name for name, chips in won.items() if chips]
    alone = len(winners) == 1 and sorted(card[:-1] for card in held[winners[0]]) == ["2", "7"]
    return winners[0] if alone else ""


def _shown(cards: Declared, name: str) -> dict[str, Any]:
    return {"down": in_record(cards.held[name]), "declared": cards.declared[name]}


def _joined(cards: Iterable[str]) -> str:
    return "".join(in_record(cards))
