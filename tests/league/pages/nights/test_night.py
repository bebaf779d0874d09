"""A whole evening on the pages, from joining to the receipt."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from league.access import may_act_for
from league.chat.services import add_channel
from league.closing.close import current_closing, notify_of_problems
from league.closing.payments import confirm, promise, receive
from league.closing.receipts import share
from league.common.errors import RefusedError, problem
from league.deals.table import Table
from league.integrity.audit import audit
from league.models import (
    BuyIn,
    CashOut,
    ChatPost,
    ChipCount,
    League,
    Night,
    Payment,
    PaymentStep,
    PlannedPayment,
    Role,
    Season,
    Seat,
    User,
)
from league.nights.buy_ins import buy_in
from league.nights.nights import stacks
from league.nights.opening import open_night
from league.people.joining import free_names, join
from league.people.leagues import add_player
from league.people.leaving import lose_name
from league.recording.corrections import void_hand
from league.recording.record import record_hand
from league.recording.sent_hands import ClientContext
from tests.helpers.api.clients import member, someone
from tests.helpers.league.leagues import a_league, a_user, holdem, player, qualifiers
from tests.helpers.league.nights import again, closed, counted, dealt, tabs
from tests.helpers.league.pages import html
from tests.helpers.league.records import OMAHA
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_has_guessed() -> None:
    cache.clear()


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


def phone(night: Night, name: str) -> Client:
    """Return the client for a phone that has joined under this name."""
    client = Client()
    user = join(night.league, player(night, name))
    client.force_login(user)
    return client


def text(client: Client, path: str) -> str:
    page = client.get(path)
    assert page.status_code == 200, page.status_code
    return str(html(page))


def room(night: Night, name: str) -> str:
    return f"/nights/{night.pk}/{name}"


# Joining


def test_join_page_shows_names_first(night: Night) -> None:
    """The names to tap are above the optional fields."""
    page = text(Client(), f"/join/{night.league.code}")
    assert page.index('name="player"') < page.index('name="email"')


def test_phone_joins_with_the_code_and_picks_a_name(night: Night) -> None:
    client, code = Client(), night.league.code
    spoken = f" {code[:3].lower()} {code[3:]}"
    response = client.post("/join", {"code": spoken})
    assert response.headers["Location"] == f"/join/{code}"
    assert "bob" in text(client, f"/join/{code}")
    picked = client.post(f"/join/{code}", {"player": player(night, "bob").pk, "email": ""})
    assert picked.headers["Location"] == f"/nights/{night.pk}"
    assert client.get(f"/nights/{night.pk}").status_code == 200
    assert client.get(f"/join/{code}").status_code == 302
    assert "bob" not in [each.name for each in free_names(night.league)]


def test_taken_name_cannot_be_picked(night: Night) -> None:
    phone(night, "bob")
    refused = Client().post(f"/join/{night.league.code}", {"player": player(night, "bob").pk})
    assert refused.status_code == 400
    with pytest.raises(RefusedError, match="another player"):
        join(night.league, player(night, "bob"))


def test_signed_in_user_cannot_join_under_a_second_name(night: Night) -> None:
    user = a_user()
    join(night.league, player(night, "bob"), user=user)
    with pytest.raises(RefusedError, match="a name in this league"):
        join(night.league, player(night, "cat"), user=user)


def test_released_name_becomes_available_and_its_phone_loses_access(night: Night) -> None:
    client = phone(night, "bob")
    lose_name(player(night, "bob"), by=None)
    assert client.get(f"/nights/{night.pk}").status_code == 404
    assert player(night, "bob") in free_names(night.league)


def test_wrong_code_reveals_nothing_and_guesses_are_limited(night: Night) -> None:
    client = Client()
    assert client.post("/join", {"code": "ZZZZZZ"}).status_code == 400
    for _ in range(30):
        client.get("/join/ZZZZZY")
    locked = client.post("/join", {"code": night.league.code})
    assert locked.status_code == 400
    assert b"Too many wrong codes" in locked.content


@pytest.mark.parametrize("code", ["", "ABC", "é" * 6, "A" * 400])
def test_malformed_code_is_invalid(code: str, night: Night) -> None:
    assert Client().post("/join", {"code": code}).status_code == 400


# Buying in and cashing out


def test_players_can_buy_in_only_for_themselves(night: Night) -> None:
    bob = phone(night, "bob")
    own, other = player(night, "bob"), player(night, "ann")
    for who, stands in ((other, 100), (own, 150)):
        bob.post(room(night, "buy-ins"), {"player": who.pk, "chips": 50, "key": uuid4()})
        assert stacks(night)[who.pk] == stands
    assert may_act_for(own.user, own, night.league)  # type: ignore[arg-type]
    assert not may_act_for(own.user, other, night.league)  # type: ignore[arg-type]


def test_viewers_and_outsiders_cannot_buy_in(night: Night) -> None:
    viewer = member(night.league, Role.VIEWER)
    sent = {"player": player(night, "ann").pk, "chips": 50, "key": uuid4()}
    assert viewer.post(room(night, "buy-ins"), sent).status_code == 403
    assert someone().post(room(night, "buy-ins"), sent).status_code == 404


def test_chips_can_be_bought_with_cash_kept_by_a_banker(night: Night, host: Client) -> None:
    ann, bob = player(night, "ann"), player(night, "bob")
    sent = {"player": bob.pk, "chips": 50, "banker": ann.pk, "key": uuid4()}
    assert host.post(room(night, "buy-ins"), sent).status_code == 302
    assert BuyIn.objects.latest("made_at").banker == ann
    assert tabs(night.league)["ann"] == -150


def test_undone_buy_in_stays_visible(night: Night, host: Client) -> None:
    bob = player(night, "bob")
    sent = {"player": bob.pk, "chips": 5000, "banker": player(night, "ann").pk, "key": uuid4()}
    host.post(room(night, "buy-ins"), sent)
    address = room(night, f"counter/{sent['key']}/undo")
    assert phone(night, "bob").post(address).status_code == 403
    assert host.post(room(night, f"counter/{uuid4()}/undo")).status_code == 404
    for _ in range(2):
        assert host.post(address).status_code == 302
    assert stacks(night)[bob.pk] == 100
    assert "undone" in text(host, f"/nights/{night.pk}")
    closing = closed(night)
    assert not closing.plan.payments.exists()
    assert audit() == []
    assert "The night is closed" in html(host.post(address, follow=True))


def test_mistaken_cash_out_can_be_undone(night: Night, host: Client) -> None:
    cat = player(night, "cat")
    sent = {"player": cat.pk, "chips": 90, "key": uuid4()}
    host.post(room(night, "leave"), sent)
    undone = host.post(room(night, f"counter/{sent['key']}/undo"), follow=True)
    assert "Cash-out undone: cat, 90" in html(undone)
    assert stacks(night)[cat.pk] == 100
    closed(night)
    assert audit() == []


def test_player_can_sit_down_using_a_phone(night: Night) -> None:
    eve = add_player(night.league, "eve")
    client = Client()
    client.force_login(join(night.league, eve))
    assert "Take a seat as eve" in text(client, f"/nights/{night.pk}")
    client.post(room(night, "seats"), {"player": eve.pk})
    assert Seat.objects.filter(night=night, player=eve).count() == 1


def test_scorekeeper_adds_a_guest_once(night: Night, host: Client) -> None:
    sent = {"name": "Gus", "key": str(uuid4())}
    for _ in range(2):
        assert host.post(room(night, "guests"), sent).status_code == 302
    assert Seat.objects.get(night=night, player__name="Gus").player.is_guest
    again_sent = host.post(room(night, "guests"), {"name": "gus", "key": uuid4()})
    assert again_sent.status_code == 400
    assert "a player with this name" in html(again_sent)
    assert phone(night, "bob").post(room(night, "guests"), {"name": "Eve"}).status_code == 403


def test_only_hosts_can_release_a_name_picked_on_the_wrong_phone(
    night: Night, host: Client
) -> None:
    bob, cat = phone(night, "bob"), phone(night, "cat")
    address = f"/players/{player(night, 'bob').pk}/release"
    assert cat.post(address).status_code == 403
    assert "Disconnect phone" in text(host, f"/leagues/{night.league.pk}/phones")
    assert host.post(address).status_code == 302
    assert bob.get(f"/nights/{night.pk}").status_code == 404


def test_leaving_player_is_cashed_out(night: Night, host: Client) -> None:
    cat = player(night, "cat")
    sent = {"player": cat.pk, "chips": 97, "key": uuid4()}
    assert "cat" in text(host, room(night, "leave"))
    for _ in range(2):
        assert host.post(room(night, "leave"), sent).status_code == 302
    assert CashOut.objects.get().chips == 97
    assert Seat.objects.get(night=night, player=cat).left_at is not None
    assert "left" in text(host, room(night, "count"))


def test_error_when_leaving_is_shown(night: Night, host: Client) -> None:
    sent = {"player": player(night, "cat").pk, "chips": "many", "key": uuid4()}
    page = host.post(room(night, "leave"), sent)
    assert page.status_code == 400
    assert "Enter a whole number" in html(page)


def test_hand_list_shows_the_winning_hands(night: Night, host: Client) -> None:
    """A row includes the share if there are several. A hand without a showdown lists no cards."""
    dealt(night)
    dealt(night, OMAHA)
    dealt(night, holdem(players=[{"name": "ann", "paid": 1}, {"name": "bob", "folded": True}]))
    page = text(host, f"/nights/{night.pk}")
    assert page.count("pair of aces") == 1
    assert "(high)" in page


def test_voided_hand_is_listed_with_its_own_number(night: Night, host: Client) -> None:
    """docs/decisions/0004: a voided hand keeps its own number, in the books and in all seals."""
    void_hand(dealt(night), by=None)
    shown = text(host, f"/nights/{night.pk}")
    assert '<span class="no">1</span>' in shown
    assert "No chips moved." in shown


# The count


def test_hosts_can_count_for_all_players_and_players_only_for_themselves(
    night: Night, host: Client
) -> None:
    fields = {name: f"chips-{player(night, name).pk}" for name in ("ann", "bob", "cat", "dan")}
    told = {fields["ann"]: "99", fields["bob"]: "100", fields["cat"]: "", "key": uuid4()}
    assert host.post(room(night, "count"), told).status_code == 302
    assert ChipCount.objects.count() == 2
    page = text(phone(night, "bob"), room(night, "count"))
    assert fields["bob"] in page
    assert fields["ann"] not in page


def test_difference_is_shown_while_typing_without_storing_anything(
    night: Night, host: Client
) -> None:
    counted(night)
    typed = {f"chips-{player(night, 'ann').pk}": "200", "key": uuid4()}
    before = ChipCount.objects.count()
    page = html(host.post(room(night, "count/check"), typed))
    assert "+100" in page
    assert "ann may have bought 100 more than recorded." in page
    assert ChipCount.objects.count() == before


@pytest.mark.parametrize("chips", ["-1", "2.5", "many", "9" * 40])
def test_invalid_count_is_shown_again(night: Night, host: Client, chips: str) -> None:
    field = f"chips-{player(night, 'ann').pk}"
    page = host.post(room(night, "count"), {field: chips, "key": uuid4()})
    assert page.status_code == 400
    assert chips in html(page)
    assert not ChipCount.objects.exists()


def test_viewers_and_outsiders_cannot_count(night: Night) -> None:
    viewer = member(night.league, Role.VIEWER)
    assert viewer.get(room(night, "count")).status_code == 403
    assert someone().get(room(night, "count")).status_code == 404


def test_review_is_offered_for_a_count_made_before_the_last_hand(
    night: Night, host: Client
) -> None:
    counted(night)
    dealt(night)
    page = text(host, room(night, "count"))
    assert page.count("counted before the last hand") == 2
    assert 'value="100"' in page
    fields = {f"chips-{player(night, name).pk}": "100" for name in ("ann", "bob", "cat", "dan")}
    assert host.post(room(night, "count"), {**fields, "key": uuid4()}).status_code == 302
    assert "counted before the last hand" not in text(host, room(night, "count"))


# Closing


def closes(host: Client, night: Night, **told: object) -> int:
    sent = {"key": uuid4(), "missing": 0} | told
    return host.post(room(night, "close"), sent).status_code


def test_host_sees_the_payment_plan_before_closing(night: Night, host: Client) -> None:
    dealt(night)
    counted(night)
    page = text(host, room(night, "close"))
    assert "bob pays ann (10 chips)" in page
    assert again(night).state == Night.State.OPEN
    assert not night.closings.exists()
    assert closes(host, night) == 302
    assert again(night).state == Night.State.CLOSED
    assert host.get(room(night, "close")).headers["Location"] == f"/nights/{night.pk}"


def test_closed_night_shows_stacks_and_results_of_all_players(night: Night, host: Client) -> None:
    dealt(night)
    closed(night)
    page = text(host, f"/nights/{night.pk}")
    assert "<b>110</b>" in page
    assert "+10" in page
    assert "Payments" in page


def test_closing_asks_only_the_host_for_decisions(night: Night, host: Client) -> None:
    counted(night, ann=99)
    page = text(host, room(night, "close"))
    assert "1 chip (0.01 USD) is missing" in page
    assert closes(host, night, missing=1) == 400
    bob = str(player(night, "bob").pk)
    checked = host.post(room(night, "close/check"), {"key": uuid4(), "missing": 1, "bears": bob})
    assert "ann pays bob (1 chip)" in html(checked)
    assert closes(host, night, missing=1, bears=bob) == 302
    assert tabs(night.league) == {"ann": -1, "bob": 1}


def test_closing_without_a_count_points_out_negative_stacks(night: Night, host: Client) -> None:
    """A missing buy-in was settled as a loss without a word."""
    record = holdem()
    for each in record["players"]:
        each["paid"] = 150
    record_hand(night, uuid4(), record, by=None)
    page = text(host, room(night, "close"))
    assert "bob's stack is \N{MINUS SIGN}50. Is a buy-in missing?" in page
    assert page.count("Is a buy-in missing?") == 1


def test_closing_again_shows_the_earlier_payments_with_their_states(
    night: Night, host: Client
) -> None:
    """Payments that were reported as sent stay; the other ones are replaced (payment_plans.py)."""
    dealt(night)
    first = closed(night)
    payment = promise(first.plan.payments.get(), uuid4(), 4, by=None)
    host.post(room(night, "reopen"))
    page = text(host, room(night, "close"))
    assert "No payments needed." not in page
    assert "These payments stay as they are." in page
    assert page.count("bob pays ann (10 chips)") == 1
    dealt(night)
    counted(night)
    page = text(host, room(night, "close"))
    assert "They replace the earlier payments that were not sent." in page
    assert page.index("bob pays ann (16 chips)") < page.index("These payments stay as they are.")
    line = r"bob pays ann \(4 chips\)<br><span [^>]*>%s</span></span>\s*<b [^>]*>0.04 USD"
    assert re.search(line % "sent, not confirmed yet", page)
    confirm(payment, by=None)
    assert re.search(line % "received", text(host, room(night, "close")))


def test_closing_page_links_hands_that_are_recorded_twice(night: Night, host: Client) -> None:
    for phone_name, river in (("one", "2h"), ("two", "2d")):
        record = holdem(board=[["Qc", "Jd", "9s", "7d", river]])
        context = ClientContext(origin=phone_name, seen=0, number=1)
        recorded = record_hand(night, uuid4(), record, by=None, context=context)
    assert (conflict := recorded.conflict)
    counted(night)
    page = text(host, room(night, "close"))
    assert "Hand 1 was recorded twice with different results: choose one first" in page
    assert f'href="/hands/{conflict.hand_id}/rivals"' in page
    assert closes(host, night) == 400


def test_receipt_shows_sent_and_received_payments(night: Night, host: Client) -> None:
    """The payer has sent it, the payee has not confirmed it."""
    dealt(night)
    closed(night)
    due = PlannedPayment.objects.get()
    assert ">unpaid<" in re.sub(r"\s*([<>])\s*", r"\1", text(host, room(night, "receipt")))
    payment = promise(due, uuid4(), due.chips, by=None)
    assert ">sent, not confirmed yet<" in re.sub(
        r"\s*([<>])\s*", r"\1", text(host, room(night, "receipt"))
    )
    confirm(payment, by=None)
    assert ">received<" in re.sub(r"\s*([<>])\s*", r"\1", text(host, room(night, "receipt")))


def test_payment_marked_as_received_is_not_shown_as_sent_by_the_payee(
    night: Night, host: Client
) -> None:
    dealt(night)
    closed(night)
    due = PlannedPayment.objects.get()
    receive(due, uuid4(), due.chips, by=night.league.created_by)
    page = text(host, room(night, "payments"))
    assert "Marked as received" in page
    assert "Sent" not in page


@pytest.mark.parametrize("form", ["buy-ins", "seats", "guests"])
def test_ids_on_the_page_are_unique_after_a_refusal(night: Night, host: Client, form: str) -> None:
    """https://html.spec.whatwg.org/multipage/dom.html#the-id-attribute"""
    for page in (host.get(f"/nights/{night.pk}"), host.post(room(night, form), {})):
        ids = re.findall(r'\sid="([^"]*)"', html(page))
        assert len(ids) == len(set(ids))


