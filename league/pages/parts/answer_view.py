"""View models for a verdict: the winners, their cards and the reasons."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.hands.chip_movements import chip_totals, debts
from league.hands.pictures import as_made
from league.hands.revisions import record_at_the_end
from league.models import ConflictingRecord, Revision
from league.pages.parts.numbers import points
from rules.api import run_records
from rules.documents.catalog import traits_of

# Cards for display, with their names for screen readers.

SUITS = {"s": "spade", "h": "heart", "c": "club", "d": "diamond"}
SUIT_NAMES: dict[str, Promise] = {
    "spade": gettext_lazy("spades"),
    "heart": gettext_lazy("hearts"),
    "club": gettext_lazy("clubs"),
    "diamond": gettext_lazy("diamonds"),
}
# Display names of the card zones.
ZONES: dict[str, Promise] = {
    "down": gettext_lazy("hole cards"),
    "up": gettext_lazy("face-up cards"),
    "out": gettext_lazy("discarded"),
    "shared": gettext_lazy("shared"),
    "tie": gettext_lazy("tie-break"),
}
RANK_NAMES: dict[str, Promise] = {
    "A": gettext_lazy("ace"),
    "K": gettext_lazy("king"),
    "Q": gettext_lazy("queen"),
    "J": gettext_lazy("jack"),
    "T": gettext_lazy("ten"),
    "9": gettext_lazy("nine"),
    "8": gettext_lazy("eight"),
    "7": gettext_lazy("seven"),
    "6": gettext_lazy("six"),
    "5": gettext_lazy("five"),
    "4": gettext_lazy("four"),
    "3": gettext_lazy("three"),
    "2": gettext_lazy("two"),
}


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card for display. `suit` is its icon or "" for an unseen card. Winning cards are `lit`."""

    rank: str
    suit: str
    name: str
    lit: bool = False
    plays_as: "CardFace | None" = None


def proper(card: str) -> str:
    """Return the card in standard notation: "10h", "th" and "TH" become "Th"."""
    card = f"T{card[2:]}" if card.startswith("10") else card
    return card[:1].upper() + card[1:].lower()


def face(card: str, *, lit: bool = False, plays_as: str = "") -> CardFace:
    """Return the face of a card in record notation. "*1" is a joker, and "??" is an unseen card."""
    card = proper(card)
    stands_for = face(plays_as) if plays_as and proper(plays_as) != card else None
    rank, suit = card[:1], SUITS.get(card[1:])
    if rank == "*":
        name, shown, suit = _("joker %(number)s") % {"number": card[1:]}, "", "joker"
    elif suit is None or rank not in RANK_NAMES:
        return CardFace("?", "", _("unknown card"))
    else:
        name = _("%(rank)s of %(suit)s") % {"rank": RANK_NAMES[rank], "suit": SUIT_NAMES[suit]}
        shown = "10" if rank == "T" else rank
    if stands_for:
        name = _("%(card)s, playing as %(other)s") % {"card": name, "other": stands_for.name}
    return CardFace(shown, suit, name, lit, stands_for)


def faces(
    cards: Iterable[str], *, lit: Collection[str] = (), plays_as: Mapping[str, str] | None = None
) -> list[CardFace]:
    """Return the faces of the cards.

    `lit` and `plays_as` contain cards in the notation of `proper`.
    """
    stand = plays_as or {}
    return [face(c, lit=proper(c) in lit, plays_as=stand.get(proper(c), "")) for c in cards]


