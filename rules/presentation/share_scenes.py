"""Who takes which share of which pot, with the cards that won it and the sentences that say why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.cards import parse_card
from rules.presentation.scene import Answer, Reason, Record, Scene, Told
from rules.settlement.story.words import chips, listed, pot_words, the_share

# reasons that say who takes chips of a pot
TAKEN = frozenset(
    ("wins", "ties", "beside", "last-left", "only-player", "split-unwon", "match-won")
)


def told_of(answer: Answer) -> list[Told]:
    """The sentences of an answer with their reasons; one kept from before reasons were has none."""
    story = answer.get("story", ())
    return list(zip(story, answer.get("reasons") or [{}] * len(story), strict=True))


def share_scenes(record: Record, answer: Answer, told: list[Told]) -> Iterator[Scene]:
    """A scene for each share that somebody wins, of one pot or of several that went alike; takes
    from the story what explains it."""
    pots = answer["pots"]
    shown: set[tuple[int, str]] = set()
    for number, pot in enumerate(pots):
        for share in pot["shares"]:
            way = share["way"]
            if (number, way) in shown or not any(share["winners"].values()):
                continue
            why, reason = _explained(told, number, way)
            numbers = reason.get("pots", [number])
            shown |= {(each, way) for each in numbers}
            winners = _winners([pots[each] for each in numbers], way)
            yield Scene(
                kind="share",
                text=_takes(winners, way, _called(reason, number, len(pots)), len(pot["shares"])),
                lit=_lit(record, answer, winners, way),
                wins=winners,
                why=tuple(why),
                pot=sum(pots[each]["amount"] for each in numbers),
            )
    if answer["carry"]:
        stay = "stays" if answer["carry"] == 1 else "stay"
        text = f"{chips(answer['carry'])} {stay} in the pot for the next hand."
        yield Scene(kind="carry", text=text)


def _winners(pots: Sequence[Answer], way: str) -> dict[str, int]:
    """What each won by a share of these pots."""
    shares = (share for pot in pots for share in pot["shares"] if share["way"] == way)
    won = [(name, amount) for share in shares for name, amount in share["winners"].items()]
    names = dict.fromkeys(name for name, amount in won if amount)
    return {name: sum(amount for other, amount in won if other == name) for name in names}


def _called(reason: Reason, number: int, pots: int) -> str:
    if "pot" in reason:
        return pot_words(reason["pot"])
    return "the pot" if pots == 1 else f"side pot {number}" if number else "the main pot"


def _takes(winners: Mapping[str, int], way: str, pot: str, shares: int) -> str:
    what = pot if shares == 1 else f"{the_share(way)} of {pot}"
    told = listed([f"{name} {amount:,}" for name, amount in winners.items()])
    if len(winners) == 1:
        return f"{next(iter(winners))} takes {what}: {next(iter(winners.values())):,}."
    return f"{listed(list(winners))} split {what}: {told}."


def _explained(told: list[Told], pot: int, way: str) -> tuple[list[str], Reason]:
    """Take the sentences up to the one that says how this share was won, and its reason; none
    if none does."""
    for at, (_, reason) in enumerate(told):
        if (
            reason.get("code") in TAKEN
            and pot in reason.get("pots", ())
            and reason.get("share", way) == way
        ):
            sentences = [sentence for sentence, _ in told[: at + 1]]
            del told[: at + 1]
            return sentences, reason
    return [], {}


def _lit(record: Record, answer: Answer, names: Iterable[str], way: str) -> dict[str, str]:
    """The places of the cards that these players used to win, with what they stood for."""
    lit = {}
    for name in names:
        hand = answer.get("hands", {}).get(name, {}).get(way)
        if isinstance(hand, dict):
            stands = {parse_card(card): other for card, other in hand["plays_as"].items()}
            used = {parse_card(card) for card in hand["cards"]}
            for place, card in _seen(record, name):
                if card in used:
                    other = stands.get(card, "")
                    lit[place] = "" if other and parse_card(other) == card else other
    return lit


def _seen(record: Record, name: str) -> Iterator[tuple[str, int]]:
    """Every card that may be in a player's hand: own, shared, on the board."""
    for seat, player in enumerate(record["players"]):
        if player["name"] == name:
            zones = {zone: player.get(zone, ()) for zone in ("down", "up")}
            zones |= {f"piles/{pile}": cards for pile, cards in player.get("piles", {}).items()}
            for zone, cards in zones.items():
                yield from _numbered(f"players/{seat}/{zone}", cards)
    for at, some in enumerate(record.get("shared", ())):
        if name in some["for"]:
            yield f"shared/{at}", parse_card(some["card"])
    for row, cards in enumerate(record.get("board", ())):
        yield from _numbered(f"board/{row}", cards)


def _numbered(where: str, cards: Iterable[str]) -> Iterator[tuple[str, int]]:
    return ((f"{where}/{at}", parse_card(card)) for at, card in enumerate(cards))