def test_count_that_differs_is_marked_and_decided_questions_are_not_repeated(
    night: Night, host: Client
) -> None:
    """The short row used to be unmarked, and the error remained after the correction."""
    counted(night, ann=99)
    assert "\u22121" in text(host, room(night, "count"))
    page = text(host, room(night, "close"))
    assert "ann counted 99, expected 100" in page
    assert "bob counted" not in page
    assert "Who should get it back?" in page
    sent = {"key": uuid4(), "missing": 1}
    refused = html(host.post(room(night, "close"), sent))
    assert refused.count("1 chip is missing. Who should get it back?") == 1
    assert '<a href="#outcome">The night isn\'t closed yet' in refused
    checked = html(
        host.post(room(night, "close/check"), sent | {"bears": str(player(night, "bob").pk)})
    )
    assert "should get it back" not in checked


def test_night_page_stays_short_after_many_hands(night: Night, host: Client) -> None:
    """After 27 hands the page was 5,900 pixels long, with rebuy and join code below 1,500."""
    for _ in range(7):
        dealt(night)
    page = text(host, f"/nights/{night.pk}")
    assert page.count('class="hand-line"') == 3
    assert "All 7 hands" in page
    places = [
        'class="latest felt"',
        "<summary>Rebuy</summary>",
        "<summary>Join with a phone</summary>",
    ]
    assert [page.index(each) for each in places] == sorted(page.index(each) for each in places)
    every = text(host, room(night, "hands"))
    assert every.count('class="hand-line"') == 7
    assert every.count("<span>bob ") == 7


