"""The deal panel on the night page, and the page with a player's own cards."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from league.deals.open_deal import move_on, opened, set_state
from league.deals.shown_cards import show_cards
from league.deals.table import game_of
from league.models import Deal, JoinedAccess, League, Night, Role, User
from league.nights.nights import seat
from league.people.joining import join
from league.people.leagues import add_member, add_player
from league.people.leaving import lose_name
from tests.helpers.api.clients import member
from tests.helpers.league.deals import a_deal, at_stage, user_of
from tests.helpers.league.forms import form_of, sent
from tests.helpers.league.leagues import player
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(night: Night) -> Client:
    return member(night.league, Role.HOST)


@pytest.mark.parametrize("variant", ["texas-holdem", "omaha-8"])
def test_hand_can_be_recorded_at_every_step_of_a_deal(
    host: Client, night: Night, variant: str
) -> None:
    """A hand that was folded before the flop used to require five taps on Next."""
    deal = a_deal(night, variant, {"declare": "high-low"} if variant == "omaha-8" else None)
    viewer = member(night.league, Role.VIEWER)
    for stage in range(len(game_of(deal).stages)):
        page = html(host.get(f"/nights/{night.pk}"))
        panel = page.partition('id="deal"')[2].partition("card-of-rules")[0]
        assert f'href="/nights/{night.pk}/record"' in panel, stage
        assert f'href="/nights/{night.pk}/record?folded#all-folded"' in panel, stage
        assert "Everyone folded" not in html(viewer.get(f"/nights/{night.pk}"))
        deal = move_on(night, deal.pk, stage)


def test_panel_names_who_entered_a_state_as_their_player(night: Night) -> None:
    """Ann's phone entered that Bob folded. Her username is marta."""
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    user = join(night.league, player(night, "ann"))
    User.objects.filter(pk=user.pk).update(username="marta", first_name="")
    set_state(night, deal.pk, player(night, "bob"), "folded", by=user)
    client = member(night.league, Role.VIEWER)
    assert "(entered by ann)" in html(client.get(f"/nights/{night.pk}"))


@pytest.mark.parametrize(
    ("name", "role", "shown"),
    [
        ("Rita", Role.HOST, "Rita"),
        ("", Role.HOST, "the host"),
        ("", Role.SCOREKEEPER, "another member"),
    ],
)
def test_panel_shows_no_username(night: Night, name: str, role: Role, shown: str) -> None:
    """The host has no player. Her username is marta."""
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    user = User.objects.create_user("marta", first_name=name)
    add_member(night.league, user, role)
    set_state(night, deal.pk, player(night, "bob"), "folded", by=user)
    page = html(member(night.league, Role.VIEWER).get(f"/nights/{night.pk}"))
    assert f"(entered by {shown})" in page
    assert "marta" not in page


def test_everyone_folded_button_is_hidden_in_games_against_the_bank(
    host: Client, night: Night
) -> None:
    a_deal(night, "put-and-take")
    page = html(host.get(f"/nights/{night.pk}"))
    assert "Record this hand" in page
    assert "Everyone folded" not in page


def test_everyone_folded_button_requires_the_last_player(host: Client, night: Night) -> None:
    a_deal(night, "texas-holdem")
    text = html(host.get(f"/nights/{night.pk}/record?folded"))
    left = text.partition("left-alone")[2].partition("</details>")[0]
    assert left.partition(">")[0].rstrip().endswith("open")
    assert [name in left for name in ("ann", "bob", "cat", "dan")] == [True] * 4
    usual = html(host.get(f"/nights/{night.pk}/record"))
    assert "Won without a showdown" in usual
    assert not usual.partition("left-alone")[2].partition(">")[0].rstrip().endswith("open")


ZONE = re.compile(r'name="(down|up|board/\d)".*?data-most="(\d+)"', re.DOTALL)
BOARD = {"board/0": 3, "board/1": 2, "board/2": 1}  # the flop, turn and river of Nightmare


@pytest.mark.parametrize(
    ("variant", "zones", "cards"),
    [
        # Three cards face down and three face up in the first game, five face down in the second.
        ("middlemost", {"down": 3, "up": 3}, {"down": "Ah Kh Kd", "up": "9c 9d 9h"}),
        ("nightmare", {"down": 5, **BOARD}, {"down": "Ah Kh Kd 9c 9d"}),
    ],
)
def test_player_shows_the_cards_dealt_in_the_game(
    night: Night, variant: str, zones: dict[str, int], cards: dict[str, str]
) -> None:
    deal, ann = at_stage(a_deal(night, variant), "showdown"), player(night, "ann")
    client = Client()
    add_member(night.league, user_of(ann), Role.PLAYER)
    client.force_login(user_of(ann))
    page = html(client.get(f"/nights/{night.pk}/deal/cards"))
    assert {name: int(most) for name, most in ZONE.findall(page)} == zones
    client.post(f"/nights/{night.pk}/deal/cards", {"deal": str(deal.pk), **cards})
    assert deal.shown.get().cards == cards
    record = html(client.get(f"/nights/{night.pk}/record"))
    for name, text in cards.items():
        assert re.search(rf'name="players/\d/{name}"\s+value="{text}"', record), name


