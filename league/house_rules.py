"""A league's house rules: sentences from its options, its own words, and irregularities.

The options are the only source of the values in sentences. Versions of the league's own words are
added, and never changed or deleted. The irregularities, with the usual ruling on each, are in
`house_rules.toml`.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.change_version import bump_league
from league.chips import COLOURS
from league.common import row_limits
from league.common.errors import problem, refuse
from league.common.money import in_money
from league.common.text import wrong_text
from league.games import titles
from league.journal import entries
from league.models import (
    LONGEST_HOUSE_RULES,
    Corrections,
    HouseRule,
    Inviters,
    JoinedAccess,
    League,
    LeftoverPolicy,
    LimitPolicy,
    Night,
    SettlementPeriod,
    UncountedPolicy,
    User,
)
from league.nights.opening import USUAL_BUY_IN
from rules.presentation.form import form

MOST_SHOWN = 50  # versions
DOCUMENT = Path(__file__).with_name("house_rules.toml")


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity. `address` is the source's web page, or ""."""

    id: str
    title: str
    ruling: str
    source: str
    address: str


@cache
def irregularities() -> tuple[Irregularity, ...]:
    """Return all irregularities, in the order in which pages list them."""
    document = tomllib.loads(DOCUMENT.read_text("utf-8"))
    sources = {source["id"]: source for source in document["sources"]}
    return tuple(
        Irregularity(
            each["id"],
            each["title"],
            each["ruling"].strip(),
            f"{sources[each['source']]['title']}: {each['section']}",
            sources[each["source"]].get("address", ""),
        )
        for each in document["irregularities"]
    )


def title_of(topic: str) -> str:
    """Return the title of the irregularity, or "" if there is no such irregularity."""
    return next((each.title for each in irregularities() if each.id == topic), "")


@transaction.atomic
def write_rule(league: League, topic: str, text: str, *, by: User | None) -> HouseRule | None:
    """Add a version of the league's words on a topic, and return the current version, if any.

    Spaces around lines and empty lines are removed. Saving the current words again changes nothing.
    Raises RefusedError.
    """
    text = "\n".join(filter(None, (line.strip() for line in text.splitlines())))
    bump_league(league.pk)  # locks the league, so that versions are numbered one after the other
    rows = HouseRule.objects.filter(league=league)
    wrong = []
    if topic and not title_of(topic):
        wrong.append(problem("topic", "unknown-topic", "there is no such irregularity"))
    # Line breaks are the only control characters in the text.
    words = text.replace("\n", " ")
    refuse([*wrong, *wrong_text("text", words, longest=LONGEST_HOUSE_RULES, needed=False)])
    last = rows.filter(topic=topic).order_by("-number").first()
    if text == (last.text if last else ""):
        return last
    refuse(row_limits.HOUSE_RULES.exceeded(rows))
    number = last.number + 1 if last else 1
    rule = HouseRule.objects.create(
        league=league, topic=topic, number=number, text=text, made_by=by
    )
    entries.append(league, entries.Kind.WRITTEN, rows.filter(pk=rule.pk))
    return rule


def current_rules(league: League) -> dict[str, HouseRule]:
    """Return the current version of each topic that the league has words on."""
    rows = HouseRule.objects.filter(league=league).order_by("number")
    latest = {rule.topic: rule for rule in rows}
    return {topic: rule for topic, rule in latest.items() if rule.text}


def rule_history(league: League) -> QuerySet[HouseRule]:
    """Return the latest versions on all topics, latest first."""
    rows = HouseRule.objects.filter(league=league)
    return rows.order_by("-made_at", "-number")[:MOST_SHOWN]


# A game with all the options that high-low games share.
HIGH_LOW = "five-card-stud-high-low"


@dataclass(frozen=True, slots=True)
class Section:
    """Sentences on one subject."""

    title: str
    sentences: list[str]


