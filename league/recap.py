"""A closed night's recap, as text and as a portrait picture, and how it is posted to chats.

Posts that are waiting to be sent are rows of `ChatPost`. A chat can't detect duplicates, so a
worker records the start before it sends a post. If the worker dies in between, the post's outcome
is unsure. Such a post is not sent again automatically, but a host can check the chat and send it
again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.chat.message import Message, send
from league.chat.services import QUEUE, address_of
from league.common.pictures import png_of
from league.common.text import name_order
from league.games.titles import variations
from league.hands.pictures import CARD, GAP, SYMBOLS, fitted, in_lines, row_of_cards, winners
from league.models import Charge, ChargeShare, ChatPost, Closing, ClosingLine, Revision
from league.nights.nights import hands
from league.proofs.verification import short
from league.scoring.season_table import Placing, ranking, with_sign
from league.sending.sender import Outcome, Result, Sender, wake_on_commit
from rules.presentation.hand_words import hand_phrase

PODIUM = 3


def on_podium(placings: Sequence[Placing]) -> list[Placing]:
    """Return the placings on the podium: at most three, of players who did not lose.

    If more players share a place than there are steps, none of them is on the podium.
    """
    placed = [each for each in placings if each.score >= 0]
    left_off = {each.place for each in placed[PODIUM:]}
    return [each for each in placed[:PODIUM] if each.place not in left_off]


# The podium in the picture. It has a block for each player on it.


# The left edges of the blocks by their number, and their heights by place. The template uses the
# same width for all blocks.
BLOCKS = {1: (390,), 2: (545, 235), 3: (390, 80, 700)}
HEIGHTS = (178, 128, 92)
BLOCK_WIDTH, BLOCK_FOOT = 300, 532


@dataclass(frozen=True, slots=True)
class Block:
    """A place on the podium."""

    x: int
    y: int
    height: int
    place: int
    name: str
    score: str


def blocks(placed: Sequence[Placing]) -> list[Block]:
    """Return the podium blocks for the players on the podium, centred together."""
    podium = on_podium(placed)
    return [
        Block(
            x=x,
            y=BLOCK_FOOT - HEIGHTS[placing.place - 1],
            height=HEIGHTS[placing.place - 1],
            place=placing.place,
            name=fitted(placing.name, 42, BLOCK_WIDTH),
            score=placing.text,
        )
        for placing, x in zip(podium, BLOCKS.get(len(podium), ()), strict=True)
    ]


MOST_LINES = 20
MOST_OF_SEASON = 10
FEWEST_HANDS = 3  # a swing over fewer hands than this is not worth mentioning


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOfTheNight:
    """The hand with the biggest win.

    `made` and `cards` are empty if the winning cards were not shown. `plays_as` maps wild cards
    to the cards that they represent.
    """

    hand: UUID
    number: int
    player: UUID
    name: str
    chips: int
    game: str
    made: str
    cards: Sequence[str]
    plays_as: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Swing:
    """The largest rise or fall in a player's net during a night's hands."""

    player: UUID
    name: str
    before: int
    after: int

    @property
    def chips(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRecap:
    """A night's recap, with all of its players and the leaders of its season.

    `season_more` is how many players of the season are not listed. `tournaments` are sentences
    about the winners.
    """

    night_id: UUID
    league: str
    night: str
    date: str
    changed: bool
    hands: int
    players: Sequence[Placing]
    tournaments: Sequence[str]
    best: HandOfTheNight | None
    season_name: str
    season: Sequence[Placing]
    season_more: int
    sequence: int
    seal: str


def recap_of(closing: Closing) -> NightRecap:
    """Return the recap of a closing, with the current names."""
    night = closing.night
    dealt = [hand for hand in hands(night) if not hand.hand.voided]
    season = night.season
    rows = ranking(season)
    began = night.started_at.astimezone(ZoneInfo(season.league.time_zone))
    return NightRecap(
        night_id=night.pk,
        league=season.league.name,
        night=str(night),
        date=date_format(began, "l, j F Y"),
        changed=closing.number > 1,
        hands=len(dealt),
        players=placings(closing.lines.exclude(position=0).select_related("player")),
        tournaments=_tournaments(closing),
        best=hand_of_the_night(dealt),
        season_name=str(season),
        season=rows[:MOST_OF_SEASON],
        season_more=max(0, len(rows) - MOST_OF_SEASON),
        sequence=closing.sequence,
        seal=short(closing.hash),
    )


def _tournaments(closing: Closing) -> list[str]:
    """Return who won each tournament of the night, and the winner's net."""
    kind = Charge.Kind.TOURNAMENT
    charges = closing.night.charges.filter(kind=kind, posting__reversal=None).order_by("made_at")
    first = ChargeShare.objects.filter(charge__in=charges, place=1).select_related("player")
    by_charge = {share.charge_id: share for share in first}
    sentence = _("%(name)s won the tournament %(tournament)s (%(chips)s).")
    unnamed = _("%(name)s won the tournament (%(chips)s).")
    return [
        (sentence if charge.title else unnamed)
        % {"name": share.player, "tournament": charge.title, "chips": with_sign(share.net)}
        for charge in charges
        if (share := by_charge.get(charge.pk))
    ]