Record = Mapping[str, Any]
Answer = Mapping[str, Any]
Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that competed for a share. A hand in Put and Take has only a name."""

    way: str
    name: str
    cards: list[CardFace]


@dataclass(frozen=True, slots=True)
class Winner:
    name: str
    chips: int
    played: Played | None


@dataclass(frozen=True, slots=True)
class Share:
    way: str
    amount: int
    winners: list[Winner]


@dataclass(frozen=True, slots=True)
class Pot:
    title: str
    amount: int
    names: list[str]
    shares: list[Share]


@dataclass(frozen=True, slots=True)
class Shown:
    """A player's cards, and the hands made from them. Cards that won a share are lit.

    `note` says why there is no hand.
    """

    name: str
    declared: str
    zones: list[tuple[str, list[CardFace]]]
    played: list[Played]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    name: str
    paid: int
    won: int
    returned: int
    net: int


@dataclass(frozen=True, slots=True)
class Debt:
    """Chips that the table paid to the wrong player. An empty name means the carried pot."""

    payer: str
    payee: str
    chips: int


@dataclass(frozen=True, slots=True)
class VerdictView:
    """All data that a page shows about a settled hand."""

    headline: str
    pots: list[Pot] = field(default_factory=list)
    board: list[list[CardFace]] = field(default_factory=list)
    # the whole board of each run, if the deal was run several times
    runs: list[list[list[CardFace]]] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    story: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    debts: list[Debt] = field(default_factory=list)
    # what the table paid, if it differs from the rules: "Bob 20 and Cat 5"
    table_paid: str = ""
    short: list[str] = field(default_factory=list)  # players who are not all in and paid too little
    pot: int = 0  # without the chips that losers put in for the next hand
    carry: int = 0

    @property
    def owed(self) -> int:
        """The chips of all debts."""
        return sum(debt.chips for debt in self.debts)


def view_of(row: Revision | ConflictingRecord) -> VerdictView:
    """Return the view of a recorded hand, or of another record of it."""
    return view(record_at_the_end(row), row.answer, lambda: row.document.document)


def view(record: Record, answer: Answer, document: Callable[[], Document]) -> VerdictView:
    """Return the view of a record and its answer without errors. `document` loads the rules."""
    lit = _lit(answer)
    owed: list[Debt] = []
    runs: list[list[list[CardFace]]] = []
    if record.get("took"):  # the table's payments, which may differ from the rules
        chips = chip_totals(record, answer)
        owed = [Debt(*each) for each in debts(chips.owed | {"": chips.owed_carry})]
    pots: list[Pot] = []
    if "runs" in answer:
        boards = [run.get("board", []) for run in run_records(record)]
        if any(boards):
            lit_in_runs = [_lit(run) for run in answer["runs"]]
            runs = [
                [faces(row, lit=cards) for row in rows]
                for rows, cards in zip(boards, lit_in_runs, strict=True)
            ]
        for number, run in enumerate(answer["runs"], start=1):
            run_title, several = _("Run %(number)s") % {"number": number}, len(run["pots"]) > 1
            for pot in _pots({**answer, **run}, number):
                title = f"{run_title} · {pot.title}" if several else run_title
                pots.append(replace(pot, title=title))
    else:
        pots.extend(_pots(answer))
    # The debts already show how many chips each player should have according to the rules.
    findings = [
        finding
        for finding in answer.get("findings", ())
        if not (owed and finding["code"] == "took-differs")
    ]
    paid, won, returned = answer["paid"], answer["won"], answer["returned"]
    won_or_carried = sum(won.values()) + answer["carry"]
    return VerdictView(
        headline=headline(answer),
        pots=pots,
        board=[faces(row, lit=lit) for row in record.get("board", ())],
        runs=runs,
        shown=list(_shown(record, answer, document)),
        moved=[
            Moved(name, paid[name], won[name], returned[name], net)
            for name, net in answer["net"].items()
        ],
        story=story_of(answer, document),
        findings=[finding["text"] for finding in findings],
        debts=owed,
        table_paid=paid_to(record["took"]) if owed else "",
        short=[finding["player"] for finding in findings if finding["code"] == "stake-short"],
        pot=sum(pot["amount"] for pot in answer["pots"]) if answer["pots"] else won_or_carried,
        carry=answer["carry"],
    )


def paid_to(took: Mapping[str, int]) -> str:
    """List the players who took chips from the pot: "Bob 20 and Cat 5"."""
    return get_text_list([f"{name} {chips:,}" for name, chips in took.items() if chips], _("and"))


def story_of(answer: Answer, document: Callable[[], Document]) -> list[str]:
    """Return the answer's sentences. Players who declared that they are out did not fold."""
    story = list(answer.get("story", ()))
    for at, reason in enumerate(answer.get("reasons", ())):
        out = reason["out"] if reason["code"] == "last-left" else []
        if {each["why"] for each in out} == {"folded"} and traits_of(document()).in_or_out:
            several, name = len(out) > 1, out[0]["player"]
            folded = "Everyone else folded" if several else f"{name} folded"
            is_out = _("%(name)s is out") % {"name": name}
            out_of_hand = _("Everyone else is out") if several else is_out
            story[at] = story[at].replace(folded, out_of_hand, 1)
    return story