def test_dealer_folds_several_players_at_once(host: Client, night: Night) -> None:
    """Each player used to take a form and a page load."""
    deal = at_stage(a_deal(night, "omaha-8", {"declare": "high-low"}), "declare")
    page = html(host.get(f"/nights/{night.pk}"))
    folds = page.partition('<details id="skip" data-reopens>')[2].partition("</form>")[0]
    ids = re.findall(r'name="player" value="([^"]+)"', folds)
    assert len(ids) == 4
    sent_fields = {"deal": str(deal.pk), "state": "folded", "player": ids[:2]}
    host.post(f"/nights/{night.pk}/deal/state", sent_fields)
    folded = deal.players.filter(state="folded").values_list("player", flat=True)
    assert sorted(map(str, folded)) == sorted(ids[:2])


def test_folding_players_requires_permission_for_each(host: Client, night: Night) -> None:
    deal = at_stage(a_deal(night, "omaha-8"), "showdown")
    own, other = (player(night, name) for name in ("cat", "dan"))
    League.objects.update(joined=JoinedAccess.LOOK)  # players may not record hands
    client = Client()
    add_member(night.league, user_of(own), Role.PLAYER)
    client.force_login(user_of(own))
    sent_fields = {"deal": str(deal.pk), "state": "folded"}
    players = [str(own.pk), str(other.pk)]
    response = client.post(f"/nights/{night.pk}/deal/state", sent_fields | {"player": players})
    assert response.status_code == 403
    assert not deal.players.filter(state="folded").exists()


def test_deal_can_be_changed_to_another_game(host: Client, night: Night) -> None:
    """Only the options could be changed: another game required canceling the deal."""
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    set_state(night, deal.pk, player(night, "bob"), "folded", by=user_of(player(night, "bob")))
    at = f"/nights/{night.pk}/deal?instead={deal.pk}"
    assert at in html(host.get(f"/nights/{night.pk}"))
    form = form_of(host.get(at), "named")
    host.post(f"/nights/{night.pk}/deal", sent(form) | {"variant": "nightmare"})
    changed = Deal.objects.get(night=night)
    assert (changed.variant, changed.stage, changed.dealer) == ("nightmare", 0, deal.dealer)
    assert {row.state for row in changed.players.all()} == {"in"}
    host.post(f"/nights/{night.pk}/deal", sent(form) | {"variant": "omaha-8"})
    assert Deal.objects.get(night=night) == changed  # sent twice


def ticked(host: Client, night: Night) -> list[str]:
    """Return the players who are ticked as having shown on the recording page."""
    fields = form_of(host.get(f"/nights/{night.pk}/record")).fields
    return [fields[f"players/{row}/name"][0] for row in fields.get("showed", ())]


def test_form_ticks_players_still_in_once_a_player_is_out(host: Client, night: Night) -> None:
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    assert not ticked(host, night)
    set_state(night, deal.pk, player(night, "bob"), "folded", by=user_of(player(night, "bob")))
    rows = [row.player.name for row in deal.players.order_by("position")]
    assert ticked(host, night) == [name for name in rows if name != "bob"]


def test_form_ticks_players_whose_cards_are_known(host: Client, night: Night) -> None:
    """Their cards were in the form, but ticking one player folded the other one."""
    deal = at_stage(a_deal(night, "texas-holdem"), "showdown")
    for name, cards in (("ann", "Ac Ad"), ("cat", "Kc Kd")):
        assert not ticked(host, night)
        shown = player(night, name)
        show_cards(night, deal.pk, shown, {"down": cards}, by=user_of(shown))
    assert sorted(ticked(host, night)) == ["ann", "cat"]


def test_board_is_shown_before_the_showdown(host: Client, night: Night) -> None:
    """It used to be shown only on the TV until the showdown."""
    deal = move_on(night, a_deal(night, "texas-holdem").pk, 0)
    deal = move_on(night, deal.pk, deal.stage)
    assert "Enter the board" in html(host.get(f"/nights/{night.pk}"))
    by = user_of(player(night, "bob"))
    show_cards(night, deal.pk, None, {"board/0": "2h 7d 9s"}, by=by)
    page = html(host.get(f"/nights/{night.pk}"))
    assert 'aria-label="seven of diamonds"' in page
    assert "Change the board" in page


