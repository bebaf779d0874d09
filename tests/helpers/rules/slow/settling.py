"""Pots, shares, ties and odd chips, as specified in docs/record.md and docs/rulings.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from tests.helpers.rules.slow.against_pot import settled_in_turn
from tests.helpers.rules.slow.dues import banked, champions, due_of, keeps_pot, owed
from tests.helpers.rules.slow.hands import Strength
from tests.helpers.rules.slow.measures import (
    BADUGIS,
    hands,
    read_measure,
    read_shares,
    strength,
)
from tests.helpers.rules.slow.pots import Pot, divide, pots_of
from tests.helpers.rules.slow.reading import Game, Seat, UnsupportedWordError
from tests.helpers.rules.slow.runs import Part, left_before, pots_of_run, run_records

Record = Mapping[str, Any]
Chips = dict[str, int]


class Won(NamedTuple):
    """The winner of a share, and the index of the winning measure."""

    seats: list[str]
    measure: int = -1


def settled(document: Mapping[str, Any], record: Record) -> dict[str, Any]:
    """Return an answer's chips. Raises UnsupportedWordError for unsupported words."""
    game = Game(document, record.get("options", {}))
    if "bank dealer" in game.when("dues"):
        return banked(game, record)
    if any(text.startswith("against pot") for text in game.when("dues")):
        order = _from_dealer(game, record)
        return settled_in_turn(game.when("dues"), record, order)
    if "runs" in record:
        return _in_runs(document, record)
    return Settling(game, record).settled()


def _in_runs(document: Mapping[str, Any], record: Record) -> dict[str, Any]:
    """Return the sums of all runs, and the chips that each run gives out."""
    runs = run_records(record)
    before = left_before(Game(document, record.get("options", {})), record)
    settled_runs = [
        Settling(Game(document, run["options"]), run, Part(number, len(runs), before)).settled()
        for number, run in enumerate(runs)
    ]
    first = settled_runs[0]
    return {
        "won": {name: sum(run["won"][name] for run in settled_runs) for name in first["won"]},
        "paid": first["paid"],
        "returned": first["returned"],
        "carry": sum(run["carry"] for run in settled_runs),
        "again": any(run["again"] for run in settled_runs),
        "by run": [(run["won"], run["carry"]) for run in settled_runs],
    }


