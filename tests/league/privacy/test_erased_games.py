"""An erasure replaces a name in a league's games, and all hands and seals stay valid."""

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from league.games import odds
from league.games.house_games import copy, current, documents_of, retire, revise, write
from league.games.lookup import replayable
from league.integrity import triggers
from league.integrity.audit import audit
from league.journal.sealed_rows import CHIPS
from league.models import (
    Closing,
    Deal,
    Event,
    Favourite,
    GameDocument,
    HandFact,
    HouseGame,
    HouseGameVersion,
    Night,
    Player,
    Revision,
    Role,
    User,
)
from league.people.leagues import add_member
from league.privacy.erasure import erase_player, erase_user
from league.proofs.signing import proof_of
from league.proofs.verification import flaws
from league.recording.record import record_hand
from league.stats.count import check_night, count_marked
from rules import settle, settle_many
from rules.documents import catalog, documents
from rules.documents.documents import NEUTRAL, with_texts
from tests.helpers.league.all_rows import everywhere
from tests.helpers.league.house_games import CROSS, LOW_CROSS, a_house_game, crossed
from tests.helpers.league.leagues import a_user, player
from tests.helpers.league.nights import a_table, closed, dealt
from tests.helpers.rules.vectors import SETTLED, lines_of
from tests.helpers.stages import sample

pytestmark = pytest.mark.django_db
NAME = "Anastasia"
# A game with the name in a field that does not affect the rules.
NAMED = {
    "name": CROSS.replace("Grandma's Cross", f"{NAME}'s Misery"),
    "one-word-name": CROSS.replace("Grandma's Cross", NAME),
    "by": CROSS.replace('by = "Grandma"', f'by = "{NAME}"'),
    "other-letters": CROSS.replace('by = "Grandma"', f'by = "{NAME.upper()} and others"'),
    "escaped": CROSS.replace('by = "Grandma"', 'by = "An\\u0061stasia"'),
    "source": f'source = "told by {NAME}"\n{CROSS}',
    "aliases": f'aliases = ["Cross", "{NAME}"]\n{CROSS}',
    "comment": f"{CROSS}# {NAME} wrote this\n",
    "comment-in-line": CROSS.replace("players = [2, 8]", f"players = [2, 8]  # {NAME}'s table"),
    "long-name": CROSS.replace("Grandma's Cross", f"{NAME} {'x' * 190}"),
    "all": f'aliases = ["{NAME}"]\nsource = "{NAME}"\n'
    + CROSS.replace("Grandma", NAME)
    + f"# {NAME}\n",
}


def a_table_of_hers() -> Night:
    night = a_table()
    Player.objects.filter(pk=player(night, "ann").pk).update(name=NAME)
    return night


def hers(record: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(record).replace('"ann"', f'"{NAME}"'))
    return told


def answers() -> dict[object, tuple[object, ...]]:
    """Return the hands' nets by player id."""
    return {
        row.pk: tuple(
            sorted((row.names[name], chips) for name, chips in row.answer[key].items())
            for key in ("paid", "won", "net")
        )
        for row in Revision.objects.all()
    }


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED.keys())
def test_erased_name_of_a_game_is_absent_from_all_rows(text: str) -> None:
    night = a_table_of_hers()
    game = write(night.league, text, by=a_user("writer"))
    for record in (hers(crossed(game.slug)), crossed(game.slug, players=others())):
        dealt(night, record)
    inline = documents.parse(text) | {"source": f"of {NAME}'s house"}
    dealt(night, hers(crossed("x") | {"variant": inline}))
    closing = closed(night)
    retire(game)
    later = write(night.league, text + "\n# never dealt\n", by=None)
    before, proof = answers(), proof_of(closing)
    assert proof
    assert audit() == []
    erase_player(player(night, NAME), by=None)
    assert not re.search(NAME, everywhere(), re.IGNORECASE)
    assert answers() == before
    for row in Revision.objects.select_related("document"):
        assert settle(replayable(row))["won"] == row.answer["won"]
    assert audit() == []
    assert not list(flaws(proof))
    assert not list(flaws(proof_of(Closing.objects.get()) or proof))
    for written in (game, later):
        version = current(HouseGame.objects.get(pk=written.pk))
        assert documents.parse(version.text) == version.document.document
        assert documents.check(version.text) == []


def others() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = crossed("x")["players"]
    return [row | {"name": name} for row, name in zip(rows, ("bob", "cat"), strict=True)]


