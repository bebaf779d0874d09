"""Readable account names, for feed users who do not know the ids."""

import re

import pytest

from league.models import Player
from league.nights import accounts
from league.nights.accounts import PARTS, names_of_accounts
from tests.helpers.api.feeds import reads
from tests.helpers.league.leagues import a_night
from tests.helpers.league.seasons import a_season

pytestmark = pytest.mark.django_db
ID = re.compile(r"[0-9a-f]{8}-")


def test_every_account_has_a_readable_name() -> None:
    league = a_season(a_night())
    results = reads(league, "transfers").json()["results"]
    words = {row[f"{side}_name"] for row in results for side in ("debit", "credit")}
    assert not [each for each in words if ID.search(each)]
    [season] = league.seasons.all()
    assert {"ann's tab", f"ann's stack, night 1 of {season.name}"} <= words
    assert f"the pot of hand 1, night 1 of {season.name}" in words
    Player.objects.filter(name="ann").update(name="Anna")
    renamed = reads(league, "transfers", "&fields=debit_name").json()["results"]
    assert "Anna's tab" in {row["debit_name"] for row in renamed}


def test_every_account_kind_has_a_name_within_its_own_league() -> None:
    night = a_night()
    dealt = night.league
    ann, [season] = dealt.players.get(name="ann"), dealt.seasons.all()
    keys = [
        accounts.tab(ann.pk),
        accounts.stack(night.pk, ann.pk),
        accounts.carry(night.pk),
        accounts.drift(night.pk),
        accounts.fund(season.pk),
        accounts.keeper(ann.pk),
    ]
    words = names_of_accounts(dealt, [key.key for key in keys])
    assert all(words[key.key] != key.key for key in keys)
    assert {key.kind for key in keys} | {"pot"} == set(PARTS)
    other = a_night().league
    assert names_of_accounts(other, [key.key for key in keys]) == {key.key: key.key for key in keys}
