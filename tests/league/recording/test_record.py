"""Recording a hand settles, stores and posts it in one transaction, once for each id."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.closing.cash_outs import cash_out
from league.closing.close import Decisions, close_night
from league.common.errors import HandChangedError, IdReusedError, NightClosedError, RefusedError
from league.deals.table import Table
from league.models import GameDocument, Hand, Night, Revision, StaleMark
from league.nights import accounts
from league.nights.buy_ins import undo
from league.nights.nights import carry, leave, seat, stacks
from league.people.leagues import add_player
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import SentHand, check, record_batch, record_hand
from league.recording.sent_hands import Recorded
from ledger.balances import balances
from ledger.models import Account
from ledger.validation import PostingRefusedError
from tests.helpers.league.books import total
from tests.helpers.league.leagues import a_league, a_night, a_user, holdem, player, qualifiers
from tests.helpers.league.nights import again
from tests.helpers.league.tampering import unguarded

pytestmark = pytest.mark.django_db

# Recording reads names and rules. Then, in a transaction, it locks rows, reads the names again,
# writes the hand, marks the stats and looks up webhooks. bench/api.py measures these queries.
QUERIES_A_HAND = 20


def record(night: Night, what: object, hand_id: UUID | None = None) -> Recorded:
    return record_hand(night, hand_id or uuid4(), what, by=None)


def chips(night: Night) -> dict[str, int]:
    """Return the stacks by name, without unused ones."""
    return {
        str(player(night, name)): stack
        for name in ("ann", "bob", "cat", "dan")
        if (stack := stacks(night)[player(night, name).pk]) != 100
    }


def tabs(night: Night) -> dict[str, int]:
    held = balances(night.league.book, kind="tab")
    return {
        name: held[accounts.tab(player(night, name).pk).key]
        for name in ("ann", "bob", "cat", "dan")
        if held[accounts.tab(player(night, name).pk).key] != -100
    }


def drift(night: Night) -> int:
    key = accounts.drift(night.pk).key
    return balances(night.league.book, keys=[key]).get(key, 0)


def paying(chips: int) -> dict[str, Any]:
    """Return a hand in which ann wins this many chips from bob."""
    return holdem(players=[each | {"paid": chips} for each in holdem()["players"]])


def codes(answer: dict[str, Any]) -> list[str]:
    return [each["code"] for each in answer["findings"]]


def errors(refused: pytest.ExceptionInfo[RefusedError]) -> list[tuple[str, str]]:
    return [(each["where"], each["code"]) for each in refused.value.errors]


# Effects of recording


def test_hand_moves_chips_and_leaves_an_empty_pot() -> None:
    night = a_night()
    recorded = record(night, holdem())
    assert recorded.created
    assert recorded.answer["won"] == {"ann": 20, "bob": 0}
    assert chips(night) == {"ann": 110, "bob": 90}
    assert tabs(night) == {}
    assert set(balances(night.league.book, kind="pot").values()) == {0}
    assert total(night.league.book) == 0


def test_hand_stores_record_answer_names_document_and_recorder() -> None:
    night, host = a_night(), a_user()
    revision = record_hand(night, uuid4(), holdem(), by=host).revision
    response = Revision.objects.get(pk=revision.pk)
    assert (response.number, response.current, response.voids, response.depth) == (
        1,
        True,
        False,
        "showdown",
    )
    assert response.record == holdem()
    assert response.answer == revision.answer
    assert response.names == {name: str(player(night, name).pk) for name in ("ann", "bob")}
    assert response.made_by == host
    assert response.posting.actor == f"user:{host.pk}"
    assert (response.document.slug, response.document.name) == ("texas-holdem", "Texas Hold'em")


def test_document_is_stored_once_for_all_hands_that_use_it() -> None:
    night = a_night()
    record(night, holdem())
    record(night, holdem())
    own = GameDocument.objects.get().document
    record(night, holdem(variant=own))
    assert GameDocument.objects.count() == 1


def test_hand_marks_the_stats_as_stale() -> None:
    night = a_night()
    revision = record(night, holdem()).revision
    mark = StaleMark.objects.get()
    assert (mark.league, mark.hand, mark.revision) == (night.league, revision.hand, revision)


def test_result_without_cards_is_accepted() -> None:
    night = a_night()
    players = [{"name": name, "paid": 10} for name in ("ann", "bob", "cat")]
    told = {"variant": "nightmare", "button": 0, "depth": "result", "players": players}
    recorded = record(night, told | {"took": {"cat": 30}})
    assert recorded.revision.depth == "result"
    assert chips(night) == {"ann": 90, "bob": 90, "cat": 120}


def test_uncalled_chips_are_returned() -> None:
    night = a_night()
    players = [
        {"name": "ann", "paid": 12},
        {"name": "bob", "paid": 5, "folded": True},
        {"name": "cat", "paid": 2, "folded": True},
    ]
    record(night, {"variant": "texas-holdem", "button": 0, "players": players})
    assert chips(night) == {"ann": 107, "bob": 95, "cat": 98}


def test_player_who_has_left_can_still_be_in_a_late_hand() -> None:
    night = a_night()
    leave(night, player(night, "bob"))
    assert record(night, holdem()).created


def test_check_has_the_same_result_as_recording_but_stores_nothing() -> None:
    night = a_night()
    checked = check(night, holdem(carried=3))
    assert not checked.errors
    assert not Hand.objects.exists()
    assert checked.answer == record(night, holdem(carried=3)).answer


def test_dealer_button_moves_to_the_next_taken_seat() -> None:
    night = a_night()
    assert getattr(Table(night).dealer_in_turn, "position", None) == 1
    record(night, holdem())  # bob deals
    assert getattr(Table(night).dealer_in_turn, "position", None) == 3
    leave(night, player(night, "cat"))
    assert getattr(Table(night).dealer_in_turn, "position", None) == 4
    leave(night, player(night, "dan"))
    assert getattr(Table(night).dealer_in_turn, "position", None) == 1


def test_recording_a_hand_runs_a_constant_number_of_queries() -> None:
    night = a_night()
    counts = []
    for _ in range(6):
        with CaptureQueriesContext(connection) as queries:
            record(night, holdem())
        counts.append(len(queries))
    assert set(counts[1:]) == {QUERIES_A_HAND}
    assert counts[1] <= counts[0]


# Idempotency and atomicity


def test_repeated_hand_is_stored_once_with_one_answer() -> None:
    night, hand_id = a_night(), uuid4()
    first = record(night, holdem(), hand_id)
    again = record(night, holdem(), hand_id)
    assert (again.hand, again.answer, again.created) == (first.hand, first.answer, False)
    assert chips(night) == {"ann": 110, "bob": 90}
    assert StaleMark.objects.count() == 1


def test_hand_repeated_after_its_correction_returns_its_first_answer() -> None:
    night, hand_id = a_night(), uuid4()
    first = record(night, holdem(), hand_id)
    void_hand(first.hand, by=None)
    assert record(night, holdem(), hand_id).answer == first.answer


def test_hand_repeated_after_closing_returns_its_first_answer() -> None:
    night, hand_id = a_night(), uuid4()
    first = record(night, holdem(), hand_id)
    with unguarded():
        Night.objects.update(state=Night.State.CLOSED)
    assert record(night, holdem(), hand_id).answer == first.answer
    with pytest.raises(NightClosedError):
        record(night, holdem())


def test_id_cannot_be_reused_for_a_different_record_or_night() -> None:
    night, hand_id = a_night(), uuid4()
    record(night, holdem(), hand_id)
    with pytest.raises(IdReusedError):
        record(night, holdem(button=0), hand_id)
    with pytest.raises(IdReusedError):
        record(a_night(), holdem(), hand_id)


@pytest.mark.django_db(transaction=True)
def test_hand_sent_by_many_phones_at_once_is_stored_once() -> None:
    night, hand_id = a_night(), uuid4()

    def send(_: int) -> bool:
        try:
            return record(night, holdem(), hand_id).created
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(send, range(12))) == [False] * 11 + [True]
    assert chips(night) == {"ann": 110, "bob": 90}


@pytest.mark.django_db(transaction=True)
def test_concurrent_hands_are_numbered_without_gaps() -> None:
    night = a_night()

    def send(_: int) -> int:
        try:
            return record(night, holdem()).hand.number
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(send, range(12))) == list(range(1, 13))
    assert chips(night) == {"ann": 220, "bob": -20}
    assert total(night.league.book) == 0


@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_nights_accepts_an_id_sent_to_both_at_once() -> None:
    hand_id, tables = uuid4(), [a_night(), a_night()]

    def send(night: Night) -> bool:
        try:
            return record(night, holdem(), hand_id).created
        except IdReusedError:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(send, tables)) == [False, True]
    assert Hand.objects.count() == 1


def test_hand_whose_chips_cannot_be_posted_is_not_stored() -> None:
    night, hand_id = a_night(), uuid4()
    key = accounts.pot(hand_id).key
    Account.objects.create(book=night.league.book, key=key, kind="something else")
    with pytest.raises(PostingRefusedError):
        record(night, holdem(), hand_id)
    assert not Hand.objects.exists()
    assert not Revision.objects.exists()
    assert not StaleMark.objects.exists()
    assert not GameDocument.objects.exists()
    assert chips(night) == {}


def test_refused_hand_does_not_use_up_a_hand_number() -> None:
    night = a_night()
    with pytest.raises(RefusedError):
        record(night, holdem(button=9))
    assert record(night, holdem()).hand.number == 1


# Rejected records


def test_name_without_a_seat_is_refused_together_with_errors_from_the_rules() -> None:
    night = a_night()
    add_player(night.league, "eve")  # in the league, but not at the table
    players = [{"name": "eve", "paid": -1}, {"name": "bob", "paid": 5, "folded": True}]
    with pytest.raises(RefusedError) as refused:
        record(night, holdem(players=players, board=None))
    assert ("players/0/name", "unknown-player") in errors(refused)
    assert ("players/0/paid", "bad-chips") in errors(refused)
    assert not Hand.objects.exists()


def deep(levels: int) -> Any:
    nest: Any = []
    for _ in range(levels):
        nest = [nest]
    return nest


WRONG: list[tuple[Any, str, str]] = [
    (None, "", "wrong-type"),
    ([], "", "wrong-type"),
    ("texas-holdem", "", "wrong-type"),
    (holdem(players=[{"name": "x" * 10_000, "paid": 1}]), "players/0/name", "unknown-player"),
    (holdem(players=[{"name": "a\0n", "paid": 1}]), "players/0/name", "wrong-type"),
    (holdem(players=[{"name": "\ud800", "paid": 1}]), "players/0/name", "wrong-type"),
    (holdem(note="\0"), "note", "unknown-key"),
    (holdem(**{"\ud83c": 1}), "", "unknown-key"),
    (holdem(variant="\0"), "variant", "unknown-game"),
    (holdem(carried=1e400), "carried", "bad-chips"),
    (holdem(carried=10**30), "carried", "bad-chips"),
    (holdem(carried=deep(900)), "carried", "wrong-type"),
    (holdem(players=[{"name": "ann", "paid": 1}] * 10_000), "players", "wrong-type"),
    (holdem(board=[["2h"]] * 10_000), "board", "card-count"),
    (holdem(button=True), "button", "wrong-type"),
]


@pytest.mark.parametrize(("what", "where", "code"), WRONG)
def test_any_invalid_input_is_clearly_refused(what: Any, where: str, code: str) -> None:
    night = a_night()
    with pytest.raises(RefusedError) as refused:
        record(night, what)
    assert any(code == found and place.startswith(where) for place, found in errors(refused))
    for error in refused.value.errors:
        " ".join(error.values()).encode()  # raises an error if the text can't be encoded as UTF-8
        assert len(error["text"]) < 1_000
    assert not Hand.objects.exists()


def test_inline_game_with_unstorable_text_is_refused() -> None:
    night = a_night()
    record(night, holdem())
    own = GameDocument.objects.get().document
    for name in ("Hold\0em", "Hold\udfffem"):
        with pytest.raises(RefusedError) as refused:
            record(night, holdem(variant=own | {"name": name}))
        assert errors(refused)[0][0].startswith("variant")


def test_closed_night_accepts_corrections_but_no_new_hands() -> None:
    night = a_night()
    hand_id = uuid4()
    hand = record(night, holdem(), hand_id).hand
    with unguarded():
        Night.objects.filter(pk=night.pk).update(state=Night.State.CLOSED)
    with pytest.raises(NightClosedError):
        record(night, holdem())
    assert not record(night, holdem(), hand_id).created
    void_hand(hand, by=None)
    assert chips(night) == {}


# The table paid differently


def test_stacks_follow_the_table_and_money_follows_the_rules() -> None:
    night = a_night()
    recorded = record(night, holdem(took={"bob": 20}))
    assert codes(recorded.answer) == ["took-differs", "took-differs"]
    assert chips(night) == {"ann": 90, "bob": 110}
    assert tabs(night) == {"ann": -80, "bob": -120}
    assert set(balances(night.league.book, kind="pot").values()) == {0}


def test_took_that_does_not_match_the_pot_is_refused() -> None:
    night = a_night()
    untaken = holdem(took={"bob": 19})
    with pytest.raises(RefusedError, match="Add the missing 1"):
        record(night, untaken)
    hand = record(night, holdem()).hand
    with pytest.raises(RefusedError, match="19 of 20"):
        revise_hand(hand, uuid4(), untaken, by=None)
    with pytest.raises(RefusedError, match="That is 10 too many"):
        record_batch(night, [SentHand(hand_id=uuid4(), record=holdem(took={"bob": 30}))], by=None)
    assert Revision.objects.count() == 1


def test_took_without_chips_that_the_rules_carry_is_accepted() -> None:
    night = a_night()
    assert record(night, qualifiers(took={})).answer["carry"] == 20
    assert carry(night) == 20


def put_and_take(**amounts: int | None) -> dict[str, Any]:
    """Return a hand against ann's bank. bob puts 2 and takes 2, and cat puts 14 and takes 4."""
    hands = {
        "bob": ["Kh", "Kc", "4d", "8s", "Ts"],
        "cat": ["7s", "9d", "Jc", "2s", "6h"],
    }
    players: list[dict[str, Any]] = [{"name": "ann"}]
    players += [{"name": name, "up": up} for name, up in hands.items()]
    for row in players:
        if (paid := amounts.get(f"{row['name']}_paid")) is not None:
            row["paid"] = paid
    board = [["Ks", "7d", "2h", "9c", "Jd"], ["Kd", "3s", "Qh", "7c", "5d"]]
    return {"variant": "put-and-take", "button": 0, "players": players, "board": board}