def test_references_to_a_game_with_an_erased_name_use_its_new_slug() -> None:
    night = a_table_of_hers()
    game = write(night.league, NAMED["name"], by=None)
    user = a_user("fan")
    Favourite.objects.create(user=user, league=night.league, game=game.slug)
    Deal.objects.create(id=uuid4(), night=night, variant=game.slug)
    dealt(night, hers(crossed(game.slug)))
    count_marked(night.league.pk)
    assert game.slug == "anastasias-misery"
    erase_player(player(night, NAME), by=None)
    game.refresh_from_db()
    assert (game.slug, game.name) == ("gone-1s-misery", "Gone 1's Misery")
    assert Favourite.objects.get().game == Deal.objects.get().variant == game.slug
    assert HandFact.objects.get().game == game.slug
    assert list(documents_of(night.league)) == [game.slug]
    Deal.objects.all().delete()
    dealt(night, crossed(game.slug, players=others()))
    count_marked(night.league.pk)
    assert check_night(night.league.pk, night.pk) == []
    assert audit() == []


def test_name_in_a_comment_is_replaced_and_the_comment_kept() -> None:
    night = a_table_of_hers()
    game = write(night.league, f"# As {NAME} deals it\n{CROSS}# Simple\n", by=None)
    erase_player(player(night, NAME), by=None)
    assert current(game).text == f"# As Gone 1 deals it\n{CROSS}# Simple\n"


def test_name_is_erased_from_every_version() -> None:
    night = a_table_of_hers()
    game = write(night.league, NAMED["by"], by=None)
    revise(game, NAMED["by"].replace('"high"', '"low: worst"'), by=None)
    revise(game, LOW_CROSS, by=None)
    erase_player(player(night, NAME), by=None)
    first, second, third = HouseGameVersion.objects.order_by("number")
    assert "Gone 1" in first.text
    assert "Gone 1" in second.text
    assert third.text == LOW_CROSS
    assert audit() == []


def test_rule_words_that_equal_an_erased_name_do_not_change() -> None:
    """Erasing a player named "high" changes no shares, and erasing "down" changes no deals."""
    for name in ("high", "down", "ante", "line"):
        night = a_table()
        Player.objects.filter(pk=player(night, "ann").pk).update(name=name)
        text = f"{CROSS}# {name} wrote this\n"
        game = write(night.league, text, by=None)
        document = current(game).document.document
        record = json.loads(json.dumps(crossed(game.slug)).replace('"ann"', f'"{name}"'))
        record_hand(night, uuid4(), record, by=None)
        before = answers()
        erase_player(player(night, name), by=None)
        assert current(game).document.document == document
        assert documents.parse(current(game).text) == document
        assert answers() == before
    assert audit() == []


def test_catalog_documents_do_not_change() -> None:
    """A copy of a catalog game keeps its name, even if a player has the same name."""
    night = a_table()
    Player.objects.filter(pk=player(night, "ann").pk).update(name="Nightmare")
    game = copy(night.league, "nightmare", by=None)
    dealt(night, crossed("x", players=others()) | {"variant": documents.parse(CROSS)})
    erase_player(player(night, "Nightmare"), by=None)
    assert current(game).document.document == catalog.document("nightmare")
    assert audit() == []


def test_two_games_keep_distinct_names_after_an_erasure() -> None:
    night = a_table_of_hers()
    for name in (NAME, NAME.upper()):
        variant = documents.parse(CROSS) | {"name": name}
        dealt(night, hers(crossed("x") | {"variant": variant}))
    count_marked(night.league.pk)
    erase_player(player(night, NAME), by=None)
    assert sorted(HandFact.objects.values_list("game", flat=True)) == ["Gone 1", "Gone 1 2"]
    assert check_night(night.league.pk, night.pk) == []


def test_erased_document_shared_by_two_leagues_stays_valid_in_both() -> None:
    nights = [a_table_of_hers(), a_table()]
    document = documents.parse(NAMED["by"])
    for night in nights:
        write(night.league, NAMED["by"], by=None)
        dealt(night, crossed("x", players=others()) | {"variant": document})
        closed(night)
    erase_player(player(nights[0], NAME), by=None)
    assert audit() == []
    row = GameDocument.objects.get(pk=documents.content_hash(document))
    assert row.document["by"] == "Gone 1"
    assert row.rewritten == documents.content_hash(row.document)


def test_second_erasure_replaces_a_different_name_in_the_same_document() -> None:
    night = a_table_of_hers()
    game = write(night.league, CROSS.replace("Grandma's", f"{NAME} and bob's"), by=None)
    dealt(night, hers(crossed(game.slug)))
    closed(night)
    erase_player(player(night, NAME), by=None)
    erase_player(player(night, "bob"), by=None)
    assert current(game).document.name == "Gone 1 and Gone 2's Cross"
    assert audit() == []


