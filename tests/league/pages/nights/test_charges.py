"""A page's costs and side bets keep typed text, convert money to chips and charge with one tap."""

import html
import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Charge, ChipRequest, Membership, Night, Role
from league.recording.corrections import revise_hand
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player
from tests.helpers.league.nights import again, chosen, closed, dealt
from tests.helpers.league.side_bets import (
    a_season_with,
    bad_beat,
    bets,
    ended,
    everyone_folds_to,
    with_seven_deuce,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> Night:
    league = a_league()
    league.chip_value = 25
    league.save()
    return a_night(league)


def a_night_in(currency: str) -> Night:
    """A night in which a chip is worth the smallest coin."""
    league = a_league()
    league.currency, league.chip_value = currency, 1
    league.save()
    return a_night(league)


def client_of(night: Night, role: Role = Role.HOST) -> Client:
    client, user = Client(), a_user()
    Membership.objects.create(league=night.league, user=user, role=role)
    client.force_login(user)
    return client


def cost(night: Night, **fields: Any) -> dict[str, Any]:
    """A cost: bob paid 12 for pizza, which ann, bob and cat share."""
    form: dict[str, Any] = {"key": uuid4(), "kind": "cost", "title": "Pizza", "amount": "12"}
    form["payer"] = player(night, "bob").pk
    form |= {f"parts-{player(night, name).pk}": 1 for name in ("ann", "bob", "cat")}
    return form | fields


def sent(night: Night, client: Client, form: dict[str, Any]) -> Any:
    return client.post(f"/nights/{night.pk}/charges/costs", form)


def nets() -> dict[str, int]:
    return {share.player.name: share.net for share in Charge.objects.get().shares.all()}


def test_cost_is_split_evenly_in_whole_chips(night: Night) -> None:
    assert sent(night, client_of(night), cost(night)).status_code == 302
    assert nets() == {"ann": -16, "bob": 32, "cat": -16}


def test_shares_of_a_cost_are_shown_in_money(night: Night) -> None:
    client = client_of(night)
    sent(night, client, cost(night))
    page = client.get(f"/nights/{night.pk}/charges").content.decode()
    assert "<bdi>bob</bdi> paid 12.00 USD" in page
    assert "<bdi>ann</bdi> −4.00 USD" in page


def test_ids_on_the_costs_page_are_unique(night: Night) -> None:
    client = client_of(night)
    page = client.get(f"/nights/{night.pk}/charges").content.decode()
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert sorted(ids) == sorted(set(ids))


def test_cost_is_split_by_parts_and_paid_by_several_players(night: Night) -> None:
    ann, bob = player(night, "ann").pk, player(night, "bob").pk
    paid = {f"paid-{ann}": "2", f"paid-{bob}": "10", f"parts-{ann}": 2, "payer": "", "amount": ""}
    assert sent(night, client_of(night), cost(night, **paid)).status_code == 302
    assert nets() == {"ann": 8 - 24, "bob": 40 - 12, "cat": -12}


# the typed text and how many cents (or yen) Ann owes Bob, for each Accept-Language header and
# currency
TYPED = [
    ("", "EUR", "15,38", 1538),  # spliit issue 78: an iPhone's German keyboard has only a comma
    ("fr-FR", "EUR", "1 000,50", 100050),
    ("fr-FR,fr;q=0.9", "EUR", "1\u202f000,50", 100050),
    ("de-DE,de;q=0.9,en;q=0.8", "EUR", "1.000", 100000),
    ("de", "JPY", "1.000", 1000),
    ("en-US,en;q=0.5", "EUR", "1,000", 100000),
    ("de-CH", "CHF", "1'000.50", 100050),
    ("xx,*", "EUR", "1.000,50", 100050),
    ("en", "XPF", "3000", 3000),
    ("en", "KWD", "1.500", 1500),
    ("de", "KWD", "1,500", 1500),
]


@pytest.mark.parametrize(("language", "currency", "typed", "minor"), TYPED)
def test_amount_is_parsed_the_way_it_was_typed(
    language: str, currency: str, typed: str, minor: int
) -> None:
    night = a_night_in(currency)
    client = client_of(night)
    of_ann = {f"parts-{player(night, name).pk}": "" for name in ("bob", "cat")}
    url, form = f"/nights/{night.pk}/charges/costs", cost(night, amount=typed, **of_ann)
    answer = client.post(url, form, headers={"accept-language": language})
    assert answer.status_code == 302
    assert nets() == {"ann": -minor, "bob": minor}


@pytest.mark.parametrize(
    ("language", "currency", "typed", "texts"),
    [  # actualbudget issue 2143: 1.000 was entered as 1
        ("", "JPY", "1.000", ["1.000 could mean 1000 or 1."]),
        ("en-US", "EUR", "1.000", ["1.000 could mean 1000 or 1."]),
        ("fr", "EUR", "1.000", ["1.000 could mean 1000 or 1."]),
        ("de", "EUR", "1,234", ["1,234 could mean 1234 or 1.234."]),
        ("", "JPY", "15.5", ["coins can pay"]),
        ("de", "JPY", "15,5", ["coins can pay"]),
        ("", "EUR", "1_000", ["Enter a number."]),
    ],
)
def test_ambiguous_amount_is_refused(
    language: str, currency: str, typed: str, texts: list[str]
) -> None:
    night = a_night_in(currency)
    client = client_of(night)
    url, form = f"/nights/{night.pk}/charges/costs", cost(night, amount=typed)
    answer = client.post(url, form, headers={"accept-language": language})
    assert answer.status_code == 400
    assert all(text in answer.content.decode() for text in texts)
    assert f'value="{typed}"' in answer.content.decode()
    assert not Charge.objects.exists()


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"amount": "12.10"}, "Not a whole number of chips. Enter 12.00 USD or 12.25 USD."),
        ({"amount": ""}, "Enter an amount."),
        ({"payer": ""}, "Choose who paid."),
        ({"title": ""}, "This field is required."),
        ({"amount": "0.001"}, "coins can pay"),
    ],
)
def test_errors_are_shown_and_typed_values_are_kept(
    night: Night, fields: dict[str, Any], text: str
) -> None:
    answer = sent(night, client_of(night), cost(night, **fields))
    assert answer.status_code == 400
    assert text in answer.content.decode()
    typed = {"title": "Pizza", "amount": "12"} | fields
    assert all(f'value="{each}"' in answer.content.decode() for each in typed.values() if each)
    assert not Charge.objects.exists()


