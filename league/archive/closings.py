"""The closings of a season's file, made again as `closing` makes them.

Of a line the file says what only the table knew: what was counted, who bears what is missing,
whether pots went back. The rest follows, and what is said has to be what the writer would take.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from uuid import UUID

from league.archive.books import Playing
from league.archive.reading import Row
from league.closing.carried_pots import Pot, fitted, pots_of_hand, shares
from league.common.split_evenly import evenly
from league.models import Line
from league.nights import accounts

SUMS = ("bought", "cashed", "put_right", "entered", "prizes", "cash", "charged")
# What a line of the file does not say.
FOLLOWS = (*SUMS, "stack", "settles")
Lines = Sequence[tuple[Row, Line]]


def closed_lines(playing: Playing, closing: Row) -> list[Line]:
    """Return the lines of a closing; note what the writer of closings would not have written."""
    rows = playing.lines.get(closing.number, [])
    lines = [(row, _line(playing, closing["night"], row)) for row in rows]
    _check_pots(playing, closing, lines)
    _check_counts(playing, closing, lines)
    _check_bears(playing, closing, lines)
    _check_people(playing, closing, lines)
    kept = _kept(playing, closing)
    for row, line in lines:
        line.settles = line.tab + kept[line.player_id]
        playing.done.lines[row.number] = line
    return [line for _, line in lines]


def _line(playing: Playing, night: int, row: Row) -> Line:
    player = playing.player(row["player"])
    stack = accounts.stack(playing.night(night), player)
    sums = {name: playing.done.sum_of(night, row["player"], name) for name in SUMS}
    said = {name: row[name] for name in ("position", "back", "counted", "bears")}
    return Line(player_id=player, stack=playing.done.balances[stack.key], **said, **sums)


def _kept(playing: Playing, closing: Row) -> Counter[UUID]:
    """Return what each one has in pots that stay, beyond what was there as the night opened."""
    night, done = closing["night"], playing.done
    kept = shares(playing.pots(closing["kept"]))
    kept.update(done.handed_on.get(night, Counter()))
    kept.subtract(done.opened_with.get(night, Counter()))
    return kept


# --- pots ---------------------------------------------------------------------------------------


def _check_pots(playing: Playing, closing: Row, lines: Lines) -> None:
    """All pots that nobody has won stay, or all go back."""
    kept = playing.pots(closing["kept"])
    back = Counter({line.player_id: line.back for _, line in lines if line.back})
    left = _pots_left(playing, closing, lines)
    if kept or not back:
        if back or kept != left:
            chips = sum(pot.amount for pot in left)
            text = f"nobody has won {chips} chips: all stay or go back, for who could win them"
            playing.errors.add(closing.line, "kept", "bad-pot", text)
        return
    wanted = shares(left)
    for row, line in lines:
        if line.back != wanted[line.player_id]:
            text = f"of the pots that nobody has won {wanted[line.player_id]} chips go back here"
            playing.errors.add(row.line, "back", "bad-pot", text)


def _pots_left(playing: Playing, closing: Row, lines: Lines) -> list[Pot]:
    """Return the pots that the carry of the night is made of.

    Where no hand left any and the night opened with none they are of those who sat then, which the
    seats do not tell any more: so of those whom the closing names, in the order of their seats.
    """
    night, done = closing["night"], playing.done
    chips = done.balances[accounts.carry(playing.night(night)).key]
    if chips <= 0:
        return []
    told = playing.settled.get(_last_carrying(playing, night) or 0)
    found = pots_of_hand(told.record, told.answer, told.names) if told else []
    if found := found or playing.pots(playing.content.row("Night", night)["opening_pots"]):
        return fitted(found, chips)
    named = {player for pot in closing["kept"] for player in pot["for"]}
    seats = sorted((row for row, _ in lines), key=lambda row: int(row["position"]))
    players = [
        playing.player(row["player"])
        for row in seats
        if (night, row["player"]) in playing.seated and (row["back"] or row["player"] in named)
    ]
    return [Pot(chips, tuple(players))] if players else []


def _last_carrying(playing: Playing, night: int) -> int | None:
    """Return the revision of the last hand of the night that left a pot."""
    done = playing.done
    if night not in done.last_carrying:
        hands = done.carrying.get(night, {})
        last = max(
            hands, key=lambda hand: int(playing.content.row("Hand", hand)["number"]), default=0
        )
        done.last_carrying[night] = hands.get(last)
    return done.last_carrying[night]


def take_over(playing: Playing, night: Row) -> None:
    """Let a night open with pots that others kept; note where it would not have got them so."""
    done = playing.done
    said: dict[int | None, list[Pot]] = {}
    for pot, told in zip(playing.pots(night["opening_pots"]), night["opening_pots"], strict=True):
        said.setdefault(told["from"], []).append(pot)
    kept = {before: _pots_kept(playing, before) for before in done.keeping}
    for before in {*said, *kept} - {None}:
        if said.get(before, []) != kept.get(before or 0, []):
            called = playing.content.row("Night", before or 0)["number"]
            text = f"these are not the pots that night {called} had kept by then"
            playing.errors.add(night.line, "opening_pots", "bad-pot", text)
    for before in filter(None, said):
        _hand_over(playing, done.handed_on, before, said[before])
        done.keeping.discard(before)
    everything = [pot for pots in said.values() for pot in pots]
    _hand_over(playing, done.opened_with, night.number, everything)


def _hand_over(
    playing: Playing, to: dict[int, Counter[UUID]], night: int, pots: Sequence[Pot]
) -> None:
    to[night] = to.get(night, Counter()) + shares(pots)  # without those who get nothing
    playing.done.in_pots.update((night, player) for pot in pots for player in pot.players)


def _pots_kept(playing: Playing, night: int) -> list[Pot]:
    closing = playing.content.row("Closing", playing.done.closed[night])
    chips = playing.done.balances[accounts.carry(playing.night(night)).key]
    return fitted(playing.pots(closing["kept"]), chips) if chips > 0 else []


# --- what the table says ------------------------------------------------------------------------


def _check_counts(playing: Playing, closing: Row, lines: Lines) -> None:
    """Chips are counted by a count, or are those of a pot where one went home with all others."""
    night = closing["night"]
    for row, line in lines:
        went = line.cashed > 0 and line.counted == line.back
        said = (night, row["player"], line.counted)
        if line.counted is not None and not went and said not in playing.counted:
            playing.errors.add(row.line, "counted", "not-counted", "nobody has counted so many")
    open_lines = [(row, line) for row, line in lines if line.counted is None]
    uncounted = any((night, row["player"]) in playing.seated for row, _ in open_lines)
    needed = any(line.stack for _, line in open_lines)
    if (needed and not closing["by_hands"]) or (closing["by_hands"] and not uncounted):
        text = "somebody was not counted" if needed else "everybody was counted"
        playing.errors.add(closing.line, "by_hands", "not-counted", text)


def _check_bears(playing: Playing, closing: Row, lines: Lines) -> None:
    """What the count lacks is borne evenly, the odd chips by some of them."""
    night = closing["night"]
    drift = playing.done.balances[accounts.drift(playing.night(night)).key]
    missing = drift + sum(line.drift for _, line in lines)
    bearing = [(row, line) for row, line in lines if line.bears]
    for row, line in bearing:
        if (night, row["player"]) not in playing.seated and not line.back:
            text = "only who sat at this night can bear it"
            playing.errors.add(row.line, "bears", "unknown-player", text)
    parts = evenly(missing, range(len(bearing))).values() if bearing else ()
    found = sorted((line.bears for _, line in bearing), key=abs, reverse=True)
    if found == list(parts) and (bearing or not missing):
        return
    text = f"{missing} chips are missing, and nobody shares them out so"
    for at in [row.line for row, _ in bearing] or [closing.line]:
        playing.errors.add(at, "bears" if bearing else "", "does-not-add-up", text)


# --- who has a line -----------------------------------------------------------------------------


def _check_people(playing: Playing, closing: Row, lines: Lines) -> None:
    """Who sat, handled cash, was charged or has a part in a pot has a line, and nobody else."""
    night, done = closing["night"], playing.done
    here = {line.player_id for _, line in lines}
    pots = playing.pots(closing["kept"])
    wanted = {playing.player(player) for player, _ in done.sums.get(night, {})}
    wanted |= {player for player, chips in shares(pots).items() if chips}
    wanted |= done.opened_with.get(night, Counter()).keys()
    wanted |= done.handed_on.get(night, Counter()).keys()
    for _ in wanted - here:
        text = "a player has no line whose chips moved, or who has a part in a pot"
        playing.errors.add(closing.line, "", "not-whole", text)
    for row in _strangers(playing, night, lines, pots):
        text = "nobody who sat, handled cash, was charged or had a part in a pot"
        playing.errors.add(row.line, "player", "unknown-player", text)


def _strangers(playing: Playing, night: int, lines: Lines, pots: Sequence[Pot]) -> Iterator[Row]:
    in_pots = {player for pot in pots for player in pot.players}
    for row, line in lines:
        known = (night, line.player_id)
        if (
            (night, row["player"]) not in playing.seated
            and known not in playing.done.beside
            and known not in playing.done.in_pots
            and line.player_id not in in_pots
            and not line.back
        ):
            yield row