def test_put_and_take_follows_the_rules_if_the_table_reports_nothing() -> None:
    night = a_night()
    record(night, put_and_take())
    assert chips(night) == {"ann": 110, "cat": 90}
    assert tabs(night) == {}


def test_put_and_take_follows_the_rules_if_the_table_report_is_incomplete() -> None:
    night = a_night()
    told = put_and_take(bob_paid=3, cat_paid=14) | {"took": {"bob": 2, "cat": 4}}
    assert "put-differs" in codes(record(night, told).answer)
    assert chips(night) == {"ann": 110, "cat": 90}


def test_put_and_take_follows_a_complete_table_report() -> None:
    night = a_night()
    told = put_and_take(bob_paid=3, cat_paid=14) | {"took": {"ann": 11, "bob": 2, "cat": 4}}
    record(night, told)
    assert chips(night) == {"ann": 111, "bob": 99, "cat": 90}
    assert tabs(night) == {"ann": -101, "bob": -99}


def test_player_who_paid_more_than_their_stack_is_named() -> None:
    night = a_night(chips=5)
    findings = [
        finding["player"]
        for finding in record(night, holdem()).answer["findings"]
        if finding["code"] == "buy-in-missing"
    ]
    assert findings == ["ann", "bob"]
    assert stacks(night)[player(night, "bob").pk] == -5
    assert "buy-in-missing" not in codes(record(a_night(chips=10), holdem()).answer)


