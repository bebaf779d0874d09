"""The open deal on a phone: the rules card, the stage and the available actions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.access import Action, Visitor, plays, role_of
from league.common.errors import RefusedError
from league.deals.declarations import (
    is_in_turn,
    may_replace,
    next_to_declare,
    revealed_declarations,
)
from league.deals.open_deal import open_deal, opened
from league.deals.shown_cards import (
    Clash,
    agreed_cards,
    card_entries,
    clashes,
    entries_by_field,
)
from league.deals.table import HOLDING, Game, game_of
from league.games import titles
from league.models import Deal, DealtPlayer, Night, ShownCards
from league.pages.games.board import Board, board, with_cards
from league.pages.parts.answer_view import CardFace, faces
from league.pages.parts.forms import word_in_field
from league.pages.parts.visitor import table_name
from rules.presentation.form import modifiers_that_fit

State = DealtPlayer.State
STATES: dict[str, Promise] = {
    State.FOLDED: gettext_lazy("folded"),
    State.LATE: gettext_lazy("folded late"),
    State.MUCKED: gettext_lazy("mucked"),
    State.ALL_IN: gettext_lazy("all in"),
    State.AWAY: gettext_lazy("not dealt in"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtSeat:
    """A player in the deal.

    `by` and `locked_by` contain the user who set the player's state or declaration, if that was
    another user. `own_declaration` is set only for the visitor's player, if the visitor's account
    declared it or may replace it. `replaceable` is true if another user entered it and the visitor
    may replace it.
    """

    player: UUID
    name: str
    is_in: bool
    is_away: bool
    state: str | Promise
    by: str
    locked: bool
    locked_by: str
    has_phone: bool
    own: bool
    may_tell: bool
    declared: str
    own_declaration: str
    replaceable: bool
    cards: list[CardFace]


@dataclass(frozen=True, slots=True)
class Choice:
    """A button for a variation or for one choice of an option."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OptionChoices:
    """An option of the game with its choices. The default choice has an empty value."""

    name: str
    label: str
    choices: list[Choice]


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A version of contested cards, such as "Q♦ 7♠", with its entry's id and user."""

    entry: int
    cards: str
    name: str


@dataclass(frozen=True, slots=True)
class ContestedCards:
    """Versions of a board row. `may_choose` is whether the visitor may choose one."""

    field: str
    versions: list[CardChoice]
    may_choose: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """All data for the open deal's panel. `own` is the visitor's seat.

    `in_or_out` is true if players declare whether they stay in, so that those who are out did not
    fold, and `stays` is true while they declare. `has_bet` is true after a bet.
    `next_declarer` is set while players declare in turn, after the first declaration.

    `reported` contains the cards of each board row. `compares` is true if the pot goes to the last
    player when all others fold. `runs` is true if the visitor may advance the deal. `players` are
    the smallest and largest number of players of the game. `leads` is true if the panel asks the
    visitor to advance it. It asks the dealer and scorekeepers, and every recorder if the dealer has
    no phone.
    """

    deal: Deal
    name: str
    variations: list[str]
    card: Mapping[str, Any]
    board: Board | None
    stage: int
    stages: int
    kind: str
    now: str
    next: str
    seats: list[DealtSeat]
    own: DealtSeat | None
    runs: bool
    leads: bool
    records: bool
    declarations: list[str]
    in_or_out: bool
    stays: bool
    has_bet: bool
    in_turn: bool
    next_declarer: UUID | None
    reported: Mapping[str, str]
    contested: list[ContestedCards]
    duplicates: list[str]
    fitting: list[Choice]
    options: list[OptionChoices]
    compares: bool
    players: tuple[int, int]

    @property
    def dealt_in(self) -> list[DealtSeat]:
        return [seat for seat in self.seats if not seat.is_away]

    @property
    def is_too_many(self) -> bool:
        return len(self.dealt_in) > self.players[1]

    @property
    def sitting_out(self) -> list[DealtSeat]:
        """The players who sit out because the game is for fewer players."""
        if len(self.seats) <= self.players[1]:
            return []
        return [seat for seat in self.seats if seat.is_away]

    @property
    def asks_recorder(self) -> bool:
        """Return whether the visitor's next step is recording, not entering their own cards."""
        return self.own is None or not self.own.is_in or bool(self.own.cards)

    @property
    def table(self) -> list[CardFace]:
        return _faces(self.reported)

    @property
    def laid(self) -> Board | None:
        """The board with its cards as they lie on the table, or None if they are just a row."""
        if self.board and self.reported and (self.board.lines or self.board.names):
            return with_cards(self.board, self.reported)
        return None

    @property
    def fold_word(self) -> str:
        return _("Out") if self.in_or_out else _("Fold")

    @property
    def holding(self) -> list[DealtSeat]:
        return [seat for seat in self.seats if seat.is_in]

    @property
    def out(self) -> list[tuple[str, str, list[str]]]:
        """The names of the players who are out, by state and by the user who set the state."""
        names: dict[tuple[str, str], list[str]] = {}
        for seat in self.seats:
            if not seat.is_in:
                is_out = self.in_or_out and seat.state == STATES[State.FOLDED]
                state = _("out") if is_out else str(seat.state)
                names.setdefault((state, seat.by), []).append(seat.name)
        return [(state, by, players) for (state, by), players in names.items()]

    @property
    def locked(self) -> int:
        return sum(seat.locked for seat in self.holding)

    @property
    def undeclared(self) -> list[DealtSeat]:
        """The others that the visitor may declare for now. Players without a phone are first."""
        others = [seat for seat in self.holding if seat.may_tell and not seat.own]
        return sorted(filter(self._may_declare, others), key=lambda seat: seat.has_phone)

    @property
    def declares(self) -> bool:
        """Return whether the visitor's player may declare now."""
        return self.own is not None and self.own.is_in and self._may_declare(self.own)

    @property
    def other_declarations(self) -> list[str]:
        """What the visitor's player may declare instead of what another user entered."""
        own = self.own
        if own is None or not own.is_in or not own.replaceable:
            return []
        return [word for word in self.declarations if word != own.own_declaration]

    def _may_declare(self, seat: DealtSeat) -> bool:
        return not seat.locked and self.next_declarer in (None, seat.player)