def text_of(recap: NightRecap) -> tuple[str, str]:
    """Return the title and text for a chat that does not show pictures."""
    changed = _("%(night)s has changed") if recap.changed else "%(night)s"
    title = f"{recap.league}: {changed % {'night': recap.night}}"
    dealt = ngettext("%(n)s hand", "%(n)s hands", recap.hands) % {"n": f"{recap.hands:,}"}
    lines = [f"{recap.date}, {dealt}", "", *_list(recap.players[:MOST_LINES])]
    if recap.tournaments:
        lines += ["", *recap.tournaments]
    if best := recap.best:
        sentence = _("Biggest win of the night: %(name)s won %(chips)s at %(game)s.")
        if best.made:
            sentence = _(
                "Biggest win of the night: %(name)s won %(chips)s at %(game)s with %(made)s."
            )
        words = {"name": best.name, "chips": f"{best.chips:,}", "game": best.game}
        lines += ["", sentence % {**words, "made": hand_phrase(best.made)}]
    if recap.season:
        lines += ["", f"{recap.season_name}:", *_list(recap.season)]
        if recap.season_more:
            lines.append(_more(recap))
    closing = {"number": recap.sequence, "seal": recap.seal}
    lines += ["", _("Closing %(number)s, seal %(seal)s") % closing]
    if settings.SITE_URL:
        lines.append(f"{settings.SITE_URL}/nights/{recap.night_id}")
    return title, "\n".join(lines)


def _list(rows: Iterable[Placing], *, space: str = " ") -> Iterator[str]:
    """Return the rows as text, with `space` between place, name and score."""
    return (f"{row.place}.{space}{row.name}{space}{row.text}" for row in rows)


def _more(recap: NightRecap) -> str:
    return _("and %(n)s more") % {"n": recap.season_more}


def placings(lines: Iterable[ClosingLine]) -> list[Placing]:
    """Return the players, highest net first. Players with the same net share a place."""
    rows = sorted(lines, key=lambda line: (-line.net, name_order(line.player.name)))
    nets = [line.net for line in rows]
    return [
        Placing(nets.index(line.net) + 1, line.player.name, line.net, line.player_id)
        for line in rows
    ]


def hand_of_the_night(dealt: Iterable[Revision]) -> HandOfTheNight | None:
    """Return the hand with a player's biggest win. If hands tie, the first one wins."""
    best: tuple[int, str, Revision] | None = None
    for revision in dealt:
        name, chips = max(revision.answer["net"].items(), key=lambda each: each[1])
        if chips > 0 and (best is None or chips > best[0]):
            best = chips, name, revision
    if best is None:
        return None
    chips, name, revision = best
    hands = {
        who: (made, cards, stands) for who, _won, made, cards, stands in winners(revision.answer)
    }
    made, cards, plays_as = hands.get(name, ("", [], {}))
    modifiers = variations(revision.record.get("modifiers", ()))
    return HandOfTheNight(
        hand=revision.hand_id,
        number=revision.hand.number,
        player=UUID(revision.names[name]),
        name=name,
        chips=chips,
        game=" + ".join((revision.document.name, *modifiers)),
        made=made,
        cards=cards,
        plays_as=plays_as,
    )


def biggest_swing(dealt: Sequence[Revision]) -> Swing | None:
    """Return the largest change in a player's net between two moments of the night.

    `dealt` are the hands in order. Returns None if there are too few hands.
    """
    if len(dealt) < FEWEST_HANDS:
        return None
    net: Counter[str] = Counter()
    low: Counter[str] = Counter()
    high: Counter[str] = Counter()
    biggest: Swing | None = None
    for revision in dealt:
        for name, chips in revision.answer["net"].items():
            player = revision.names[name]
            net[player] += chips
            low[player], high[player] = (
                min(low[player], net[player]),
                max(high[player], net[player]),
            )
            for before in (low[player], high[player]):
                if abs(net[player] - before) > (abs(biggest.chips) if biggest else 0):
                    biggest = Swing(UUID(player), name, before, net[player])
    return biggest


WIDTH, HEIGHT = 1080, 1350
LEFT, RIGHT = 80, 1000
# The season's bars extend from the middle to the left and right. BETWEEN is the distance between
# rows. More rows than fit are closer together, and the last one is at LAST_ROW.
MIDDLE, BAR, BETWEEN, LAST_ROW = 660, 170, 58, 1250
FIRST_ROW, FIRST_ROW_WITHOUT_HAND = 944, 720
NAME_ROOM = 330
SMALL_BETWEEN = 40  # rows as close as this have smaller text