def phone_of(night: Night, name: str) -> Client:
    phone = Client()
    phone.post(f"/join/{night.league.code}", {"player": str(player(night, name).pk)})
    return phone


def test_board_is_entered_step_by_step_from_two_phones(host: Client, night: Night) -> None:
    """The board vanished from all phones, without a message."""
    move_on(night, a_deal(night, "nightmare").pk, 0)
    bob, cat = phone_of(night, "bob"), phone_of(night, "cat")
    address = f"/nights/{night.pk}/deal/cards?board"
    for phone, cards in (
        (bob, {"board/0": "Kc"}),
        (cat, {"board/0": "Kc 7h", "board/1": "Kd"}),
    ):
        phone.post(address, sent(form_of(phone.get(address), "record")) | cards)
    for phone in (host, bob, cat):
        page = html(phone.get(f"/nights/{night.pk}"))
        panel = page.partition('class="card-of-rules"')[0]
        assert (
            'aria-label="The board: king of clubs, seven of hearts, c; king of diamonds, e; f"'
            in panel
        )
        assert "disagree" not in page
        assert "Change the board" in page
        fields = sent(form_of(phone.get(address), "record"))
        assert (fields["board/0"], fields["board/1"]) == (["Kc 7h"], ["Kd"])


def test_contested_board_is_settled_with_one_tap(host: Client, night: Night) -> None:
    """It was only reported at the showdown, without the cards."""
    deal = move_on(night, a_deal(night, "texas-holdem").pk, 0)
    at = f"/nights/{night.pk}"
    ann, bob = phone_of(night, "ann"), phone_of(night, "bob")
    for phone, cards in ((ann, "2h 3d 7s"), (bob, "2h 3d 7c")):
        phone.post(f"{at}/deal/cards", {"deal": str(deal.pk), "board/0": cards})
    viewer = member(night.league, Role.VIEWER)
    for phone in (host, ann, bob, viewer):
        page = html(phone.get(at))
        assert "The board: phones disagree." in page
        for card, name in (("7♠", "ann"), ("7♣", "bob")):
            assert re.search(rf"{card}</b>\s*<span[^>]*>\({name}\)", page), card
        assert 'aria-label="two of hearts"' in page
        assert page.count('name="choose"') == (0 if phone is viewer else 2)
    choice = re.search(r'value="(\d+)">\s*<b class="whole">7♠', html(bob.get(at)))
    assert choice
    chosen = {"deal": str(deal.pk), "field": "board/0", "choose": choice[1]}
    assert viewer.post(f"{at}/deal/cards", chosen).status_code == 403
    assert bob.post(f"{at}/deal/cards", chosen).status_code == 302
    page = html(ann.get(at))
    assert "phones disagree" not in page
    assert 'aria-label="seven of spades"' in page


def test_player_declares_in_or_out_and_is_not_all_in_without_a_bet(night: Night) -> None:
    deal = a_deal(night, "guts")
    phone = Client()
    phone.post(f"/join/{night.league.code}", {"player": str(player(night, "ann").pk)})
    assert "All in" not in html(phone.get(f"/nights/{night.pk}"))
    at_stage(deal, "declare")
    page = html(phone.get(f"/nights/{night.pk}"))
    for word in ("in", "out"):
        assert f'name="declared" value="{word}"' in page
    assert not any(says in page for says in (">Fold</button>", ">All in</button>"))


def test_only_the_player_sees_and_changes_a_declaration_entered_by_another_phone(
    host: Client, night: Night
) -> None:
    """The player's form vanished, and the page only named who had locked the declaration."""
    deal = at_stage(a_deal(night), "declare")
    phones = {name: phone_of(night, name) for name in ("ann", "bob", "cat")}
    at = f"/nights/{night.pk}"
    fields = {"deal": str(deal.pk), "player": str(player(night, "cat").pk)}
    phones["bob"].post(f"{at}/deal/declare", fields | {"declared": "high"})
    text = "bob declared High for you."
    assert text in html(phones["cat"].get(at))
    for phone in (host, phones["ann"], phones["bob"], member(night.league, Role.VIEWER)):
        page = html(phone.get(at))
        assert "declared High" not in page
        assert "(entered by bob)" in page
    form = html(phones["cat"].get(at)).partition(text)[2].partition("</form>")[0]
    assert re.findall(r'name="declared" value="(\w+)"', form) == ["low", "both"]
    phones["cat"].post(f"{at}/deal/declare", fields | {"declared": "low"})
    row = deal.players.get(player__name="cat")
    assert (row.declared_by, opened(row)) == (row.player.user, "low")
    assert "for you." not in html(phones["cat"].get(at))