def closed_page(night: Night, client: Client) -> str:
    """Return the recap on a closed night's page."""
    page = text(client, f"/nights/{night.pk}")
    return page.partition('<section class="ended')[2].partition("</section>")[0]


def test_closed_night_page_starts_with_podium_best_hand_and_swing(
    night: Night, host: Client
) -> None:
    hands = [dealt(night) for _ in range(3)]
    add_channel(night.league, uuid4(), "https://ntfy.example.org/thursdays", by=None)
    closed(night)
    page = closed_page(night, host)
    assert re.findall(r'class="name">(\w+)<', page) == ["ann", "cat", "dan"]
    assert "0.30 USD" in page
    assert f'href="/hands/{hands[0].pk}"' in page
    assert "from 0 to +30" in page
    assert f'data-picture="/nights/{night.pk}/recap.png"' in page
    assert "Send the recap" in page
    assert "Sending to your chat: ntfy." in page
    ChatPost.objects.exclude(closing=None).update(outcome="delivered", done_at=timezone.now())
    assert "Posted to your chat: ntfy." in closed_page(night, host)
    assert page.index("Send the recap") < page.index(f"/nights/{night.pk}/payments")
    assert "1 unpaid" in page


def test_tied_players_stand_on_equal_steps(night: Night, host: Client) -> None:
    dealt(night)  # cat and dan don't play
    closed(night)
    assert re.findall(r'<li class="(\w*)">', closed_page(night, host)) == [
        "first",
        "second",
        "second",
    ]