@dataclass(frozen=True, slots=True)
class Bar:
    """A player's row in the season's bar chart: the place, the name, and the bar."""

    y: int
    place: int
    name: str
    score: str
    x: int
    width: int
    up: bool


def drawn(recap: NightRecap) -> str:
    """Return the picture as SVG. The drawing library's built-in font is the only font."""
    first = FIRST_ROW if recap.best else FIRST_ROW_WITHOUT_HAND
    bars = _bars(recap.season, first)
    of_hand: dict[str, object] = {}
    if best := recap.best:
        cards = row_of_cards(best.cards, LEFT, best.plays_as)
        x = LEFT + len(cards) * (CARD + GAP) + (26 if cards else 0)
        chips = f"+{best.chips:,}"
        shown = _("%(game)s: %(made)s") % {"game": best.game, "made": best.made}
        of_hand = {
            "cards": cards,
            "best_x": x,
            "best_name": fitted(best.name, 44, RIGHT - x - 40 - 28 * len(chips)),
            "best_chips": chips,
            "best_called": in_lines(shown if best.made else best.game, 28, RIGHT - x, 2),
        }
    # The picture has two lines for this.
    rows = recap.players[len(on_podium(recap.players)) :]
    others = " · ".join(_list(rows, space="\N{NO-BREAK SPACE}"))
    won = in_lines(" ".join(recap.tournaments), 30, RIGHT - LEFT, 1)
    context = {
        "width": WIDTH,
        "height": HEIGHT,
        "symbols": mark_safe(SYMBOLS),  # noqa: S308 (our own file)
        "league": fitted(recap.league, 36, WIDTH - 160),
        "night": fitted(recap.night, 76, WIDTH - 160),
        "date": recap.date,
        "hands": recap.hands,
        "blocks": blocks(recap.players),
        "rest": [*won, *in_lines(others, 30, RIGHT - LEFT, 2 - len(won))],
        "best": recap.best,
        **of_hand,
        "season": fitted(recap.season_name, 28, RIGHT - LEFT),
        "season_y": first - 54,
        "middle": MIDDLE,
        "bars": bars,
        "bar_font": 32 if len(bars) < 2 or bars[1].y - bars[0].y > SMALL_BETWEEN else 27,
        "more": _more(recap) if recap.season_more else "",
    }
    return render_to_string("recap/night.svg", context)


def _bars(season: Sequence[Placing], first: int) -> list[Bar]:
    most = max((abs(row.score) for row in season), default=0) or 1
    between = min(BETWEEN, (LAST_ROW - first) // max(1, len(season) - 1))
    bars = []
    for at, row in enumerate(season):
        width = round(BAR * abs(row.score) / most)
        bars.append(
            Bar(
                y=first + at * between,
                place=row.place,
                name=fitted(row.name, 32, NAME_ROOM),
                score=row.text,
                x=MIDDLE if row.score >= 0 else MIDDLE - width,
                width=width,
                up=row.score >= 0,
            )
        )
    return bars


# Status codes for which retrying would have the same result.
REFUSED = frozenset({400, 401, 403, 404, 405, 410, 413})
LASTS = timedelta(days=2)


class ChatSender(Sender[ChatPost]):
    queue = QUEUE
    model = ChatPost
    league_path = "channel__league"
    related = ("channel__league", "closing")

    def send(self, post: ChatPost) -> Result:
        url = address_of(post.channel)
        if post.begun_at:
            return Result(Outcome.UNSURE)
        if not url or post.channel.ended_at or timezone.now() - post.made_at > LASTS:
            return Result(Outcome.GIVEN_UP)
        message = message_of(post)
        if not self.rows().filter(pk=post.pk, lease=post.lease).update(begun_at=timezone.now()):
            return Result()
        answer = send(post.channel.service, url, message)
        status = {"status": answer.status}
        if answer.arrived:
            return Result(Outcome.DELIVERED, columns=status)
        if answer.partly:
            return Result(Outcome.UNSURE, columns=status)
        if answer.blocked or answer.status in REFUSED:
            return Result(Outcome.REFUSED, columns=status)
        return Result(columns={**status, "begun_at": None})


SENDER = ChatSender()


def resend(post: ChatPost) -> bool:
    """Send a finished post again. Return whether it was finished."""
    rows = ChatPost.objects.filter(pk=post.pk, channel__ended_at=None).exclude(done_at=None)
    now = timezone.now()
    reset = {"due_at": now, "made_at": now, "begun_at": None, "done_at": None, "tries": 0}
    changed = rows.update(**reset, outcome="", status=None)
    if changed:
        wake_on_commit(QUEUE)
    return bool(changed)


def message_of(post: ChatPost) -> Message:
    league = post.channel.league
    if post.closing is None:
        return Message(league.name, _("Results of each night will be posted here."))
    recap = recap_of(post.closing)
    return Message(*text_of(recap), png_of(drawn(recap)))