def test_charge_without_players_is_refused(night: Night) -> None:
    none = {f"parts-{player(night, name).pk}": 0 for name in ("ann", "bob", "cat")}
    answer = sent(night, client_of(night), cost(night, **none))
    assert "Choose at least one player to share the cost." in answer.content.decode()


def test_cost_that_one_player_declines_is_shown_as_declined(night: Night) -> None:
    night = chosen(night, charge_limit=1)
    host, keeper = client_of(night), client_of(night, Role.SCOREKEEPER)
    sent(night, keeper, cost(night))
    of_ann, of_cat = ChipRequest.objects.order_by("charged__name")
    page = keeper.get(f"/nights/{night.pk}/charges").content.decode()
    assert "Waiting for <bdi>cat</bdi>: Pizza, 4.00 USD" in page
    assert "No costs yet" not in page
    host.post(reverse("accept-chips", args=[night.pk, of_ann.pk]))
    declined = host.post(reverse("decline-chips", args=[night.pk, of_cat.pk]), follow=True)
    assert "Declined. Pizza is not charged to anyone." in declined.content.decode()
    page = keeper.get(f"/nights/{night.pk}").content.decode()
    assert "Declined: 4.00 USD from cat for Pizza. No one is charged." in page


def test_verdict_offers_a_side_bet_charged_with_one_tap(night: Night) -> None:
    night = chosen(night, seven_deuce=2)
    dealt(night, with_seven_deuce())
    client = client_of(night)
    page = client.get(f"/nights/{night.pk}").content.decode()
    assert "ann wins with 7-2. Everyone pays ann 2." in page
    [at] = {line.split('"')[1] for line in page.split("action=") if "/charges/bets/" in line[:120]}
    for _ in range(2):
        assert client.post(at, {"stay": "night"}).headers["Location"] == f"/nights/{night.pk}"
    assert nets() == {"ann": 4, "bob": -2, "dan": -2}
    assert "Everyone pays" not in client.get(f"/nights/{night.pk}").content.decode().split("<h2")[2]


def test_pages_list_standing_players_and_charge_the_round_with_one_tap(night: Night) -> None:
    night = chosen(night, stand_up=5)
    host, viewer = client_of(night), client_of(night, Role.VIEWER)
    at, screen = f"/nights/{night.pk}", f"/nights/{night.pk}/screen"

    def seen(text: str, *pages: str) -> bool:
        return all(
            text in client.get(page).content.decode() for client in (host, viewer) for page in pages
        )

    assert seen("Stand-up game: everyone is standing.", at)
    hands = [dealt(night, everyone_folds_to(name)) for name in ("ann", "bob")]
    assert seen("Still standing: cat, dan", at, screen)
    dealt(night, everyone_folds_to("cat"))
    assert seen("The round is over: dan is the last player standing.", at, screen)
    assert seen("Stand-up game: everyone is standing.", at)
    page = host.get(at).content.decode()
    assert "Stand-up game: dan pays 5 to each of the others." in page
    [bet] = bets(night)
    assert f'action="{at}/charges/bets/{bet.id}"' in page
    for _ in range(2):
        host.post(f"{at}/charges/bets/{bet.id}", {"stay": "night"})
    assert nets() == {"ann": 5, "bob": 5, "cat": 5, "dan": -15}
    assert "tag warn" not in host.get(f"{at}/charges").content.decode()
    revise_hand(hands[0], uuid4(), everyone_folds_to("dan"), by=None)
    assert "no longer due after a correction" in host.get(f"{at}/charges").content.decode()