# Carried pots


def test_unwon_pot_is_carried_to_the_next_hand() -> None:
    night = a_night()
    first = record(night, qualifiers())
    assert first.answer["carry"] == 20
    assert (carry(night), first.revision.carry) == (20, 20)
    second = record(night, holdem(carried=20))
    assert "carry-differs" not in codes(second.answer)
    assert carry(night) == 0
    assert chips(night) == {"ann": 120, "bob": 80}


def test_hand_that_omits_the_carried_chips_is_reported_and_leaves_them() -> None:
    night = a_night()
    record(night, qualifiers())
    assert codes(record(night, holdem()).answer) == ["carry-differs"]
    assert (carry(night), drift(night)) == (20, 0)


def test_unknown_carried_chips_come_from_drift() -> None:
    night = a_night()
    record(night, qualifiers())
    assert codes(record(night, holdem(carried=30)).answer) == ["carry-differs"]
    assert (carry(night), drift(night)) == (0, -10)
    assert chips(night) == {"ann": 130, "bob": 80}


def test_player_paid_a_pot_that_should_have_been_carried_owes_it() -> None:
    night = a_night()
    record(night, qualifiers(took={"ann": 20}))
    assert chips(night) == {"ann": 110, "bob": 90}
    assert tabs(night) == {"ann": -120}
    assert carry(night) == 20