def test_closed_night_shows_players_their_place(night: Night) -> None:
    dealt(night)
    phones = {name: phone(night, name) for name in ("ann", "bob")}
    closed(night)
    assert "You: place 4 of 4" in closed_page(night, phones["bob"])
    assert "You: place" not in closed_page(night, phones["ann"])


@pytest.mark.parametrize("ticked", [0, 1])
def test_night_cannot_start_with_fewer_than_two_players(
    night: Night, host: Client, ticked: int
) -> None:
    """A night without hands cannot end, and a single player has no opponent."""
    at = f"/leagues/{night.league.pk}/nights/new"
    players = list(night.league.players.order_by("name"))[:ticked]
    ticks = {f"sits-{each.pk}": "on" for each in players}
    answer = host.post(at, {"key": uuid4(), "usual": "100", **ticks})
    assert "Choose at least two players." in html(answer)
    assert Night.objects.count() == 1


def test_start_button_is_hidden_in_a_league_without_players() -> None:
    """There used to be a "Deal the cards" button below an empty list."""
    league = a_league()
    host = member(league, Role.HOST)
    at = f"/leagues/{league.pk}/nights/new"
    assert "Start night" not in text(host, at)
    assert "A night needs at least two players." in text(host, at)
    for name in ("Marta", "Bob"):
        add_player(league, name)
    assert "Start night" in text(host, at)