def test_player_can_look_at_the_own_locked_declaration(host: Client, night: Night) -> None:
    """The page said only "1 of 4 locked". Neighbours see nothing until the player taps."""
    deal = at_stage(a_deal(night), "declare")
    ann, bob = phone_of(night, "ann"), phone_of(night, "bob")
    at = f"/nights/{night.pk}"
    fields = {"deal": str(deal.pk), "player": str(player(night, "ann").pk), "declared": "low"}
    ann.post(f"{at}/deal/declare", fields)
    line = html(ann.get(at)).partition('<details class="own-declaration">')[2]
    assert "You're locked in. Show my declaration" in line.partition("</summary>")[0]
    assert "You declared <b>Low</b>." in line.partition("</details>")[0]
    for phone in (host, bob, member(night.league, Role.VIEWER)):
        page = html(phone.get(at))
        assert "1 of 4 locked" in page
        assert "own-declaration" not in page
        assert "You declared" not in page


@pytest.mark.parametrize("by", ["ann", "bob"])
@pytest.mark.parametrize("is_deleted", [False, True])
def test_replaced_account_leaves_the_declaration_secret(
    night: Night, by: str, is_deleted: bool
) -> None:
    """The next account of the same player saw what ann, or bob for ann, had declared."""
    deal, ann = at_stage(a_deal(night), "declare"), player(night, "ann")
    phones = {name: phone_of(night, name) for name in ("ann", "bob")}
    at = f"/nights/{night.pk}"
    fields = {"deal": str(deal.pk), "player": str(ann.pk)}
    phones[by].post(f"{at}/deal/declare", fields | {"declared": "low"})
    ann.refresh_from_db()
    if is_deleted:
        user_of(ann).delete()
    else:
        lose_name(ann, by=None)
    other = phone_of(night, "ann")
    page = html(other.get(at))
    assert "1 of 4 locked" in page
    assert not any(text in page for text in ("You declared", "declared Low", "Change to"))
    other.post(f"{at}/deal/declare", fields | {"declared": "high"})
    assert opened(deal.players.get(player=ann)) == "low"


def test_deletion_of_the_declaring_account_leaves_the_declaration_secret(night: Night) -> None:
    """Ann's page said that she had declared what bob had declared for her."""
    deal = at_stage(a_deal(night), "declare")
    ann, bob = phone_of(night, "ann"), phone_of(night, "bob")
    at = f"/nights/{night.pk}"
    fields = {"deal": str(deal.pk), "player": str(player(night, "ann").pk), "declared": "low"}
    bob.post(f"{at}/deal/declare", fields)
    user_of(player(night, "bob")).delete()
    assert "You declared" not in html(ann.get(at))


def test_players_with_a_phone_are_listed_last_to_declare_for(host: Client, night: Night) -> None:
    at_stage(a_deal(night), "declare")
    phone_of(night, "ann")
    page = html(host.get(f"/nights/{night.pk}"))
    panel = page.partition("Declare for a player")[2].partition("</details>")[0]
    without, own = panel.split("On their own phone")
    assert re.findall(r"for (\w+)</span>", without)[::3] == ["bob", "cat", "dan"]
    assert set(re.findall(r"for (\w+)</span>", own)) == {"ann"}


def test_cash_out_page_names_the_players_who_are_in_the_deal(host: Client, night: Night) -> None:
    deal, at = a_deal(night, "texas-holdem"), f"/nights/{night.pk}"
    for name, state in {"bob": "folded", "cat": "all-in"}.items():
        set_state(night, deal.pk, player(night, name), state, by=user_of(player(night, "ann")))
    page = html(host.get(f"{at}/leave"))
    lines = re.findall(r"<p data-dealt[^>]*>\s*(.*?)\s*</p>", page)
    assert sorted(lines) == [
        "ann is in this deal. Cashing out folds the hand.",
        "cat is all in. The hand stays in this deal.",
        "dan is in this deal. Cashing out folds the hand.",
    ]
    fields = {"player": str(player(night, "dan").pk), "chips": "100", "key": str(uuid4())}
    host.post(f"{at}/leave", fields)
    record = form_of(host.get(f"{at}/record"))
    states = [texts for name, texts in sent(record).items() if name.endswith("/state")]
    assert states == [["in"], ["folded"], ["all-in"], ["folded"]]


