"""Hands that two devices recorded differently: show both records and store the host's decision."""

from collections.abc import Callable
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import AnswerField, RecordField, RowSerializer, StateField, created_field
from api.http.idempotency import idempotent
from api.http.paging import page_of, single_page
from api.http.resource import Resource, ShortList
from api.openapi.schema import operation
from league.access import Action, find_hand
from league.common.text import game_of
from league.models import ConflictingRecord
from league.recording.conflicts import accept_conflict, keep_hand, separate_conflict

State = ConflictingRecord.State
STATES = {state.value: state.name.lower() for state in State}
STATE_NAMES = [(name, name) for name in STATES.values()]


class ConflictSerializer(RowSerializer[ConflictingRecord]):
    """Another device's record of a hand. `id` is the id that this device sent."""

    state = StateField(STATES, read_only=True)
    created_at = created_field()
    game = serializers.SerializerMethodField()
    game_name = serializers.CharField(source="document.name", read_only=True)
    names = serializers.DictField(child=serializers.UUIDField(), read_only=True)
    record = RecordField(read_only=True)
    answer = AnswerField(read_only=True)

    class Meta:
        model = ConflictingRecord
        fields = (
            "id",
            "hand",
            "number",
            "state",
            "game",
            "game_name",
            "names",
            "record",
            "answer",
            "created_at",
            "decided_at",
        )

    def get_game(self, conflict: ConflictingRecord) -> str:
        return game_of(conflict.record["variant"], conflict.document.name)


ConflictPage = page_of(ConflictSerializer)


class HandConflicts(ShortList):
    @operation(
        "list_conflicts",
        "Other devices' records of the hand",
        ConflictPage,
    )
    def get(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.VIEW, hand_id)
        return self.page(ConflictSerializer, _conflicts(hand.pk))


class HandKeep(Resource):
    @operation(
        "keep_hand",
        "Keep the hand; waiting conflicts are declined",
        ConflictPage,
    )
    @idempotent
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.MANAGE, hand_id)
        keep_hand(hand, by=self.user)
        return _decided_response(self, hand.pk)


class ConflictAccept(Resource):
    @operation(
        "accept_conflict",
        "Correct the hand to the other device's record",
        ConflictPage,
    )
    @idempotent
    def post(self, request: Request, conflict_id: UUID) -> Response:
        return _decided(self, conflict_id, accept_conflict)


class ConflictSeparate(Resource):
    @operation(
        "separate_conflict",
        "Record it as a separate hand, because both were dealt",
        ConflictPage,
    )
    @idempotent
    def post(self, request: Request, conflict_id: UUID) -> Response:
        return _decided(self, conflict_id, separate_conflict)


def _decided(view: Resource, conflict_id: UUID, decide: Callable[..., object]) -> Response:
    rows = ConflictingRecord.objects.select_related("night__season__league__book")
    conflict = rows.filter(pk=conflict_id).first()
    if conflict is None:
        raise Http404
    conflict.hand = find_hand(view.visitor, Action.MANAGE, conflict.hand_id)
    decide(conflict, by=view.user)
    return _decided_response(view, conflict.hand_id)


def _decided_response(view: Resource, hand_id: UUID) -> Response:
    rows = view.serialize(ConflictSerializer, _conflicts(hand_id), many=True)
    return Response(single_page(rows))


def _conflicts(hand_id: UUID) -> QuerySet[ConflictingRecord]:
    rows = ConflictingRecord.objects.filter(hand=hand_id)
    return rows.select_related("document").order_by("made_at", "pk")