def headline(answer: Answer) -> str:
    """Return the result in one line: winners with amounts, or results against the bank."""
    hands = answer.get("hands", {}).values()
    # With a bank, the cards determine payments directly, without a pot to win.
    is_banked = any(isinstance(chips, int) for hand in hands for chips in hand.values())
    parts = []
    chips_by_name: Mapping[str, int] = answer["net" if is_banked else "won"]
    for name, chips in sorted(chips_by_name.items(), key=lambda each: -each[1]):
        if chips:
            text = _("%(name)s wins %(chips)s") if chips > 0 else _("%(name)s loses %(chips)s")
            parts.append(text % {"name": name, "chips": f"{abs(chips):,}"})
    if answer["carry"]:
        parts.append(_("%(chips)s carried over") % {"chips": f"{answer['carry']:,}"})
    none = _("No chips changed hands") if is_banked else _("No chips in the pot")
    return ", ".join(parts) or none


def won_with(answer: Answer) -> list[str]:
    """Return the names of the hands that won a pot or a share at a showdown, in any run.

    The hands are in the order of their players, who are sorted by their results.
    """
    order = sorted(answer["net"], key=lambda name: -answer["net"][name])
    named: dict[str, int] = {}
    for run in answer.get("runs") or [answer]:
        for pot in run["pots"]:
            shares = pot["shares"] if len(pot["for"]) > 1 else ()
            for share in shares:
                way = f" ({share['way']})" if len(shares) > 1 else ""
                for name, chips in share["winners"].items():
                    hand = run.get("hands", {}).get(name, {}).get(share["way"])
                    if chips and isinstance(hand, dict) and hand["name"]:
                        label = f"{hand['name']}{way}"
                        place = order.index(name)
                        named[label] = min(place, named.get(label, place))
    return [points(label) for label in sorted(named, key=lambda label: named[label])]


def _pots(answer: Answer, run: int | None = None) -> Iterator[Pot]:
    """Yield the pots, of a run if there are several. Consecutive ones with the same winners merge.

    Carried pots are last, and those with the same outcome are merged.
    """
    pots, reasons = answer["pots"], answer.get("reasons", ())
    carried: dict[tuple[int, ...], None] = dict.fromkeys(
        tuple(reason["pots"])
        for reason in reasons
        if reason.get("run") == run and reason.get("pot", {}).get("kind") == "carried"
    )
    made = [
        place for place in range(len(pots)) if place not in {at for row in carried for at in row}
    ]

    def won_by(place: int) -> object:
        shares = [(share["way"], frozenset(share["winners"])) for share in pots[place]["shares"]]
        return shares if any(names for _way, names in shares) else place

    for _winners, group in groupby(made, key=won_by):
        places = list(group)
        first, last = places[0], places[-1]
        if (first, last) == (0, len(made) - 1):
            title = _("All pots") if last else _("Pot")
        elif not last:
            title = _("Main pot")
        elif not first and last == 1:
            title = _("Main pot and side pot 1")
        elif not first:
            title = _("Main pot and side pots 1–%(last)s")
        elif first == last:
            title = _("Side pot %(last)s")
        else:
            title = _("Side pots %(first)s–%(last)s")
        yield _pot(title % {"first": first, "last": last}, places, answer)
    for merged in carried:
        title = ngettext("Carried pot", "%(count)s carried pots", len(merged))
        yield _pot(title % {"count": len(merged)}, merged, answer)


def _pot(title: str, places: Sequence[int], answer: Answer) -> Pot:
    """Return one pot that combines these pots, which differ only in their chips."""
    pots = [answer["pots"][place] for place in places]
    shares = []
    for alike in zip(*(pot["shares"] for pot in pots), strict=True):
        way, amount = alike[0]["way"], sum(share["amount"] for share in alike)
        won: Counter[str] = Counter()
        for share in alike:
            won.update(share["winners"])
        if not amount:
            continue
        winners = []
        for name, chips in won.items():
            hand, played = answer.get("hands", {}).get(name, {}).get(way), None
            if isinstance(hand, dict):
                stands = {proper(card): other for card, other in hand["plays_as"].items()}
                made = as_made((proper(card) for card in hand["cards"]), stands, hand["name"])
                played = Played(way, hand["name"], faces(made, lit=made, plays_as=stands))
            winners.append(Winner(name, chips, played))
        shares.append(Share(way, amount, winners))
    names = dict.fromkeys(name for pot in pots for name in pot["for"])
    return Pot(title, sum(pot["amount"] for pot in pots), list(names), shares)