def test_players_are_listed_as_typed_and_later_in_seat_order() -> None:
    """Players used to be sorted by name, although names are typed in seat order."""
    league = a_league()
    host = member(league, Role.HOST)
    host.post(f"/leagues/{league.pk}/players", {"name": "Marta\nGus\nAnn"})
    at = f"/leagues/{league.pk}/nights/new"
    form = host.get(at).context["form"]
    assert [row.player.name for row in form.rows] == ["Marta", "Gus", "Ann"]
    marta, gus, ann = (row.player for row in form.rows)
    sent = {"key": uuid4(), "usual": "100"}
    for seat, each in enumerate((ann, marta, gus), start=1):
        sent |= {f"sits-{each.pk}": "on", f"seat-{each.pk}": str(seat)}
    host.post(at, sent)
    form = host.get(at).context["form"]
    assert [row.player.name for row in form.rows] == ["Ann", "Marta", "Gus"]


def test_chosen_first_dealer_deals_first(night: Night, host: Client) -> None:
    """The first dealer gets the first seat, and the other players keep their order."""
    ann, bob, cat, dan = players = list(night.league.players.order_by("name"))
    sent = {"key": str(uuid4()), "usual": "100", "dealer": str(cat.pk)}
    for seat, each in enumerate(players, start=1):
        sent |= {f"sits-{each.pk}": "on", f"seat-{each.pk}": str(seat)}
    at = f"/leagues/{night.league.pk}/nights/new"
    sitting_out = {key: value for key, value in sent.items() if key != f"sits-{cat.pk}"}
    assert "Choose a first dealer who is playing." in html(host.post(at, sitting_out))
    assert host.post(at, sent).status_code == 302
    table = Table(Night.objects.get(pk=sent["key"]))
    assert table.dealer
    assert table.dealer.player == cat
    assert [seat.player for seat in table.seats] == [cat, dan, ann, bob]


def test_cash_out_form_shows_the_expected_stack(night: Night, host: Client) -> None:
    """The list used to show "78 by the hands", but the field was empty."""
    dealt(night)
    page = text(host, room(night, "leave"))
    assert re.search(r'data-chips="110"[^>]*>ann · expected 110<', page)
    assert 'name="chips" value' not in page
    assert 'value="90"' in text(phone(night, "bob"), room(night, "leave"))


def test_cash_out_of_too_few_chips_is_confirmed_and_shown(night: Night, host: Client) -> None:
    dealt(night)
    bob = player(night, "bob")
    sent = {"player": bob.pk, "chips": 85, "key": uuid4()}
    page = html(host.post(room(night, "leave"), sent))
    assert "5 fewer than the expected 90. Count again, or confirm." in page
    assert 'type="checkbox" name="fewer"' in page
    assert not CashOut.objects.exists()
    assert host.post(room(night, "leave"), sent | {"fewer": "on"}).status_code == 302
    assert host.post(room(night, "leave"), sent | {"fewer": "on"}).status_code == 302
    page = html(host.get(f"/nights/{night.pk}"))
    row = re.sub(r"<[^>]+>|\s+", " ", page.split("/players/" + str(bob.pk))[1].split("</tr>")[0])
    assert "cashed out 85" in row
    assert "−15" in row
    assert " 5 " not in row
    assert "bob cashed out 5 fewer than expected" in page


def test_player_who_left_cannot_rebuy_before_taking_a_seat(night: Night, host: Client) -> None:
    bob = player(night, "bob")
    host.post(room(night, "leave"), {"player": bob.pk, "chips": 100, "key": uuid4()})
    rebuy = host.get(f"/nights/{night.pk}").context["page"].buy_in
    assert "bob" not in {str(each) for each in rebuy.fields["player"].queryset}
    sent = {"player": bob.pk, "chips": 100, "key": uuid4()}
    assert host.post(room(night, "buy-ins"), sent).status_code == 400
    host.post(room(night, "seats"), {"player": bob.pk})
    assert host.post(room(night, "buy-ins"), sent).status_code == 302
    assert stacks(night)[bob.pk] == 100


def test_only_the_host_chooses_who_buys_in(night: Night, host: Client) -> None:
    """The field used to default to Ann, so an early tap charged her."""
    assert '<option value="" selected>Choose a player</option>' in html(
        host.get(f"/nights/{night.pk}")
    )
    sent = {"player": "", "chips": "5", "key": uuid4()}
    before = BuyIn.objects.count()
    assert "This field is required." in html(host.post(room(night, "buy-ins"), sent))
    assert BuyIn.objects.count() == before


def test_uncounted_night_closes_by_its_hands_if_the_host_confirms(
    night: Night, host: Client
) -> None:
    page = text(host, room(night, "close"))
    assert page.count("Not counted") == page.count("Count the chips, or skip the count") == 1
    assert closes(host, night) == 400
    assert closes(host, night, by_hands="on") == 302


def test_only_scorekeepers_can_close_and_only_hosts_can_reopen(night: Night) -> None:
    counted(night)
    assert phone(night, "bob").get(room(night, "close")).status_code == 403
    keeper = member(night.league, Role.SCOREKEEPER)
    assert closes(keeper, night) == 302
    assert keeper.post(room(night, "reopen")).status_code == 403
    assert member(night.league, Role.HOST).post(room(night, "reopen")).status_code == 302
    assert again(night).state == Night.State.OPEN


def test_closed_night_offers_to_reopen_it_only_to_hosts(night: Night, host: Client) -> None:
    """The button was only at the end of the payments page."""
    action = f'action="{room(night, "reopen")}"'
    assert action not in text(host, f"/nights/{night.pk}")
    closed(night)
    assert action in text(host, f"/nights/{night.pk}")
    keeper = member(night.league, Role.SCOREKEEPER)
    assert action not in text(keeper, f"/nights/{night.pk}")


def test_pot_in_the_middle_is_shown_at_the_count(night: Night, host: Client) -> None:
    dealt(night, qualifiers())
    assert "First return the carried pot" in text(host, room(night, "count"))