def test_odds_that_contain_the_name_are_deleted() -> None:
    night = a_table_of_hers()
    odds.request_odds(documents.parse(NAMED["by"]), (), 5, league=night.league.pk)
    erase_player(player(night, NAME), by=None)
    assert not re.search(NAME, everywhere(), re.IGNORECASE)


def test_events_use_the_current_name_of_the_game() -> None:
    night = a_table_of_hers()
    data = {"game": "middlemost", "game_name": NAME, "number": 1}
    write(night.league, NAMED["one-word-name"], by=None)
    Event.objects.create(league=night.league, kind="hand.settled", data=data)
    erase_player(player(night, NAME), by=None)
    assert Event.objects.get().data["game_name"] == "Gone 1"


def test_game_text_cannot_be_changed_outside_an_erasure() -> None:
    night = a_table_of_hers()
    game = write(night.league, NAMED["all"], by=None)
    dealt(night, hers(crossed(game.slug)))
    closed(night)
    erase_player(player(night, NAME), by=None)
    for rows, change in (
        (HouseGameVersion.objects.all(), {"text": "other"}),
        (GameDocument.objects.all(), {"name": "other"}),
        (GameDocument.objects.all(), {"document": {}}),
        (GameDocument.objects.all(), {"rewritten": "0" * 64}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)


@pytest.mark.parametrize("text", ["another text", CROSS])
def test_audit_after_an_erasure_reports_rules_changed_before_the_erasure(text: str) -> None:
    """The erasure's log entry contains the old row's digest, which is in the journal."""
    night = a_table_of_hers()
    write(night.league, NAMED["comment"], by=None)
    with triggers.renaming():
        HouseGameVersion.objects.update(text=f"{text}# {NAME}")
    erase_player(player(night, NAME), by=None)
    assert any("content" in finding.text for finding in audit())


def test_audit_reports_an_erased_document_whose_rules_differ() -> None:
    night = a_table_of_hers()
    game = write(night.league, NAMED["all"], by=None)
    dealt(night, hers(crossed(game.slug)))
    closed(night)
    erase_player(player(night, NAME), by=None)
    row = GameDocument.objects.get(pk=Revision.objects.get().document_id)
    document = row.document | {"shares": ["low: worst"]}
    with triggers.renaming():
        GameDocument.objects.filter(pk=row.pk).update(
            document=document, rewritten=documents.content_hash(document)
        )
    codes = {finding.code for finding in audit()}
    assert {"seal-broken", "hand-differs"} <= codes


names = st.text("abcXYZäß' ", min_size=1, max_size=8).map(str.strip).filter(bool)


@given(name=names, text=st.text(min_size=1, max_size=30), slug=st.sampled_from(catalog.slugs()))
def test_replacing_names_does_not_change_rules(name: str, text: str, slug: str) -> None:
    """For any name, only values that don't affect the rules change, and the game stays valid."""
    pattern = re.compile(re.escape(name), re.IGNORECASE)
    document = catalog.document(slug) | {"by": f"{text}{name}", "aliases": [name, text]}
    renamed = with_texts(document, lambda part: pattern.sub("Gone 1", part))
    assert renamed.keys() == document.keys()
    for key in document.keys() - set(NEUTRAL):
        assert renamed[key] == document[key]


@pytest.mark.parametrize(
    "path", sample(SETTLED, 40, lambda path: path.stem), ids=lambda path: path.stem
)
def test_hands_settle_the_same_after_names_and_sources_of_games_change(path: Path) -> None:
    texts = {"name": "Gone", "by": "Gone 1", "source": "Gone", "aliases": ["Gone"]}
    records = [
        row["record"]
        for row in lines_of(path)
        if isinstance(row["record"], dict) and row["record"].get("variant") in catalog.slugs()
    ]
    rewritten = [
        record | {"variant": catalog.document(record["variant"]) | texts} for record in records
    ]
    for answer, other in zip(settle_many(records), settle_many(rewritten), strict=True):
        assert {key: other.get(key) for key in CHIPS} == {key: answer.get(key) for key in CHIPS}


def test_account_name_is_also_replaced_in_games() -> None:
    night = a_table()
    user = a_user("x")
    User.objects.filter(pk=user.pk).update(username=NAME)
    add_member(night.league, user, Role.SCOREKEEPER)
    game = a_house_game(night, NAMED["by"])
    user.refresh_from_db()
    erase_user(user, by=None)
    assert current(game).document.document["by"] == "Gone"
    assert not re.search(NAME, everywhere(), re.IGNORECASE)
    assert audit() == []