def test_season_shows_the_night_that_pays_its_high_hand_with_one_tap() -> None:
    _, last = a_season_with(bad_beat())
    client, season = client_of(last), f"/seasons/{last.season_id}"
    assert "high hand of the season" not in client.get(season).content.decode()
    last = ended(last)
    assert f'href="/nights/{last.pk}/charges"' in client.get(season).content.decode()
    [bet] = [each for each in bets(last) if each.new_charge.kind == Charge.Kind.SEASON_HIGH_HAND]
    for _ in range(2):
        client.post(f"/nights/{last.pk}/charges/bets/{bet.id}", {"stay": "charges"})
    assert Charge.objects.filter(kind=Charge.Kind.SEASON_HIGH_HAND).count() == 1
    page = " ".join(client.get(f"/nights/{last.pk}/charges").content.decode().split())
    assert "Night 1, hand 1</a>" in page
    assert "the hand was corrected" not in page
    assert "can be paid" not in client.get(season).content.decode()


def test_beaten_high_hand_is_replaced_with_one_tap(night: Night) -> None:
    night = chosen(night, high_hand=5)
    dealt(night, holdem())
    client, at = client_of(night), f"/nights/{night.pk}/charges"
    client.post(f"{at}/bets/{bets(night)[0].id}")
    assert "beaten by" not in client.get(at).content.decode()
    dealt(night, bad_beat())
    assert "beaten by hand 2" in client.get(at).content.decode()
    for page in (at, f"/nights/{night.pk}"):
        shown = client.get(page).content.decode()
        assert "This replaces the charge for hand 1." in shown
        assert "Replace charge" in shown
        assert "Settled at closing. Don't move chips." in html.unescape(shown)
    client.post(f"{at}/bets/{bets(night)[0].id}", {"stay": "night"})
    page = " ".join(client.get(at).content.decode().split())
    assert "beaten by" not in page
    assert page.count("Undo charge") == 1


def test_closing_page_lists_bets_that_are_not_charged(night: Night) -> None:
    night = chosen(night, high_hand=5)
    dealt(night, bad_beat())
    client, at = client_of(night), f"/nights/{night.pk}"
    page = client.get(f"{at}/close").content.decode()
    assert "bob has the high hand so far, four kings." in page
    assert f'href="{at}/charges"' in page
    client.post(f"{at}/charges/bets/{bets(night)[0].id}")
    assert "not charged yet" not in client.get(f"{at}/close").content.decode()


def test_closing_page_lists_charges_that_a_correction_made_wrong(night: Night) -> None:
    night = chosen(night, seven_deuce=2)
    hand = dealt(night, with_seven_deuce())
    client, at = client_of(night), f"/nights/{night.pk}"
    client.post(f"{at}/charges/bets/{bets(night)[0].id}")
    text = "no longer due after a correction"
    assert text not in client.get(f"{at}/close").content.decode()
    revise_hand(hand, uuid4(), holdem(), by=None)
    page = client.get(f"{at}/close").content.decode()
    assert "7-2 bonus" in page.split(text)[1].split("</ul>")[0]


def test_charge_lists_payees_first_then_players_by_name(night: Night) -> None:
    client = client_of(night)
    sent(night, client, cost(night))
    page = client.get(f"/nights/{night.pk}/charges").content.decode()
    first, second, third = re.findall(r"<bdi>(\w+)</bdi> [+−]", page)
    assert (first, second, third) == ("bob", "ann", "cat")


def test_undone_charge_stays_visible(night: Night) -> None:
    client = client_of(night)
    sent(night, client, cost(night))
    client.post(f"/nights/{night.pk}/charges/{Charge.objects.get().pk}/undo")
    assert "Charge undone: Pizza" in client.get(f"/nights/{night.pk}").content.decode()
    page = client.get(f"/nights/{night.pk}/charges").content.decode()
    assert "Pizza" in page
    assert "undone" in page


def test_only_a_host_can_charge_a_closed_night(night: Night) -> None:
    closed(night)
    night = again(night)
    keeper = client_of(night, Role.SCOREKEEPER)
    assert sent(night, keeper, cost(night)).status_code == 403
    assert sent(night, client_of(night), cost(night)).status_code == 302
    assert again(night).state == Night.State.CLOSED
    assert "Pizza" in keeper.get(f"/nights/{night.pk}/receipt").content.decode()


def test_player_sees_charges_but_cannot_add_one(night: Night) -> None:
    reader = client_of(night, Role.PLAYER)
    assert "Split a cost" not in reader.get(f"/nights/{night.pk}/charges").content.decode()
    assert sent(night, reader, cost(night)).status_code == 403


def test_small_debts_are_shown_as_waiting(night: Night) -> None:
    night = chosen(night, waits_below=50)
    client = client_of(night)
    sent(night, client, cost(night))
    closed(again(night))
    page = " ".join(client.get(f"/nights/{night.pk}/payments").content.decode().split())
    assert "Carried over" in page
    assert "bob +8.00 USD" in page
    assert "ann −4.00 USD" in page