# Payments


@pytest.fixture
def owed(night: Night) -> Night:
    """A closed night after which bob owes ann 10."""
    dealt(night)
    closed(night)
    return again(night)


def test_payer_promises_a_payment_and_the_payee_confirms_it(owed: Night) -> None:
    ann, bob = phone(owed, "ann"), phone(owed, "bob")
    debt = current_closing(owed).plan.payments.get()
    assert "You owe ann 0.10 USD" in text(bob, f"/leagues/{owed.league.pk}")
    assert "bob owes you 0.10 USD" in text(ann, f"/leagues/{owed.league.pk}")
    assert bob.post(f"/planned/{debt.pk}/receive", {"amount": "0.10"}).status_code == 403
    bob.post(f"/planned/{debt.pk}/promise", {"amount": "0.10", "key": uuid4()})
    payment = Payment.objects.get()
    league = f"/leagues/{owed.league.pk}"
    assert "You sent ann 0.10 USD. ann hasn't confirmed it yet" in html(bob.get(league))
    assert "bob sent you 0.10 USD. Did you receive it?" in html(ann.get(league))
    assert ">Confirm receipt<" in text(ann, room(owed, "payments"))
    assert ">Confirm receipt<" not in text(bob, room(owed, "payments"))
    assert bob.post(f"/payments/{payment.pk}/confirm").status_code == 403
    ann.post(f"/payments/{payment.pk}/confirm")
    assert tabs(owed.league) == {}
    assert "received" in text(bob, room(owed, "payments"))
    User.objects.filter(players__name="ann").update(username="marta", first_name="")
    assert "Marked as received by ann" in text(bob, room(owed, "payments"))
    assert not re.search(r"\bowes?\b", text(bob, f"/leagues/{owed.league.pk}"))


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", ""])
def test_payment_made_from_the_money_page_returns_to_it(owed: Night, elsewhere: str) -> None:
    host, planned = member(owed.league, Role.HOST), PlannedPayment.objects.get()
    money = f"/leagues/{owed.league.pk}/money"
    assert f'name="next" value="{money}"' in text(host, money)
    sent = {"key": uuid4(), "amount": "0.04"}
    answer = host.post(f"/planned/{planned.pk}/receive", sent | {"next": money})
    assert answer.headers["Location"] == money
    assert "bob to ann, 0.04 USD: received." in text(host, money)
    answer = host.post(f"/planned/{planned.pk}/receive", sent | {"next": elsewhere})
    assert answer.headers["Location"] == room(owed, "payments")


def test_own_payments_come_first_on_the_money_page(owed: Night) -> None:
    """Payments between other players come next, and chips come last."""
    later = night_of_two_debts(owed)
    page = text(phone(later, "dan"), room(later, "payments"))
    assert page.index("You pay") < page.index("Other players") < page.index("bob pays")
    page = text(phone(later, "bob"), room(later, "payments"))
    assert page.index("You pay") < page.index("Other players") < page.index("dan pays")


def test_payment_shows_its_reason_without_repeating_who_pays(owed: Night) -> None:
    """The heading contains payer, payee and amount, and the line below repeated all three."""
    page = text(phone(owed, "cat"), room(owed, "payments"))
    assert "bob pays ann" in page
    assert "bob lost 0.10 USD, ann won 0.10 USD" in page
    assert page.count("pays ann") == 1


def night_of_two_debts(night: Night) -> Night:
    """A night in which bob and dan have lost to ann and cat."""
    players = [player(night, name) for name in ("ann", "bob", "cat", "dan")]
    later = open_night(night.league, players=players)
    for each in players:
        buy_in(later, each, 100, buy_in_id=uuid4(), by=None)
    dealt(later)
    dealt(later, holdem(players=renamed(holdem()["players"], ann="cat", bob="dan")))
    closed(later)
    return again(later)


def renamed(players: list[dict[str, Any]], **names: str) -> list[dict[str, Any]]:
    return [each | {"name": names[each["name"]]} for each in players]


def test_payee_disputes_a_payment_and_the_payer_withdraws_it(owed: Night) -> None:
    ann, bob, cat = (phone(owed, name) for name in ("ann", "bob", "cat"))
    debt = current_closing(owed).plan.payments.get()
    payment = promise(debt, uuid4(), 4, by=None)
    assert cat.post(f"/payments/{payment.pk}/dispute").status_code == 403
    ann.post(f"/payments/{payment.pk}/dispute")
    assert Payment.objects.get().state == "disputed"
    assert bob.post(f"/payments/{payment.pk}/take-back").status_code == 403
    second = promise(debt, uuid4(), 6, by=None)
    assert bob.post(f"/payments/{second.pk}/take-back").status_code == 302
    second.refresh_from_db()
    assert second.state == "withdrawn"


def test_host_can_confirm_and_undo_a_payment_for_another_player(owed: Night) -> None:
    host = member(owed.league, Role.HOST)
    debt = current_closing(owed).plan.payments.get()
    host.post(f"/planned/{debt.pk}/receive", {"amount": "0.10", "key": uuid4()})
    assert tabs(owed.league) == {}
    host.post(f"/payments/{Payment.objects.get().pk}/take-back")
    assert tabs(owed.league) == {"ann": 10, "bob": -10}