def panel(visitor: Visitor, night: Night, allowed: frozenset[Action]) -> Panel | None:
    """Return the panel for the night's open deal, or None if there is no open deal.

    `allowed` contains the visitor's rights. Also returns None if the house game is no longer valid.
    """
    deal = open_deal(night) if night.state == Night.State.OPEN else None
    if deal is None:
        return None
    try:
        game = game_of(deal)
    except RefusedError:
        return None
    return _panel(deal, game, visitor, allowed)


def _panel(deal: Deal, game: Game, visitor: Visitor, allowed: frozenset[Action]) -> Panel:
    records = Action.RECORD_HANDS in allowed
    league = deal.night.league.pk
    rows = deal.players.select_related("player").order_by("position")
    rows = rows.annotate(
        state_name=table_name(league, "state_by"), declared_name=table_name(league, "declared_by")
    )
    in_turn = is_in_turn(deal, game)
    entries = card_entries(deal).annotate(told_name=table_name(league, "told_by"))
    declared = revealed_declarations(deal, in_turn=in_turn)
    cards = agreed_cards(entries)
    replaceable = {row for row in rows if may_replace(row, visitor.pk, rows, in_turn=in_turn)}
    seats = [_seat(row, visitor, records, declared, cards, row in replaceable) for row in rows]
    own = next((seat for seat in seats if seat.own), None)
    dealer = next((seat for seat in seats if seat.player == deal.dealer_id), None)
    dealer_has_phone = dealer is not None and dealer.has_phone
    runs = records or (own is not None and own.may_tell and own.player == deal.dealer_id)
    stage, last = game.stage(deal.stage), len(game.stages) - 1
    return Panel(
        deal=deal,
        name=game.form["name"],
        variations=titles.variations(deal.modifiers),
        card=game.card,
        board=board(game.card["board"], drawn_lines(game)),
        stage=deal.stage,
        stages=len(game.stages),
        kind=stage["kind"],
        now=stage["text"],
        next=game.stage(deal.stage + 1)["text"] if deal.stage < last else "",
        seats=seats,
        own=own,
        runs=runs,
        leads=runs and (Action.KEEP_SCORE in allowed or dealer == own or not dealer_has_phone),
        records=records,
        declarations=game.declarations(deal.stage),
        in_or_out=any("staying" in each for each in game.stages),
        stays="staying" in stage,
        has_bet=game.has_bet(deal.stage),
        in_turn=in_turn,
        next_declarer=turn.player_id if in_turn and (turn := next_to_declare(rows)) else None,
        reported=cards.get(None, {}),
        contested=list(
            _contested(entries, cards.get(None, {}), records or (own is not None and own.may_tell))
        ),
        duplicates=[_message(clash) for clash in clashes(entries)],
        fitting=list(_fitting(deal, game)) if runs else [],
        options=list(_options(game)) if runs else [],
        compares=not (game.form["bank"] or game.form["against_pot"]),
        players=game.form["players"],
    )