def option_sentences(league: League) -> list[Section]:
    """Return the house rules that follow from the rules of the games and the league's options."""
    sections = (
        (_("Games and pots"), _games()),
        (_("Buy-ins and limits"), _buy_ins(league)),
        (_("Settling up"), _settling(league)),
        (_("Side bets"), _side_bets(league)),
        (_("Side games"), _side_games(league)),
        (_("Leaving early and closing"), _leaving(league)),
        (_("Corrections and phones"), _rights(league)),
    )
    listed = [Section(title, list(sentences)) for title, sentences in sections]
    return [section for section in listed if section.sentences]


def _games() -> Iterator[str]:
    yield _(
        "The dealer announces the game and its options before the first card. They don't change "
        "during the deal."
    )
    labels = {
        "low": _("Low hands are %(default)s unless the game says otherwise."),
        "both_ways": _("If you declare both ways, you %(default)s unless the game says otherwise."),
        "lost_both": _(
            "If you declare both ways and lose one, the %(default)s unless the game says otherwise."
        ),
        "odd_chip": _(
            "The odd chip goes to the player %(default)s unless the game says otherwise."
        ),
    }
    yield _(
        "In high-low games, cards speak, unless the game or its dealer says that players declare."
    )
    for option in form(HIGH_LOW, [], {})["options"]:
        name, default = option["name"], option["default"]
        if name == "declare":  # most games don't ask, and those that do have no common default
            continue
        others = [each["name"] for each in option["choices"] if each["name"] != default]
        # Many games have their own defaults: in Omaha-8, the low is 8 or better and cards speak.
        usual = labels[name] % {"default": titles.choice(name, default)}
        yield _("%(usual)s The dealer may choose: %(others)s.") % {
            "usual": usual,
            "others": "; ".join(titles.choice(name, each) for each in others),
        }
    yield _("Hands that tie split the pot. Suits don't break ties unless the game says so.")
    yield _(
        "If no hand qualifies for one half of the pot, the winner of the other half takes it all."
    )


def _buy_ins(league: League) -> Iterator[str]:
    nights = Night.objects.filter(season__league=league)
    last = nights.order_by("-started_at").values_list("usual_buy_in", flat=True).first()
    yield _("The usual buy-in is %(chips)s.") % {"chips": _chips(last or USUAL_BUY_IN, league)}
    if league.most_rebuys is None:
        yield _("You may buy in again between hands, as often as you like.")
    elif league.most_rebuys:
        yield ngettext(
            "You may buy in again %(n)s time a night, between hands.",
            "You may buy in again %(n)s times a night, between hands.",
            league.most_rebuys,
        ) % {"n": league.most_rebuys}
    else:
        yield _("There are no rebuys.")
    if league.least_buy_in:
        yield _("A buy-in must bring your stack to at least %(chips)s.") % {
            "chips": _chips(league.least_buy_in, league)
        }
    if league.most_buy_in:
        most = _("A buy-in may bring your stack to at most %(chips)s.")
        if league.match_biggest_stack:
            most = _("A buy-in may bring your stack to %(chips)s, or match the biggest stack.")
        yield most % {"chips": _chips(league.most_buy_in, league)}
    if league.least_buy_in or league.most_buy_in or league.most_rebuys is not None:
        yield {
            LimitPolicy.WARN: _("You may go beyond these limits if you confirm it."),
            LimitPolicy.REFUSE: _("Only hosts may go beyond these limits."),
        }[LimitPolicy(league.limits)]
    values = [str(chips) for chips in league.denominations]
    if league.chip_set:
        values = [f"{chips['value']} ({COLOURS[chips['colour']]})" for chips in league.chip_set]
    yield _("Chip values: %(values)s (1 = %(money)s).") % {
        "values": ", ".join(values),
        "money": in_money(1, league),
    }
    yield _(
        "Costs charged to a player (such as pizza or a fine) of more than %(chips)s a day need the "
        "player's or a host's approval."
    ) % {"chips": _chips(league.charge_limit, league)}


def _settling(league: League) -> Iterator[str]:
    yield {
        SettlementPeriod.NIGHT: _("We settle up after every night."),
        SettlementPeriod.SEASON: _("We settle up at the end of the season."),
    }[SettlementPeriod(league.settles)]
    if league.banker:
        yield _("All payments go through %(name)s.") % {"name": league.banker}
    else:
        yield _("Players pay each other directly, with the fewest payments.")
    if league.waits_below:
        yield _("Debts below %(chips)s carry over to the next night.") % {
            "chips": _chips(league.waits_below, league)
        }