# Corrections


def test_revision_reverses_the_old_chips_and_keeps_both_versions_visible() -> None:
    night, host = a_night(), a_user()
    hand = record(night, holdem()).hand
    again = holdem()
    again["players"][1]["down"] = ["Qs", "Qd"]
    revised = revise_hand(hand, uuid4(), again, by=host, reason="bob had queens")
    assert revised.created
    assert chips(night) == {"ann": 90, "bob": 110}
    first, second = hand.revisions.order_by("number")
    assert (first.number, first.current, second.number, second.current) == (1, False, 2, True)
    assert (second.reason, second.made_by) == ("bob had queens", host)
    assert first.posting.reversal.transfers.count() == first.posting.transfers.count()
    assert [each.revision for each in StaleMark.objects.order_by("id")] == [first, second]


def test_repeated_revision_is_stored_once() -> None:
    night, key = a_night(), uuid4()
    hand = record(night, holdem()).hand
    first = revise_hand(hand, key, holdem(button=0), by=None)
    again = revise_hand(hand, key, holdem(button=0), by=None)
    assert (again.revision, again.created) == (first.revision, False)
    with pytest.raises(IdReusedError):
        revise_hand(hand, key, holdem(), by=None)
    with pytest.raises(IdReusedError):
        revise_hand(record(night, holdem()).hand, key, holdem(button=0), by=None)


