"""Hands that two devices recorded differently: show both records, and store the host's decision."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import AnswerField, RecordField
from api.http.idempotency import idempotent
from api.http.paging import page_of, single_page
from api.http.resource import Resource
from api.openapi.schema import operation
from league.access import Action, find_hand
from league.common.text import game_of
from league.models import ConflictingRecord
from league.recording.conflicts import deal_apart, keep_hand, take_conflicting_record


class ConflictSerializer(serializers.ModelSerializer[ConflictingRecord]):
    """Another device's record of a hand. `id` is the id that this device sent."""

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
            "made_at",
            "decided_at",
        )
        read_only_fields = fields

    def get_game(self, conflict: ConflictingRecord) -> str:
        return game_of(conflict.record["variant"], conflict.document.name)


ConflictPage = page_of(ConflictSerializer)


class HandConflicts(Resource):
    @operation(
        "list_conflicts",
        "Other devices' records of the hand",
        ConflictPage,
    )
    def get(self, request: Request, hand_id: UUID) -> Response:
        return _conflicts(self, find_hand(self.visitor, Action.LOOK, hand_id).pk)


class HandKeep(Resource):
    @operation(
        "keep_hand",
        "Keep the hand; waiting conflicts are refused",
        ConflictPage,
    )
    @idempotent
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.MANAGE, hand_id)
        keep_hand(hand, by=self.user)
        return _conflicts(self, hand.pk)


class ConflictAccept(Resource):
    @operation(
        "accept_conflict",
        "Correct the hand to the other device's record",
        ConflictPage,
    )
    @idempotent
    def post(self, request: Request, conflict_id: UUID) -> Response:
        return _decided(self, conflict_id, take_conflicting_record)


class ConflictSeparate(Resource):
    @operation(
        "separate_conflict",
        "Record it as a separate hand, because both were dealt",
        ConflictPage,
    )
    @idempotent
    def post(self, request: Request, conflict_id: UUID) -> Response:
        return _decided(self, conflict_id, deal_apart)


def _decided(view: Resource, conflict_id: UUID, decide: Callable[..., object]) -> Response:
    rows = ConflictingRecord.objects.select_related("night__season__league__book")
    conflict = rows.filter(pk=conflict_id).first()
    if conflict is None:
        raise Http404
    conflict.hand = find_hand(view.visitor, Action.MANAGE, conflict.hand_id)
    decide(conflict, by=view.user)
    return _conflicts(view, conflict.hand_id)


def _conflicts(view: Resource, hand_id: UUID) -> Response:
    rows: Any = (
        ConflictingRecord.objects.filter(hand=hand_id)
        .select_related("document")
        .order_by("made_at")
    )
    return Response(single_page(view.serialize(ConflictSerializer, rows, many=True)))
