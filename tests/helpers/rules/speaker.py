"""Describes records in one line with various wordings, independently of the parser."""

from collections.abc import Sequence
from random import Random
from typing import Any

Record = dict[str, Any]

RANKS = dict(
    zip(
        "23456789TJQKA",
        "two three four five six seven eight nine ten jack queen king ace".split(),
        strict=True,
    )
)
SUITS = {
    "s": ("spades", "\N{BLACK SPADE SUIT}"),
    "h": ("hearts", "\N{BLACK HEART SUIT}"),
    "d": ("diamonds", "\N{BLACK DIAMOND SUIT}"),
    "c": ("clubs", "\N{BLACK CLUB SUIT}"),
}
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int) -> str:
    """Return a number below a million in words."""
    if number >= 1000:
        head, rest = divmod(number, 1000)
        return f"{in_words(head)} thousand" + (f" {in_words(rest)}" if rest else "")
    if number >= 100:
        head, rest = divmod(number, 100)
        return f"{ONES[head]} hundred" + (f" and {in_words(rest)}" if rest else "")
    if number < 20:
        return ONES[number]
    return TENS[number // 10] + (f" {ONES[number % 10]}" if number % 10 else "")


class Speaker:
    """Describes records with random wordings."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def say(self, record: Record) -> str:
        """Describe the board, and each player's cards, state, declaration and chips."""
        players, pick = record["players"], self.chance.choice
        clauses = [self.board(record["board"])] if any(record.get("board", ())) else []
        paid = {player.get("paid", 0) for player in players}
        each = paid.pop() if len(paid) == 1 else None
        folded = [player for player in players if player == self._folded(player, each)]
        others = folded if pick((True, False)) and len(folded) < len(players) else []
        clauses += [self.player(player, each) for player in players if player not in others]
        self.chance.shuffle(clauses)
        if each is not None:
            clauses.insert(pick((0, len(clauses))), self.common_payment(each))
        if others:
            who = pick(("everyone else", "the rest", "the others"))
            clauses.insert(pick((0, len(clauses))), f"{who} {pick(('folds', 'folded', 'fold'))}")
        text = pick((", ", "; ", ". ", ",\n")).join(clauses)
        return pick((text, text[:1].upper() + text[1:], text + "."))

    @staticmethod
    def _folded(player: Record, each: int | None) -> Record:
        """Return a player who folded, without cards or chips."""
        chips = {"paid": each} if each is not None and "paid" in player else {}
        return {"name": player["name"], "folded": True, **chips}

    def board(self, rows: Sequence[Sequence[str]]) -> str:
        head = self.chance.choice(("board", "the board is", "Board:", "community cards"))
        return f"{head} {self.cards([card for row in rows for card in row])}"

    def player(self, player: Record, each: int | None = None) -> str:
        """Describe everything about a player."""
        pick, name = self.chance.choice, pick_case(self.chance, player["name"])
        parts = [self.zone(zone, player[zone]) for zone in ("down", "up") if player.get(zone)]
        parts += [self.cards(pile) for pile in player.get("piles", {}).values()]
        self.chance.shuffle(parts)
        if "piles" in player:
            parts = [self.cards(pile) for pile in player["piles"].values()]
        if player.get("declared"):
            parts.append(f"{pick(('declares ', 'goes ', ''))}{player['declared']}")
        chips = "" if each is not None else self.chips(player.get("paid", 0))
        if player.get("all_in"):
            parts.append(pick(("all in for ", "all-in ")) + chips if chips else "all in")
            chips = ""
        if player.get("folded"):
            parts.append(pick(("folds", "folded", "is out")))
        if player.get("mucked"):
            parts.append(pick(("mucks", "mucked")))
        if chips:
            parts.append(f"{pick(('put in', 'paid', 'in for', 'puts in'))} {chips}")
        if not parts:
            return self.payment_alone(name, player)
        link = pick((" ", " and ", " "))
        return f"{name}{pick((' ', ' has ', ': '))}{link.join(parts)}"

    def payment_alone(self, name: str, player: Record) -> str:
        return f"{name} put in {self.chips(player.get('paid', 0))}"

    def zone(self, zone: str, cards: Sequence[str]) -> str:
        heads = {"down": ("down", "in the hole", "face down"), "up": ("up", "showing", "face up")}
        return f"{self.chance.choice(heads[zone])} {self.cards(cards)}"

    def common_payment(self, chips: int) -> str:
        said = self.chips(chips)
        wordings = (f"{said} each", f"each {said}", f"everyone in for {said}", f"{said} apiece")
        return self.chance.choice(wordings)

    def chips(self, number: int) -> str:
        return self.chance.choice((str(number), f"{number:,}", in_words(number)))

    def cards(self, cards: Sequence[str]) -> str:
        """Describe cards in letters, symbols or words."""
        join = self.chance.choice(("", " ", " and ", " words "))
        if join == " words ":
            return self.chance.choice((" ", " and ")).join(self.card_in_words(c) for c in cards)
        if any("*" in card for card in cards):
            join = join or " "
        return join.join(self.card(card) for card in cards)

    def card(self, card: str) -> str:
        rank, suit = card[0], card[1]
        if rank == "*":
            return "joker"
        spelled = self.chance.choice((rank, "10" if rank == "T" else rank))
        return self.chance.choice(
            (spelled + suit, spelled + SUITS[suit][1], (spelled + suit).lower())
        )

    def card_in_words(self, card: str) -> str:
        if card[0] == "*":
            return self.chance.choice(("joker", "the joker"))
        suit, of = SUITS[card[1]][0], self.chance.choice(("of ", ""))
        return f"{RANKS[card[0]]} {of}{self.chance.choice((suit, suit[:-1]))}"


def pick_case(chance: Random, name: str) -> str:
    return chance.choice((name, name.capitalize(), name.upper()))