def _fitting(deal: Deal, game: Game) -> Iterator[Choice]:
    """Yield the chosen variations, and the variations that can still be added to the game."""
    for name, misfit in modifiers_that_fit(game.variant, deal.modifiers).items():
        chosen = [modifier for modifier in deal.modifiers if modifier.partition(" ")[0] == name]
        if chosen or not misfit:
            value = chosen[0] if chosen else name
            yield Choice(value, titles.variation(value), bool(chosen))


def _options(game: Game) -> Iterator[OptionChoices]:
    options = game.form["options"]
    for option in sorted(options, key=lambda option: titles.option_place(option["name"])):
        name, default = option["name"], option["default"]
        now = game.form["chosen"].get(name, default)
        words = [choice["name"] for choice in option.get("choices", ())]
        choices = [
            Choice(
                "" if word == default else word_in_field(word),
                titles.label(name, word),
                word == now,
            )
            for word in words
        ]
        if choices and not option["asked"]:
            yield OptionChoices(name, titles.option(name), choices)


def drawn_lines(game: Game) -> list[list[str]]:
    """Return the lines to draw on the board, or [] if the lines are the same as the rows."""
    rows = [row["slots"] for row in game.form["board"]]
    lines: list[list[str]] = game.card["lines"]
    return lines if lines != rows else []


def _seat(
    row: DealtPlayer,
    visitor: Visitor,
    records: bool,
    declared: Mapping[UUID, str],
    cards: Mapping[UUID | None, Mapping[str, str]],
    replaceable: bool,
) -> DealtSeat:
    own = row.player.user_id is not None and row.player.user_id == visitor.pk
    by, locked_by = (
        vars(row)[name] if user and user != row.player.user_id else ""
        for user, name in (
            (row.state_by_id, "state_name"),
            (row.declared_by_id, "declared_name"),
        )
    )
    is_readable = replaceable or (own and row.declared_by_id == visitor.pk)
    return DealtSeat(
        player=row.player_id,
        name=row.player.name,
        is_in=row.state in HOLDING,
        is_away=row.state == State.AWAY,
        state=STATES.get(row.state, ""),
        by=by,
        locked=bool(row.declaration),
        locked_by=locked_by,
        has_phone=row.player.user_id is not None,
        own=own,
        may_tell=records or (own and plays(role_of(visitor, row.deal.night.league))),
        declared=declared.get(row.player_id, ""),
        own_declaration=opened(row) if is_readable else "",
        replaceable=replaceable,
        cards=_faces(cards.get(row.player_id, {})),
    )


def _faces(cards: Mapping[str, str]) -> list[CardFace]:
    return faces(card for _place, text in sorted(cards.items()) for card in text.split())


def _contested(
    entries: Iterable[ShownCards], agreed: Mapping[str, str], may_choose: bool
) -> Iterator[ContestedCards]:
    """Yield the rows of the board that have several versions, without their agreed cards."""
    for (_player, field), rows in entries_by_field(entries).items():
        after = len(agreed.get(field, "").split())
        versions = []
        for row in rows:
            cards = " ".join(map(_card, row.cards[field].split()[after:]))
            versions.append(CardChoice(row.pk, cards, vars(row)["told_name"]))
        if len(versions) > 1:
            yield ContestedCards(field, versions, may_choose)


def _message(clash: Clash) -> str:
    """Return a message that names both users, because only the players know who is right."""
    who = {"one": vars(clash.one)["told_name"], "other": vars(clash.other)["told_name"]}
    text = _("%(card)s is in two places: %(first)s (from %(one)s) and %(second)s (from %(other)s).")
    places = {"first": _place(clash.one), "second": _place(clash.other)}
    return text % {"card": _card(clash.card), **places, **who}


def _card(card: str) -> str:
    rank, suit = card[0].replace("T", "10"), card[1:]
    return rank + {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}.get(suit, suit)


def _place(row: ShownCards) -> str:
    return row.player.name if row.player else _("The board")