def _shown(record: Record, answer: Answer, document: Callable[[], Document]) -> Iterator[Shown]:
    for player in record["players"]:
        name = player["name"]
        lit = _lit(answer, name)
        zones = [(zone, faces(player.get(zone, ()), lit=lit)) for zone in ("down", "up")]
        zones = [(str(ZONES[zone]), cards) for zone, cards in zones if cards]
        for tie_break in record.get("tiebreaks", ()):
            if cards := tie_break.get(name):
                won = {proper(card) for card in cards} if answer["won"][name] > 0 else set()
                zones.append((str(ZONES["tie"]), faces(cards, lit=won)))
        hands = answer.get("hands", {})
        if zones or name in hands:
            contested = [
                Played(way, hand["name"] if isinstance(hand, dict) else str(hand), [])
                for way, hand in hands.get(name, {}).items()
            ]
            note = "" if contested else _why_no_hand(player, answer, document)
            yield Shown(name, player.get("declared", ""), zones, contested, note)


# Reasons about a player that explain why there is no hand. The story says that a hand lost.
NO_HAND = {"killed": gettext_lazy("Killed"), "matches-pot": ""}


def _why_no_hand(
    player: Mapping[str, Any], answer: Answer, document: Callable[[], Document]
) -> str:
    """Return why a player with cards has no hand in the answer, or "" if the story says it."""
    name, reasons = player["name"], answer.get("reasons", ())
    if player.get("folded"):
        return _("Out") if traits_of(document()).in_or_out else _("Folded")
    if player.get("mucked"):
        return _("Mucked")
    for reason in reasons:
        if points := reason.get("over", {}).get(name):
            return _("Over %(number)s") % {"number": reason["number"]} + f" ({points})"
        if reason.get("player") == name and reason["code"] in NO_HAND:
            return str(NO_HAND[reason["code"]])
    if any(reason["code"] == "last-left" for reason in reasons):
        return _("Everyone else folded")
    # The pots show the hands of each run. Bets against the pot have no hands.
    is_compared = name in answer.get("hands", {}) and "runs" not in answer
    return _("No qualifying hand") if is_compared else ""


def _lit(answer: Answer, only: str | None = None) -> set[str]:
    """Return the winning cards of the player `only`, or of all players if `only` is None.

    If there are several runs, these are the cards that win in any of them.
    """
    return {
        proper(card)
        for run in answer.get("runs") or [answer]
        for pot in run["pots"]
        for share in pot["shares"]
        for name, chips in share["winners"].items()
        if chips and only in (None, name)
        for card in run.get("hands", {}).get(name, {}).get(share["way"], {}).get("cards", ())
    }


def words() -> dict[str, Any]:
    """Return the names of cards and keys for scripts, and the URL of the icons."""
    return {
        "icons": static("league/icons.svg"),
        "ranks": {rank: str(name) for rank, name in RANK_NAMES.items()},
        "suits": {suit: str(name) for suit, name in SUIT_NAMES.items()},
        "card": _("{rank} of {suit}"),
        "joker": _("joker"),
        "unseen": _("unknown card"),
        "empty": _("empty"),
        "erase": _("delete"),
        "keys": _("type the cards"),
        "check": _("next"),
        "type": _("Cards, such as AsKd7c"),
        "clear": _("C"),
        "toss": _("add"),
        "same": _("{chips}, as expected"),
        "next": _("Next player"),
        "hand": _("Hand {number}"),
        "deals": _("{name} deals"),
        "newer": _("Another phone saved hand {number}"),
        "declares": _("{name} declares"),
        "pot": _("Pot {pot}"),
        "paid": _("· Paid {chips}: {names}"),
        "taken": _("Pot {pot} · taken {took}"),
        "recent": _("Last hand:"),
        "rest": _("Everyone else folded"),
        "others": _("Everyone else is out. Who else showed?"),
        "out": {"folded": _("Out"), "rest": _("Everyone else is out")},  # if players declare it
        "rerun": _("enter the cards dealt again"),
        "again": _("{n} dealt again, then Done"),
        "fates": {
            "folded": _("Fold"),
            "late": _("Fold late"),
            "mucked": _("Muck"),
            "all-in": _("All in"),
        },
    }