class Settling:
    """The state while one hand is being settled."""

    def __init__(self, game: Game, record: Record, part: Part | None = None) -> None:
        if record.get("depth"):
            raise UnsupportedWordError("depth")
        self.ended = game.ends_for_all(record)
        killed = game.killed(record)
        if self.ended:
            killed = set()
        players = (
            {**p, "folded": p["name"] in killed or p.get("folded")} for p in record["players"]
        )
        self.part = part
        self.game, self.record = game, {**record, "players": [*players]}
        self.live = [
            p["name"] for p in self.record["players"] if not (p.get("folded") or p.get("mucked"))
        ]
        self.order = _from_dealer(game, record)
        self.shares = read_shares(game)
        must = game.document.get("alone") == "must-qualify"
        self.shows = len(self.live) > 1 or bool(self.live and must)
        self.seats = {n: s for n, s in game.seats(self.record).items() if n in self.live}
        self.measured = self._measured() if self.shows and not self.ended else []
        self.rule = game.document.get("lost_both", "next-best")
        self.again = False  # whether the same dealer deals the game again

    def settled(self) -> dict[str, Any]:
        players = self.record["players"]
        names = [player["name"] for player in players]
        paid = {player["name"]: player.get("paid", 0) for player in players}
        pots, returned = (
            pots_of(self.record, self.live)
            if self.part is None
            else pots_of_run(self.record, self.part, self.live)
        )
        won, carry = dict.fromkeys(names, 0), 0
        # each pot before odd chips are distributed
        self.fair: list[tuple[Pot, dict[str, Fraction]]] = []
        winners: set[str] = set()
        over: list[str] = []
        moved: dict[str, Chips] = {}
        if keeps_pot(self.game) and not self.ended:
            whole = Pot(sum(pot.amount for pot in pots), tuple(self.live))
            chips, first = self._award(whole)
            winners = {name for name in chips if self.why != "split"}
            best = [name for name in names if name in (first if self.why == "contest" else winners)]
            told = self.live, best, [*winners], self._standings()
            over, moved = champions(self.game, self.record, *told)
            carry = 0 if over else whole.amount
            self.again = self.again and not over
            for name, part in self._among(over, whole.amount).items():
                won[name] += part
        else:
            for pot in pots:
                chips, _ = self._award(pot)
                winners |= {name for name, amount in chips.items() if amount}
                for name, amount in chips.items():
                    won[name] += amount
                carry += pot.amount - sum(chips.values())
        pot = sum(one.amount for one in pots)
        matched, given, paid_to = self._owed(winners, pot, over=bool(over))
        for name, chips in (*matched.items(), *given.items()):
            paid[name] += chips
        for name, part in self._among(paid_to if given else [], sum(given.values())).items():
            won[name] += part
        carry += sum(matched.values())
        return {
            "won": won,
            "paid": paid,
            "returned": returned,
            "carry": carry,
            "again": self.again,
            **moved,
        }

    def _owed(self, winners: set[str], pot: int, *, over: bool) -> tuple[Chips, Chips, list[str]]:
        """Return what losers match, what they pay, and who receives their payments."""
        table = any(measure.beating for share in self.shares for measure in share.measures)
        lost = [name for name in self.live if name not in winners] if winners or table else []
        lost = [] if self.ended else lost  # no hands were compared
        matching, paying = self._losers("match", lost), self._losers("pay", lost)
        matched = {} if over else owed(self.game, self.record, matching, pot, "match")
        paid_to = [name for name in winners if name not in paying]
        given = owed(self.game, self.record, paying, pot, "pay") if paid_to else {}
        return matched, given, paid_to

    def _losers(self, verb: str, lost: list[str]) -> list[str]:
        """Return the players who owe a due: they won nothing or, in some games, under half."""
        if "under half" not in due_of(self.game, verb):
            return lost
        return [] if self.ended else [name for name in self.live if not self._won_half(name)]

    def _won_half(self, name: str) -> bool:
        mine = [(pot.amount, fair[name]) for pot, fair in self.fair if name in fair]
        return 2 * sum(part for _, part in mine) >= sum(amount for amount, _ in mine)

    # --- hands ------------------------------------------------------------------------------------

    def _measured(self) -> list[list[dict[str, Strength | None]]]:
        strengths, before = [], None
        for share in self.shares:
            strengths.append(
                [
                    {
                        name: strength(self.game, seat, measure, share.name, before)
                        if self.game.cards_are(seat, share.condition)
                        else None
                        for name, seat in self.seats.items()
                    }
                    for measure in share.measures
                ]
            )
            before = share.measures[0] if share.measures else None
        return strengths

    def _standings(self) -> dict[str, tuple[int, Strength]]:
        """Return the players' ranks by the first share. An earlier measure beats a later one."""
        ranks = {}
        for name in self.live if self.measured else ():
            shown = [(-n, some[name]) for n, some in enumerate(self.measured[0]) if some[name]]
            ranks[name] = max(shown, default=(-99, ()))
        return ranks

    # --- one pot ----------------------------------------------------------------------------------

    def _award(self, pot: Pot) -> tuple[Chips, list[str]]:
        """Return a pot's chips by player name, and the winners of the first share."""
        self.why, self.lost_both = "alone", False
        fair: dict[str, Fraction] = dict.fromkeys(pot.seats, Fraction(0))
        self.fair.append((pot, fair))
        if self.ended or not pot.seats:
            return {}, []
        if len(pot.seats) == 1 and not (len(self.live) == 1 and self.shows):
            fair[pot.seats[0]] += pot.amount
            return {pot.seats[0]: pot.amount}, [*pot.seats]
        self.why = "contest"
        won = self._shares(pot.seats)
        paying = [winner for winner in won if winner.seats]
        if not paying:
            self.why = "split"
            again = self.lost_both and self.rule == "redeal"
            self.again |= again and pot.amount > 0
            split = self.game.document.get("unwon") == "split" and not again
            for name in pot.seats if split else ():
                fair[name] += Fraction(pot.amount, len(pot.seats))
            return (self._among(pot.seats, pot.amount) if split else {}), []
        for winner in paying:
            for name in winner.seats:
                fair[name] += Fraction(pot.amount, len(paying) * len(winner.seats))
        chips: Chips = {}
        for (index, winner), part in zip(
            ((n, winner) for n, winner in enumerate(won) if winner.seats),
            divide(pot.amount, len(paying)),
            strict=True,
        ):
            for name, amount in self._among(winner.seats, part, index, winner.measure).items():
                chips[name] = chips.get(name, 0) + amount
        return chips, won[0].seats

    def _shares(self, seats: Sequence[str]) -> list[Won]:
        """Return the winners of each share.

        With declarations, only players who declared it can win.
        """
        declared = {p["name"]: p.get("declared", "") for p in self.record["players"]}
        speaks = self.game.document.get("declare", "cards-speak") == "cards-speak"
        going = [
            [s for s in seats if speaks or declared[s] in {share.name, "both"}]
            for share in self.shares
        ]
        if not speaks:
            every = [self._best(n, group) for n, group in enumerate(going)]
            out = {
                s
                for s in seats
                if declared[s] == "both"
                for won in every
                if not self._holds(s, won)
            }
            self.lost_both = bool(out)
            holders = [set(won.seats) for won in every]
            if out and self.rule == "each-keeps" and all(held and held <= out for held in holders):
                return [self._untied(n, won, going[n]) for n, won in enumerate(every)]
            going = [[s for s in group if s not in out] for group in going]
            if out and self.rule in {"winner-takes-all", "redeal"}:
                # a player who did not hold the best hand of all can't inherit it
                going = [
                    [s for s in group if not held or s in held]
                    for group, held in zip(going, holders, strict=True)
                ]
                return [
                    Won([]) if held and not group else self._untied(n, self._best(n, group), group)
                    for n, (group, held) in enumerate(zip(going, holders, strict=True))
                ]
        winners: list[Won] = []
        for n, group in enumerate(going):
            if self.shares[n].neighbour:
                winners.append(Won(self._beside(winners[0].seats, seats, self.shares[n].neighbour)))
            else:
                winners.append(self._untied(n, self._best(n, group), group))
        return winners

    def _best(self, share: int, seats: Sequence[str]) -> Won:
        measures = self.measured[share]
        together = self.shares[share].together
        if together > 1:
            every = [_highest(one, seats) for one in measures[:together]]
            both = [seat for seat in seats if all(seat in some for some in every)]
            if both:
                return Won(both, 0)
            measures = measures[together:]
        for n, strengths in enumerate(measures):
            if won := _highest(strengths, seats):
                return Won(won, n + (together if together > 1 else 0))
        return Won([])

    def _holds(self, seat: str, won: Won) -> bool:
        """Return whether a player who declared both ways won this share. Some games allow ties."""
        if self.game.document.get("both_ways", "outright") == "outright":
            return won.seats == [seat]
        return seat in won.seats

    @staticmethod
    def _beside(winners: Sequence[str], seats: Sequence[str], side: str) -> list[str]:
        step = 1 if side == "left" else -1
        return [*dict.fromkeys(seats[(seats.index(n) + step) % len(seats)] for n in winners)]

    # --- ties -------------------------------------------------------------------------------------

    def _untied(self, share: int, won: Won, contesting: Sequence[str]) -> Won:
        ties = self.game.document.get("ties", "split")
        if ties == "first" and len(won.seats) > 1:
            return Won([min(won.seats, key=self.order.index)], won.measure)
        if ties in {"suit", "natural"} and len(won.seats) > 1:
            standing = {
                name: self._cards_of(share, won.measure, name)
                if ties == "suit"
                else [-self._wild_of(share, won.measure, name)]
                for name in won.seats
            }
            best = max(standing.values())
            return Won([name for name in won.seats if standing[name] == best], won.measure)
        if ties.startswith("deal") and len(won.seats) != 1:
            return Won(self._by_rounds(won.seats or [*contesting]), won.measure)
        return won

    def _by_rounds(self, left: list[str]) -> list[str]:
        parts = self.game.document["ties"].partition(":")[2].split(" else ")
        plain = Game({k: v for k, v in self.game.document.items() if k in PLAIN}, {})
        for dealt in self.record.get("tiebreaks", ()):
            if len(left) < 2:
                break
            seats = {name: Seat({"down": dealt[name], "up": []}, {}) for name in left}
            for part in parts:
                measure = replace(read_measure(part.strip()), patterns=("all down",))
                shown = {name: strength(plain, seat, measure, "") for name, seat in seats.items()}
                if best := _highest(shown, left):
                    left = best
                    break
        return left

    def _equal(self, share: int, measure: int, name: str) -> list[tuple[tuple[str, ...], int]]:
        """Return the player's hands that tie with the given hand, with their wild cards."""
        one = self.shares[share].measures[measure]
        if one.scale in BADUGIS or any("unused" in p.split() for p in one.patterns):
            raise UnsupportedWordError("which cards of several")
        wanted = self.measured[share][measure][name]
        equal = []
        for wilds in self.game.wilds(self.seats[name], self.shares[share].name):
            for value, hand in hands(self.game, self.seats[name], one, wilds):
                if value == wanted:
                    wild = sum(card in wilds[0] | wilds[1] for card in hand)
                    played = self._played(hand, value) if one.scale == "high" else [hand]
                    equal += [(some, wild) for some in played]
        return equal

    def _played(self, hand: tuple[str, ...], value: Strength) -> list[tuple[str, ...]]:
        """Return the smallest part of a six- or seven-card hand that has the same strength."""
        for size in range(5, len(hand)):
            cards_played = [
                few for few in combinations(hand, size) if self.game.ranking.longest(few) == value
            ]
            if cards_played:
                return cards_played
        return [hand]

    def _cards_of(self, share: int, measure: int, name: str) -> list[int]:
        equal = self._equal(share, measure, name)
        return max(sorted((self.game.single(c) for c in hand), reverse=True) for hand, _ in equal)

    def _own_cards_of(self, share: int, measure: int, name: str) -> list[int]:
        """Return all cards the player holds, the best one for an odd chip first."""
        player = next(each for each in self.record["players"] if each["name"] == name)
        piles = [card for pile in player.get("piles", {}).values() for card in pile]
        held = [*player.get("down", ()), *player.get("up", ()), *piles]
        shared = [p["card"] for p in self.record.get("shared", ()) if name in p["for"]]
        cards = [card for card in (*held, *shared) if card[0] not in "*?"]
        scale = self.shares[share].measures[measure].scale
        if scale not in {"best", "worst", "ace-to-six", "badugi", "badugi-ace-high"}:
            return sorted((self.game.single(card) for card in cards), reverse=True)
        aces_low = scale not in {"worst", "badugi-ace-high"}
        low = [self.game.single(c) - (52 if aces_low and c[0] == "A" else 0) for c in cards]
        return [-rank for rank in sorted(low)]

    def _wild_of(self, share: int, measure: int, name: str) -> int:
        return min(count for _, count in self._equal(share, measure, name))

    # --- chips ------------------------------------------------------------------------------------

    def _among(
        self, names: Sequence[str], amount: int, share: int = -1, measure: int = -1
    ) -> Chips:
        """Split chips. Odd chips go to the dealer's left or to the highest card."""
        ordered = sorted(names, key=self.order.index)
        by = self.record.get("options", {}).get("odd_chip", "seat")
        if by != "seat" and measure >= 0 and len(ordered) > 1:
            of = self._cards_of if by == "high card" else self._own_cards_of
            cards = {name: of(share, measure, name) for name in ordered}
            ordered.sort(key=lambda name: cards[name], reverse=True)
        return dict(zip(ordered, divide(amount, len(ordered)), strict=True))


PLAIN = ("deck", "order", "straights", "points", "top")


def _highest(strengths: Mapping[str, Strength | None], seats: Sequence[str]) -> list[str]:
    shown = {name: strengths[name] for name in seats if strengths[name] is not None}
    best = max((value for value in shown.values() if value is not None), default=None)
    return [name for name, value in shown.items() if value == best]


def _from_dealer(game: Game, record: Record) -> list[str]:
    names = [player["name"] for player in record["players"]]
    step = -1 if game.document.get("direction") == "counter-clockwise" else 1
    at = record["button"]
    return [names[(at + step * n) % len(names)] for n in range(1, len(names) + 1)]
