"""House rules: sentences from the options, a league's own words, and irregularities."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from league.audit_log import logged_actions
from league.common.errors import RefusedError
from league.house_rules import (
    current_rules,
    irregularities,
    option_sentences,
    rule_history,
    write_rule,
)
from league.integrity.audit import audit
from league.models import HouseRule, JoinedAccess, League, Role, User
from league.options import choose, options_of
from league.people.joining import join
from league.people.leagues import add_member
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, a_user, player
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def sentences(league: League) -> str:
    return " ".join(line for section in option_sentences(league) for line in section.sentences)


@pytest.mark.parametrize("joined", JoinedAccess.values)
def test_rules_and_settings_mention_the_chips_that_every_joined_phone_enters(joined: str) -> None:
    """The setting was named "View only", but players could buy in and count their chips."""
    night = a_night()
    League.objects.update(joined=joined)
    league = League.objects.get()
    assert "Players may buy in, count their chips and cash out for themselves." in sentences(league)
    host, at = member(league, Role.HOST), f"/leagues/{league.pk}"
    page = html(host.get(f"{at}/options"))
    assert "View only" not in page
    assert "Enter only their own chips" in page
    assert "enter their own cards, chips and answers." in html(host.get(f"{at}/phones"))
    client = Client()
    client.force_login(join(league, player(night, "bob")))
    rebuy = {"player": player(night, "bob").pk, "chips": 100, "key": uuid4()}
    client.post(f"/nights/{night.pk}/buy-ins", rebuy)
    assert night.buy_ins.filter(player__name="bob").count() == 2


def test_rules_and_settings_tell_corrections_of_open_and_closed_nights_apart() -> None:
    """A summary "Corrections: Hosts" hid that all recorders correct hands of open nights."""
    league = a_night().league
    rules = sentences(league)
    assert "On open nights, everyone who records hands may correct them." in rules
    assert "Only hosts correct hands of closed nights." in rules
    page = html(member(league, Role.HOST).get(f"/leagues/{league.pk}/options"))
    assert "Corrections of closed nights: Hosts" in page


def test_cards_speak_unless_the_game_or_the_dealer_says_otherwise() -> None:
    """docs/rulings.md, 5. The default of one game was printed as if it held for all."""
    rules = sentences(a_night().league)
    assert "In high-low games, cards speak, unless the game or its dealer" in rules
    assert "High or low, unless" not in rules


def test_sentences_follow_the_options() -> None:
    night = a_night()
    before = sentences(night.league)
    assert "We settle up after every night." in before
    assert "There are no side bets." in before
    assert "Costs charged to a player (such as pizza or a fine) of more than" in before
    assert (
        "The odd chip goes to the player nearest the dealer's left unless the game says otherwise."
        in before
    )
    assert (
        "Low hands are ace to five unless the game says otherwise. The dealer may choose:" in before
    )
    chosen = replace(
        options_of(night.league),
        settles="season",
        banker=player(night, "ann"),
        seven_deuce=5,
        fund_each=10,
        fund_keeper=player(night, "bob"),
        leftover="stays",
        corrections="recorders",
        stand_up=5,
        bomb_pot_every=10,
        bomb_pot_ante=2,
        least_buy_in=50,
        most_buy_in=200,
        most_rebuys=2,
        match_biggest_stack=True,
        leave_notice=30,
        limits="refuse",
    )
    after = sentences(choose(night.league, chosen))
    for sentence in (
        "We settle up at the end of the season.",
        "Say so 30 minutes before you leave.",
        "Only hosts may let you leave earlier.",
        "All payments go through ann.",
        "7-2 bonus: the other players in the hand pay 5 chips (0.05 USD) each.",
        "bob keeps the fund.",
        "The last player standing pays 5 chips (0.05 USD) to each of the others.",
        "Every 10 hands, we play a bomb pot.",
        "You may buy in again 2 times a night, between hands.",
        "A buy-in must bring your stack to at least 50 chips (0.50 USD).",
        "A buy-in may bring your stack to 200 chips (2.00 USD), or match the biggest stack.",
        "Only hosts may go beyond these limits.",
        "In a bomb pot, everyone antes 2 chips (0.02 USD).",
        "When a night closes, carried pots stay for the next night.",
        "Everyone who records hands may correct hands of closed nights.",
    ):
        assert sentence in after
        assert sentence not in before


def test_versions_are_kept_and_sealed() -> None:
    league = a_night().league
    host = a_user()
    write_rule(league, "", "No  phones \n\n No cigars", by=host)
    write_rule(league, "", "No  phones\nNo cigars", by=host)
    write_rule(league, "misdeal", "The dealer antes again.", by=host)
    write_rule(league, "", "", by=host)
    assert {topic: rule.text for topic, rule in current_rules(league).items()} == {
        "misdeal": "The dealer antes again."
    }
    assert [(rule.topic, rule.number, rule.text) for rule in rule_history(league)] == [
        ("", 2, ""),
        ("misdeal", 1, "The dealer antes again."),
        ("", 1, "No  phones\nNo cigars"),
    ]
    logged = [done for done in logged_actions(league) if done.kind == "house-rules"]
    assert [(done.by, done.about["topic"]) for done in logged] == [
        (host, ""),
        (host, "misdeal"),
        (host, ""),
    ]
    assert not audit(league)
    for change in (
        lambda: HouseRule.objects.update(text="All pots are mine"),
        lambda: HouseRule.objects.filter(number=2).delete(),
    ):
        with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
            change()


@pytest.mark.parametrize(
    ("topic", "text"), [("no such", "x"), ("", "x" * 2001), ("misdeal", "a\0b")]
)
def test_invalid_words_are_refused(topic: str, text: str) -> None:
    with pytest.raises(RefusedError):
        write_rule(a_night().league, topic, text, by=None)


def test_members_read_what_a_host_wrote() -> None:
    night = a_night()
    clients = {}
    for role in (Role.HOST, Role.VIEWER):
        user = a_user()
        add_member(night.league, user, role)
        clients[role] = Client()
        clients[role].force_login(user)
    at = f"/leagues/{night.league.pk}/house-rules"
    for topic, text in (("", "Ante a chip\n<b>Always</b>"), ("string-bet", "We allow it.")):
        assert (
            clients[Role.HOST].post(f"{at}/write", {"topic": topic, "text": text}).status_code
            == 302
        )
    page = clients[Role.VIEWER].get(at).content.decode()
    assert "Ante a chip" in page
    assert "&lt;b&gt;Always&lt;/b&gt;" in page
    assert "<b>String bet:</b> We allow it." in page
    assert "textarea" not in page
    what_now = clients[Role.VIEWER].get(f"/leagues/{night.league.pk}/what-now").content.decode()
    for each in irregularities():
        assert each.ruling.partition("'")[0] in what_now
        assert each.source.partition(":")[0].partition("'")[0] in what_now
    assert "We allow it." in what_now
    record = clients[Role.HOST].get(f"/nights/{night.pk}/record").content.decode()
    assert f"/leagues/{night.league.pk}/what-now" in record.partition("<main")[0]


def test_pages_name_who_wrote_a_rule_as_their_player() -> None:
    league = a_night().league
    writer = join(league, league.players.get(name="ann"))
    User.objects.filter(pk=writer.pk).update(username="marta", first_name="")
    write_rule(league, "", "No phones", by=User.objects.get(pk=writer.pk))
    client = member(league, Role.HOST)
    rules, log = (
        " ".join(client.get(f"/leagues/{league.pk}/{page}").content.decode().split())
        for page in ("house-rules", "logbook")
    )
    assert "· ann · Our own rules" in rules
    assert '<b class="wrap">ann</b>' in log
    assert "marta" not in rules + log
