"""A host can rename a player, and remove one who never played."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.audit_log import Kind, logged_actions
from league.common.errors import RefusedError
from league.house_rules import write_rule
from league.integrity.audit import audit
from league.models import FormerName, HouseRule, LogbookEntry, Night, Player, Revision, Role
from league.nights.nights import stacks
from league.people.leagues import add_player
from league.privacy.data_export import of_player
from league.privacy.erasure import CALLED, erase_player
from league.privacy.renaming import remove_player, rename_player
from league.recording.record import record_hand
from tests.helpers.api.clients import member
from tests.helpers.league.leagues import a_night, holdem, player
from tests.helpers.league.nights import closed, dealt
from tests.helpers.league.pages import html

pytestmark = pytest.mark.django_db


def test_renaming_changes_the_name_in_recorded_hands() -> None:
    night = a_night()
    dealt(night)
    before = stacks(night)
    ann = rename_player(player(night, "ann"), "  Anna  Maria ", by=None)
    [revision] = Revision.objects.all()
    assert ann.name == Player.objects.get(pk=ann.pk).name == "Anna Maria"
    assert [each["name"] for each in revision.record["players"]] == ["Anna Maria", "bob"]
    assert revision.answer["net"] == {"Anna Maria": 10, "bob": -10}
    assert revision.names["Anna Maria"] == str(ann.pk)
    assert '"ann"' not in str(revision.answer).replace("'", '"')
    assert stacks(night) == before
    assert audit(night.league) == []


def test_renamed_player_can_be_dealt_in_and_closed() -> None:
    night = a_night()
    dealt(night)
    rename_player(player(night, "ann"), "Anna", by=None)
    record = holdem()
    record["players"][0]["name"] = "Anna"
    record_hand(night, uuid4(), record, by=None)
    closing = closed(Night.objects.get(pk=night.pk))
    assert {line.player.name: line.net for line in closing.lines.all()}["Anna"] == 20
    assert audit(night.league) == []


@pytest.mark.parametrize(
    ("name", "code"), [("BOB", "name-twice"), ("", "missing"), ("x" * 101, "too-long")]
)
def test_new_name_follows_the_rules_of_new_players(name: str, code: str) -> None:
    night = a_night()
    with pytest.raises(RefusedError) as refused:
        rename_player(player(night, "ann"), name, by=None)
    assert [error["code"] for error in refused.value.errors] == [code]


def test_case_of_a_name_can_change() -> None:
    assert rename_player(player(a_night(), "ann"), "Ann", by=None).name == "Ann"


def test_activity_log_lists_a_renaming_without_names() -> None:
    night = a_night(chips=0)
    host = night.league.created_by
    rename_player(player(night, "ann"), "Anna", by=host)
    [action] = logged_actions(night.league)
    assert (action.kind, action.by, action.of, action.about) == (
        Kind.PLAYER_RENAMED,
        host,
        None,
        {},
    )


def test_log_page_names_renamed_players_while_their_former_names_are_stored() -> None:
    """The page listed that a player was renamed, without the old or the new name."""
    night = a_night()
    host = member(night.league, Role.HOST)
    ann = player(night, "ann")
    for name in ("Anna", "Anastasia"):
        ann = rename_player(ann, name, by=None)
    page = f"/leagues/{night.league.pk}/logbook"
    shown = html(host.get(page))
    assert "renamed ann to Anna" in shown
    assert "renamed Anna to Anastasia" in shown
    assert "renamed a player" not in shown
    entries = str(LogbookEntry.objects.values_list("about"))
    assert not any(name in entries for name in ("ann", "Anna", "Anastasia"))
    rename_player(ann, "Anna", by=None)  # "Anna" is no longer a former name
    shown = html(host.get(page))
    assert "renamed Anastasia to Anna" in shown
    assert shown.count("renamed a player") == 2
    erase_player(ann, by=None)
    shown = html(host.get(page))
    assert shown.count("renamed a player") == 3


def test_unchanged_name_is_not_logged() -> None:
    night = a_night(chips=0)
    rename_player(player(night, "ann"), " ann ", by=None)
    assert logged_actions(night.league) == []


def test_erasure_deletes_former_names_but_no_other_players_name() -> None:
    night = a_night()
    rename_player(player(night, "ann"), "Anastasia", by=None)
    rename_player(player(night, "bob"), "Robert", by=None)
    write_rule(night.league, "misdeal", "ann asks bob.", by=night.league.created_by)
    anastasia, robert = player(night, "Anastasia"), player(night, "Robert")
    assert of_player(anastasia)["former_names"] == ["ann"]
    closed(night)
    newcomer = add_player(night.league, "bob")
    for each in (anastasia, robert):
        erase_player(each, by=None)
    assert not FormerName.objects.exists()
    newcomer.refresh_from_db()
    assert newcomer.name == "bob"
    assert HouseRule.objects.get().text == f"{CALLED} 1 asks bob."


def test_player_without_a_night_is_removed() -> None:
    league = a_night(chips=0).league
    remove_player(add_player(league, "Bne"), by=league.created_by)
    assert not league.players.filter(name="Bne").exists()
    [action] = logged_actions(league)
    assert (action.kind, action.by, action.about) == (Kind.PLAYER_REMOVED, league.created_by, {})


def test_player_who_was_at_a_night_is_not_removed() -> None:
    ann = player(a_night(), "ann")
    with pytest.raises(RefusedError) as refused:
        remove_player(ann, by=None)
    assert [error["code"] for error in refused.value.errors] == ["has-played"]
    assert Player.objects.filter(pk=ann.pk).exists()
    assert not LogbookEntry.objects.exists()


def test_page_keeps_a_refused_name_and_links_its_error(client: Client) -> None:
    night = a_night()
    assert night.league.created_by
    client.force_login(night.league.created_by)
    ann = player(night, "ann")
    at = reverse("edit-player", args=[ann.pk])
    assert at in client.get(reverse("player", args=[ann.pk])).content.decode()
    response = client.post(at, {"name": "bob"})
    assert response.status_code == 400
    assert 'value="bob"' in response.content.decode()
    response = client.post(at, {"name": "Anna"}, follow=True)
    assert "ann is now called Anna." in response.content.decode()