def _side_bets(league: League) -> Iterator[str]:
    bets = (
        (league.seven_deuce, _("7-2 bonus: the other players in the hand pay %(chips)s each.")),
        (league.high_hand, _("High hand of the night: the other players pay %(chips)s each.")),
        (league.season_high_hand, _("High hand of the season: the fund pays %(chips)s.")),
        (
            league.bad_beat,
            _("Bad beat: the fund pays %(chips)s for losing with four of a kind or better."),
        ),
        (league.fund_each, _("Each player pays %(chips)s into the season fund every night.")),
    )
    played = [text % {"chips": _chips(chips, league)} for chips, text in bets if chips]
    yield from played or [_("There are no side bets.")]
    if league.fund_keeper:
        yield _("%(name)s keeps the fund.") % {"name": league.fund_keeper}


def _side_games(league: League) -> Iterator[str]:
    if league.stand_up:
        yield _("Stand-up game: players stand until they win a pot or part of one.")
        yield _("The last player standing pays %(chips)s to each of the others.") % {
            "chips": _chips(league.stand_up, league)
        }
    if league.bomb_pot_every:
        yield ngettext(
            "Every hand is a bomb pot.",
            "Every %(n)s hands, we play a bomb pot.",
            league.bomb_pot_every,
        ) % {"n": league.bomb_pot_every}
    if league.bomb_pot_every and league.bomb_pot_ante:
        yield _("In a bomb pot, everyone antes %(chips)s.") % {
            "chips": _chips(league.bomb_pot_ante, league)
        }


def _leaving(league: League) -> Iterator[str]:
    yield _("You may leave between hands. Your chips are cashed out at full value.")
    if league.leave_notice:
        yield ngettext(
            "Say so %(n)s minute before you leave.",
            "Say so %(n)s minutes before you leave.",
            league.leave_notice,
        ) % {"n": league.leave_notice}
        yield {
            LimitPolicy.WARN: _("You may leave earlier if you confirm it."),
            LimitPolicy.REFUSE: _("Only hosts may let you leave earlier."),
        }[LimitPolicy(league.limits)]
    yield {
        LeftoverPolicy.BACK: _(
            "When a night closes, carried pots go back to the players who could still win them."
        ),
        LeftoverPolicy.STAYS: _("When a night closes, carried pots stay for the next night."),
    }[LeftoverPolicy(league.leftover)]
    yield _("Nights that are still open close at %(hour)s:00 (%(zone)s).") % {
        "hour": league.closing_hour,
        "zone": league.time_zone,
    }
    yield {
        UncountedPolicy.WAIT: _("If chips are not counted by then, the night waits for a host."),
        UncountedPolicy.HANDS: _("If chips are not counted by then, the recorded hands decide."),
    }[UncountedPolicy(league.uncounted)]


def _rights(league: League) -> Iterator[str]:
    yield _("On open nights, everyone who records hands may correct them.")
    yield {
        Corrections.HOSTS: _("Only hosts correct hands of closed nights."),
        Corrections.RECORDERS: _("Everyone who records hands may correct hands of closed nights."),
    }[Corrections(league.corrections)]
    yield _("If you think a hand is wrong and you may not correct it, dispute it. A host answers.")
    yield _("Players may buy in, count their chips and cash out for themselves.")
    yield {
        JoinedAccess.RECORD: _("Players who joined with the league code may record hands."),
        JoinedAccess.LOOK: _("Players who joined with the league code may not record hands."),
    }[JoinedAccess(league.joined)]
    yield {
        Inviters.HOSTS: _("Hosts invite players."),
        Inviters.SCOREKEEPERS: _("Hosts and scorekeepers invite players."),
        Inviters.PLAYERS: _("Every player may invite others."),
    }[Inviters(league.inviters)]
    if league.approves:
        yield _("A host approves each new phone.")


def _chips(chips: int, league: League) -> str:
    return _("%(chips)s chips (%(money)s)") % {
        "chips": f"{chips:,}",
        "money": in_money(chips, league),
    }