def test_payee_undoes_a_receipt_for_ten_minutes(owed: Night) -> None:
    """Only a host could undo "received" that a payee had tapped by mistake."""
    ann, bob = (phone(owed, name) for name in ("ann", "bob"))
    debt, host = current_closing(owed).plan.payments.get(), member(owed.league, Role.HOST)
    for minutes, may_undo in ((9, True), (11, False)):
        key = uuid4()
        ann.post(f"/planned/{debt.pk}/receive", {"amount": "0.10", "key": key})
        with unguarded():
            PaymentStep.objects.filter(payment=key).update(
                made_at=timezone.now() - timedelta(minutes=minutes)
            )
        assert ("Undo payment" in text(ann, room(owed, "payments"))) is may_undo
        assert bob.post(f"/payments/{key}/take-back").status_code == 403
        status = ann.post(f"/payments/{key}/take-back").status_code
        assert status == (302 if may_undo else 403)
    host.post(f"/payments/{key}/take-back")
    host.post(f"/planned/{debt.pk}/receive", {"amount": "0.10", "key": (other := uuid4())})
    assert ann.post(f"/payments/{other}/take-back").status_code == 403  # a host received it
    assert tabs(owed.league) == {}


def test_scorekeeper_cannot_change_other_players_payments(owed: Night) -> None:
    keeper = member(owed.league, Role.SCOREKEEPER)
    debt = current_closing(owed).plan.payments.get()
    for deed in ("promise", "receive"):
        sent = {"amount": "0.10", "key": uuid4()}
        assert keeper.post(f"/planned/{debt.pk}/{deed}", sent).status_code == 403
    payment = promise(debt, uuid4(), 10, by=None)
    for deed in ("confirm", "dispute", "take-back"):
        assert keeper.post(f"/payments/{payment.pk}/{deed}").status_code == 403
    page = text(keeper, room(owed, "payments"))
    assert not [each for each in ("Confirm receipt", "Mark as sent", "Undo") if each in page]


@pytest.mark.parametrize("amount", ["", "0", "0.11", "0.005", "-1", "1e3", "9" * 30])
def test_invalid_payment_is_refused_with_a_message(owed: Night, amount: str) -> None:
    host = member(owed.league, Role.HOST)
    debt = current_closing(owed).plan.payments.get()
    page = host.post(f"/planned/{debt.pk}/promise", {"amount": amount, "key": "x"}, follow=True)
    assert "note bad" in html(page)
    assert not Payment.objects.exists()


def test_payments_require_membership(owed: Night) -> None:
    debt = current_closing(owed).plan.payments.get()
    assert someone().get(room(owed, "payments")).status_code == 404
    assert someone().post(f"/planned/{debt.pk}/promise", {"amount": "0.01"}).status_code == 404
    assert someone().post(f"/payments/{uuid4()}/confirm").status_code == 404


def test_times_are_in_the_leagues_time_zone(night: Night, host: Client) -> None:
    with unguarded():
        Night.objects.update(started_at=datetime(2026, 3, 6, 2, tzinfo=UTC))
    League.objects.update(time_zone="America/New_York")
    assert "Thu 5 Mar 2026" in text(host, f"/nights/{night.pk}")


# Receipts


def test_receipt_can_be_read_with_a_link_and_no_account(owed: Night) -> None:
    token = share(owed, by=None)
    page = Client().get(f"/receipts/{token}")
    assert page.status_code == 200
    for sentence in (
        "bob pays ann (10 chips)",
        "Texas Hold",
        current_closing(owed).hash,
    ):
        assert sentence in html(page)
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "noindex" in page.headers["X-Robots-Tag"]
    table = Client().get(f"/receipts/{token}.csv")
    assert table.headers["Content-Type"].startswith("text/csv")
    assert table.content.startswith(b"player,bought")
    assert Client().get(f"/receipts/{token[:-2]}").status_code == 404
    assert Client().get(room(owed, "receipt")).status_code == 302


def test_receipt_picture_is_saved_and_shared_as_receipt_png(owed: Night) -> None:
    page = html(phone(owed, "bob").get(room(owed, "receipt")))
    assert 'data-filename="receipt.png"' in page
    assert 'download="receipt.png"' in page


def test_scorekeeper_creates_and_revokes_links(owed: Night) -> None:
    keeper = member(owed.league, Role.SCOREKEEPER)
    address = keeper.post(room(owed, "receipt/share")).headers["Location"]
    assert Client().get(address).status_code == 200
    keeper.post(room(owed, "receipt/unshare"))
    assert Client().get(address).status_code == 404
    bob = phone(owed, "bob")
    assert bob.post(room(owed, "receipt/share")).status_code == 403
    assert "Buy-ins" in text(bob, room(owed, "receipt"))
    assert bob.get(room(owed, "receipt.csv")).status_code == 200


def test_receipt_offers_links_to_those_who_may_share_it(owed: Night) -> None:
    keeper = member(owed.league, Role.SCOREKEEPER)

    def offered(client: Client) -> list[str]:
        page = text(client, room(owed, "receipt"))
        return [each for each in ("Create share link", "Turn off all links") if each in page]

    assert offered(keeper) == ["Create share link"]
    share(owed, by=None)
    assert offered(keeper) == ["Create share link", "Turn off all links"]
    assert offered(phone(owed, "bob")) == []
    keeper.post(room(owed, "receipt/unshare"))
    assert offered(keeper) == ["Create share link"]


def test_open_night_has_no_receipt(night: Night, host: Client) -> None:
    assert host.get(room(night, "receipt")).status_code == 404
    assert host.post(room(night, "receipt/share")).status_code == 404


# Season and settings of the league


CHOICES: dict[str, object] = {
    "closing_hour": 6,
    "time_zone": "UTC",
    "settles": "night",
    "joined": "record",
    "corrections": "hosts",
    "inviters": "hosts",
    "limits": "warn",
    "uncounted": "wait",
    "leftover": "back",
    "currency": "USD",
    "chip": "0.01",
}