@pytest.mark.django_db(transaction=True)
def test_one_of_concurrent_corrections_of_the_same_version_is_saved() -> None:
    """The version is compared under the lock. A repeated id isn't compared."""
    hand = record(a_night(), holdem()).hand
    seen = hand.revisions.get().pk

    def send(revision: tuple[UUID, int]) -> bool:
        key, chips = revision
        try:
            revise_hand(hand, key, paying(chips), by=None, seen=seen)
        except HandChangedError:
            return False
        finally:
            connection.close()
        return True

    keys = [uuid4() for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        saved = list(threads.map(send, zip(keys, range(4, 8), strict=True)))
    assert sorted(saved) == [False, False, False, True]
    assert hand.revisions.count() == 2
    winner = saved.index(True)
    assert send((keys[winner], winner + 4))


def test_invalid_revision_is_refused_with_all_errors_and_not_stored() -> None:
    night = a_night()
    hand = record(night, holdem()).hand
    with pytest.raises(RefusedError) as refused:
        revise_hand(hand, uuid4(), holdem(button=9), by=None, reason="\0")
    assert errors(refused) == [("button", "bad-button"), ("reason", "wrong-type")]
    assert chips(night) == {"ann": 110, "bob": 90}


def test_voided_hand_returns_its_chips_and_stays_visible() -> None:
    night = a_night()
    hand = record(night, holdem()).hand
    void = void_hand(hand, by=None, reason="misdeal")
    assert (void.number, void.voids, void.current, void.reason) == (2, True, True, "misdeal")
    assert Hand.objects.get(pk=hand.pk).voided
    assert chips(night) == {}
    assert void_hand(hand, by=None) == void
    assert StaleMark.objects.count() == 2
    assert getattr(Table(night).dealer_in_turn, "position", None) == 1
    assert record(night, holdem()).hand.number == 2


def test_revising_a_voided_hand_restores_it() -> None:
    night = a_night()
    hand = record(night, holdem()).hand
    void_hand(hand, by=None)
    revise_hand(hand, uuid4(), holdem(), by=None)
    assert not Hand.objects.get(pk=hand.pk).voided
    assert chips(night) == {"ann": 110, "bob": 90}


def test_correcting_a_carried_pot_corrects_the_carried_chips() -> None:
    night = a_night()
    first = record(night, qualifiers()).hand
    second = record(night, holdem(carried=20)).hand
    void_hand(first, by=None)
    assert (carry(night), drift(night)) == (0, -20)
    revise_hand(first, uuid4(), qualifiers(), by=None)
    assert (carry(night), drift(night)) == (0, 0)
    void_hand(second, by=None)
    assert (carry(night), drift(night)) == (20, 0)
    assert total(night.league.book) == 0


def test_revision_is_compared_with_the_chips_carried_by_earlier_hands() -> None:
    night = a_night()
    record(night, qualifiers())
    hand = record(night, holdem()).hand
    record(night, qualifiers(carried=20))
    checked = check(night, holdem(carried=20), instead_of=hand)
    assert "carry-differs" not in codes(checked.answer)
    revised = revise_hand(hand, uuid4(), holdem(carried=20), by=None)
    assert revised.answer == checked.answer


def test_revision_that_makes_a_stack_negative_names_the_player() -> None:
    night = a_night(chips=10)
    hand = record(night, holdem()).hand
    found = revise_hand(hand, uuid4(), paying(15), by=None).answer["findings"]
    assert [(each["code"], each["player"]) for each in found] == [("buy-in-missing", "bob")]


def test_cash_out_after_a_hand_is_not_reported_as_a_missing_buy_in() -> None:
    """The chips existed when they were cashed out, even if a correction changes the stack."""
    night = a_night(chips=10)
    hand = record(night, paying(1)).hand
    out = cash_out(night, player(night, "bob"), 9, cash_out_id=uuid4(), by=None)
    assert check(night, paying(10), instead_of=hand).answer["findings"] == []
    undo(out, by=None)
    found = revise_hand(hand, uuid4(), paying(15), by=None).answer["findings"]
    assert [(each["code"], each["player"]) for each in found] == [("buy-in-missing", "bob")]


def test_correction_on_a_closed_night_is_checked_as_if_it_were_open() -> None:
    """Closing moves the stacks to the tabs, but the preview must equal the saved hand."""
    night = a_night(chips=30)
    hand = record(night, paying(10)).hand
    close_night(night, uuid4(), by=None, decisions=Decisions(by_hands=True))
    for chips, findings in ((30, []), (35, ["buy-in-missing"])):
        checked = check(again(night), paying(chips), instead_of=hand)
        assert codes(checked.answer) == findings
        assert revise_hand(hand, uuid4(), paying(chips), by=None).answer == checked.answer


def test_cash_out_before_a_hand_can_reveal_a_missing_buy_in() -> None:
    night = a_night(chips=10)
    bob = player(night, "bob")
    cash_out(night, bob, 4, cash_out_id=uuid4(), by=None)
    hand = record(night, paying(6)).hand
    found = revise_hand(hand, uuid4(), paying(8), by=None).answer["findings"]
    assert [(each["code"], each["player"]) for each in found] == [("buy-in-missing", "bob")]


def test_player_with_the_same_name_in_another_league_is_not_used() -> None:
    night, other = a_night(), a_league()
    add_player(other, "eve")
    seat(night, add_player(night.league, "Eve"))
    with pytest.raises(RefusedError):
        record(night, holdem(players=[{"name": "eve", "paid": 1}]))
