"""The charges of a season's file, each as the writer of charges would have taken it."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from league.archive.books import Impossible, Playing
from league.archive.reading import Row
from league.charges.charging import MOST_SHARES, WITH_FUND, moves_of_charge
from league.models import Charge
from league.nights import accounts
from ledger.posting import Move


def moves_of(playing: Playing, _row: Row, charge: Row) -> Iterable[Move]:
    """Return what a charge moves. Raises Impossible."""
    _check_fund(playing, charge)
    shares = _shares(playing, charge)
    if not 1 <= len(shares) <= MOST_SHARES or any(
        not (share["gets"] or share["owes"]) for share in shares
    ):
        raise Impossible("a charge has shares, and each of them chips")
    _check_places(charge, shares)
    nets = {playing.player(share["player"]): share["gets"] - share["owes"] for share in shares}
    if sum(nets.values()) + charge["fund"]:
        raise Impossible("its shares are not even")
    _check_hand(playing, charge)
    keeper = playing.player(charge["keeper"]) if charge["keeper"] else None
    return moves_of_charge(season_of(playing), nets, fund=charge["fund"], keeper=keeper)


def stand(playing: Playing, charge: Row, sign: int) -> None:
    """Keep what a charge does to the tabs of a night; a `sign` below zero takes it back."""
    night, done = charge["night"], playing.done
    for player, column, chips in _columns(playing, charge):
        done.add(night, player, column, sign * chips)
        done.beside.add((night, playing.player(player)))
    if done.balances[accounts.fund(season_of(playing)).key] < 0:
        raise Impossible("the fund did not have so many chips")


def _columns(playing: Playing, charge: Row) -> Iterator[tuple[int, str, int]]:
    """Yield what a charge does to lines of a closing: whose, which column, and chips."""
    for share in _shares(playing, charge):
        if charge["kind"] == Charge.Kind.TOURNAMENT:
            yield share["player"], "entered", share["owes"]
            yield share["player"], "prizes", share["gets"]
        else:
            yield share["player"], "charged", share["gets"] - share["owes"]
    if charge["keeper"]:
        yield charge["keeper"], "charged", charge["fund"]


def season_of(playing: Playing) -> UUID:
    """Return the id that the season of the file gets."""
    [season] = playing.content.of("Season")
    return playing.ids["Season"][season.number]


def _shares(playing: Playing, charge: Row) -> list[Row]:
    return playing.shares.get(charge.number, [])


def _check_hand(playing: Playing, charge: Row) -> None:
    """A file is of one season: any of its hands may be the high hand of the season."""
    if not charge["hand"] or charge["kind"] == Charge.Kind.SEASON_HIGH_HAND:
        return
    if playing.content.row("Hand", charge["hand"])["night"] != charge["night"]:
        raise Impossible("its hand is of another night")


def _check_fund(playing: Playing, charge: Row) -> None:
    if bool(charge["fund"]) != bool(charge["keeper"]):
        raise Impossible("chips of the fund and who keeps its money are told together")
    if charge["fund"] and charge["kind"] not in WITH_FUND:
        raise Impossible("a charge of this kind leaves the fund alone")


def _check_places(charge: Row, shares: list[Row]) -> None:
    taken = sorted(share["place"] or 0 for share in shares)
    wanted = charge["kind"] == Charge.Kind.TOURNAMENT
    if taken != (list(range(1, len(shares) + 1)) if wanted else [0] * len(shares)):
        raise Impossible("of a tournament, and of nothing else, each place is taken by one")