def test_chip_value_can_be_changed_after_the_night_is_closed(night: Night, host: Client) -> None:
    address = f"/leagues/{night.league.pk}/options"
    assert 'value="0.01"' in text(host, address)
    choices = CHOICES | {"chip": "0.10", "currency": "eur"}
    refused = host.post(address, choices)
    assert refused.status_code == 400
    assert html(refused).count("This can change once Night 1 is closed.") == 2
    closed(night)
    assert host.post(address, choices).status_code == 302
    night.league.refresh_from_db()
    assert (night.league.chip_value, night.league.currency) == (10, "EUR")
    assert "1 chip = 0.01 USD" in text(host, room(night, "receipt"))


def test_keypad_offers_the_leagues_denominations(night: Night, host: Client) -> None:
    address = f"/leagues/{night.league.pk}/options"
    for denominations, chips in (("25, 5 1", "1 5 25"), ("", "1 5 10 25 100")):
        assert host.post(address, CHOICES | {"denominations": denominations}).status_code == 302
        assert f'data-chips="{chips}"' in text(host, room(night, "record"))
        assert f'value="{chips}"' in text(host, address)
    for denominations in ("1 x", "5 5", "0 1", "1 2 3 4 5 6 7"):
        assert host.post(address, CHOICES | {"denominations": denominations}).status_code == 400
    assert League.objects.get().denominations == [1, 5, 10, 25, 100]


def test_page_shows_standings_and_settles_a_running_tab(night: Night, host: Client) -> None:
    told = CHOICES | {"closing_hour": 4, "settles": "season"}
    assert host.post(f"/leagues/{night.league.pk}/options", told).status_code == 302
    dealt(again(night))
    closed(again(night))
    assert "go to the balances" in text(host, room(night, "payments"))
    season = Season.objects.get()
    page = text(host, f"/seasons/{season.pk}")
    assert "+10" in page
    key = uuid4()
    for _ in range(2):
        host.post(f"/seasons/{season.pk}/settle", {"key": key, "end": "on"})
    page = text(host, f"/seasons/{season.pk}")
    assert "bob pays ann" in page
    assert "Season 1 has ended." in page
    assert "End this season" not in page
    season.refresh_from_db()
    assert season.ends_on is not None
    assert season.plans.count() == 1


def test_season_with_an_open_night_cannot_be_settled(night: Night, host: Client) -> None:
    season = night.season_id
    page = host.post(f"/seasons/{season}/settle", {"key": uuid4()}, follow=True)
    assert "Night 1 is not closed" in html(page)


def test_only_hosts_change_settings_and_invalid_settings_are_refused(
    night: Night, host: Client
) -> None:
    address = f"/leagues/{night.league.pk}/options"
    assert phone(night, "bob").get(address).status_code == 403
    assert host.post(address, {"closing_hour": 24, "settles": "never"}).status_code == 400
    dan = player(night, "dan")
    choices = CHOICES | {"closing_hour": 0, "uncounted": "hands", "leftover": "stays"}
    choices |= {"banker": dan.pk, "time_zone": "Europe/Berlin"}
    assert host.post(address, choices).status_code == 302
    league = League.objects.get()
    assert league.time_zone == "Europe/Berlin"
    assert (league.closing_hour, league.banker, league.uncounted) == (0, dan, "hands")
    assert "Night 1" in text(host, f"/leagues/{league.pk}")


def test_night_that_did_not_close_automatically_shows_why(night: Night, host: Client) -> None:
    notify_of_problems(
        night, RefusedError([problem("counts", "not-counted", "nobody has counted")])
    )
    assert "needs a decision" in text(host, f"/leagues/{night.league.pk}")
    assert "Not settled yet." in text(host, f"/nights/{night.pk}")


def test_saved_count_of_all_players_shows_the_missing_chips(night: Night, host: Client) -> None:
    counts = {f"chips-{seat.player_id}": "100" for seat in night.seats.all()}
    counts[f"chips-{player(night, 'ann').pk}"] = "97"
    form = counts | {"key": str(uuid4())}
    page = host.post(f"/nights/{night.pk}/count", form, follow=True).content.decode()
    assert "Count saved. 3 chips are missing." in page


def test_player_who_cashed_out_is_not_counted(night: Night, host: Client) -> None:
    ann = player(night, "ann")
    host.post(room(night, "leave"), {"player": ann.pk, "chips": 100, "key": uuid4()})
    assert f"chips-{ann.pk}" not in html(host.get(f"/nights/{night.pk}/count"))


def test_count_page_says_what_was_saved(night: Night, host: Client) -> None:
    at, field = f"/nights/{night.pk}/count", f"chips-{player(night, 'ann').pk}"

    def shown_after(chips: str) -> str:
        page = host.post(at, {"key": str(uuid4()), field: chips}, follow=True).content.decode()
        texts = ("Count saved.", "Count removed.", "You entered no chips. No count was saved.")
        [shown] = [text for text in texts if text in page]
        return shown

    assert shown_after("") == "You entered no chips. No count was saved."
    assert shown_after("90") == "Count saved."
    assert shown_after("90") == "Count saved."
    assert shown_after("") == "Count removed."
    assert shown_after("") == "You entered no chips. No count was saved."


def test_form_for_a_new_night_links_to_the_night_that_is_still_open(
    night: Night, host: Client
) -> None:
    at = f"/leagues/{night.league.pk}/nights/new"
    assert f"{night} is still open. Continue it?" in text(host, at)
    closed(night)
    assert "is still open" not in text(host, at)