def test_panel_lists_who_folded_before_the_players_declare(host: Client, night: Night) -> None:
    """The host, who has no player, saw folded players only from the declaration on."""
    deal = a_deal(night)
    assert "Folded" not in html(host.get(f"/nights/{night.pk}")).partition("card-of-rules")[0]
    for name in ("bob", "cat"):
        who = player(night, name)
        set_state(night, deal.pk, who, "folded", by=user_of(who))
    for stage, kind in enumerate(each["kind"] for each in game_of(deal).stages):
        page = html(host.get(f"/nights/{night.pk}")).partition("card-of-rules")[0]
        assert page.count("Folded: bob, cat") == 1, kind
        move_on(night, deal.pk, stage)


def test_players_who_do_not_go_in_are_out_and_not_folded(host: Client, night: Night) -> None:
    deal = at_stage(a_deal(night, "guts"), "declare")
    bob = player(night, "bob")
    set_state(night, deal.pk, bob, "folded", by=user_of(bob))
    page = html(host.get(f"/nights/{night.pk}"))
    assert "Out: bob" in page
    assert "Only one player went in" in page
    assert "folded" not in page.partition('<ul class="seat-status">')[2]
    assert "Mark players as out" in page
    assert "Everyone folded" not in page


def test_board_is_entered_in_the_order_of_the_deal(host: Client, night: Night) -> None:
    """Nightmare's slots are a, then b d, then c e f. Its rows are a b c, d e and f."""
    at_stage(a_deal(night, "nightmare"), "showdown")
    for address in ("deal/cards?board", "record"):
        page = html(host.get(f"/nights/{night.pk}/{address}"))
        assert re.findall(r'data-turns="([^"]*)"', page) == ["0 1 3", "2 4", "5"]


def test_board_of_a_hand_without_a_live_deal_is_entered_row_by_row(
    host: Client, night: Night
) -> None:
    page = html(host.get(f"/nights/{night.pk}/record?game=nightmare"))
    assert 'name="board/0"' in page
    assert "data-turns" not in page


@pytest.mark.parametrize(("variant", "lines"), [("nightmare", 4), ("texas-holdem", 0)])
def test_board_is_drawn_as_on_the_recording_page(
    host: Client, night: Night, variant: str, lines: int
) -> None:
    """Nightmare's rows used to be centred, so that its columns were not visible."""
    at_stage(a_deal(night, variant), "showdown")
    drawn = [
        re.findall(r'data-spots="([^"]*)"|<polyline class="through', html(host.get(page)))
        for page in (f"/nights/{night.pk}/deal/cards?board", f"/nights/{night.pk}/record")
    ]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == (lines and lines + 1)


@pytest.mark.parametrize("kind", ["declare", "showdown"])
def test_players_who_are_out_are_listed_in_one_line_below_the_actions(
    host: Client, night: Night, kind: str
) -> None:
    """Their rows used to push the actions off a phone's screen."""
    deal = at_stage(a_deal(night, "omaha-8", {"declare": "high-low"}), kind)
    for name in ("bob", "cat"):
        set_state(night, deal.pk, player(night, name), "folded", by=user_of(player(night, name)))
    page = html(host.get(f"/nights/{night.pk}"))
    before, names = page.split('<ul class="seat-status">')
    assert "Record this hand" in before
    assert "Folded: bob, cat" in names


def test_deal_asks_who_sits_out_if_the_game_is_for_fewer_players(
    host: Client, night: Night
) -> None:
    """Who sat out was asked only when the hand was recorded, after the cards had been dealt."""
    seat(night, add_player(night.league, "eve"))
    ann, at = player(night, "ann"), f"/nights/{night.pk}"
    deal = a_deal(night, "seven-card-draw")
    assert "Who sits out?" not in html(member(night.league, Role.VIEWER).get(at))
    asked = host.get(at)
    assert "This game is for 2 to 4 players." in html(asked)
    fields = sent(form_of(asked, "sits-out"))
    assert fields["state"] == ["away"]
    host.post(f"{at}/deal/state", fields | {"player": [str(ann.pk)]})
    assert deal.players.get(player=ann).state == "away"
    answered = host.get(at)
    assert "Who sits out?" not in html(answered)
    assert "Deal ann in" in html(answered)
    host.post(f"{at}/deal/state", sent(form_of(answered, f"in-{ann.pk}")))
    assert "Who sits out?" in html(host.get(at))


def test_deal_does_not_ask_who_sits_out_if_the_table_fits(host: Client, night: Night) -> None:
    a_deal(night, "seven-card-draw")
    page = html(host.get(f"/nights/{night.pk}"))
    assert "This game is for" not in page
    assert "Who sits out?" not in page
