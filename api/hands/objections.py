"""Players' objections to hands, and the answers to them."""

from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import Id, InputSerializer, RowSerializer, Text, created_field, name_field
from api.http.idempotency import idempotent
from api.http.paging import page_of
from api.http.resource import Resource, ShortList, status_of
from api.leagues.players import league_player
from api.openapi.schema import operation
from league.access import (
    Action,
    find_hand,
    find_objection,
    player_of,
    require_for,
    require_to_answer,
)
from league.hands.objections import Kind, answer_objection, object_to, objections_to
from league.models import LONGEST_REASON, Hand, Objection, ObjectionAnswer, Player


class ObjectionAnswerSerializer(RowSerializer[ObjectionAnswer]):
    """How an objection ended. `revision` is the number of the revision that corrected the hand."""

    revision = serializers.IntegerField(
        source="revision.number", read_only=True, allow_null=True, default=None
    )
    created_at = created_field()

    class Meta:
        model = ObjectionAnswer
        fields = ("kind", "text", "revision", "created_at")


class ObjectionSerializer(RowSerializer[Objection]):
    """A player's objection to a hand. `answer` is null while it is open.

    `revision` is the number of the revision that the player objects to. `address` is where to post
    the answer.
    """

    hand_number = serializers.IntegerField(source="hand.number", read_only=True)
    revision = serializers.IntegerField(source="revision.number", read_only=True)
    player_name = name_field("player")
    created_at = created_field()
    answer = ObjectionAnswerSerializer(source="final_answer", read_only=True, allow_null=True)
    address = serializers.SerializerMethodField()

    class Meta:
        model = Objection
        fields = (
            *("id", "hand", "hand_number", "revision", "player", "player_name", "reason"),
            *("created_at", "answer", "address"),
        )

    def get_address(self, objection: Objection) -> str:
        return reverse("api:answer-objection", args=[objection.pk])


class ObjectionInputSerializer(InputSerializer):
    """An objection by `player`, which defaults to the caller's own player."""

    id = Id()
    player = Id(required=False)
    reason = Text(max_length=LONGEST_REASON)


class ObjectionAnswerInputSerializer(InputSerializer):
    """`corrected` refers to the current revision of the hand, so correct the hand first."""

    kind = serializers.ChoiceField(Kind.choices)
    text = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


class HandObjections(ShortList):
    @operation(
        "list_objections", "The objections to a hand, oldest first", page_of(ObjectionSerializer)
    )
    def get(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.VIEW, hand_id)
        return self.page(ObjectionSerializer, objections_to(hand))

    @operation(
        "object_to_hand",
        "Object to a hand, once for each id",
        ObjectionSerializer,
        body=ObjectionInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.VIEW, hand_id)
        body = self.validated_body(ObjectionInputSerializer)
        player = self._player(hand, body)
        objection = object_to(hand, player, body["reason"], objection_id=body["id"], by=self.user)
        return Response(self.serialize(ObjectionSerializer, objection), status=status_of(objection))

    def _player(self, hand: Hand, body: dict[str, Any]) -> Player:
        """Return the player who objects. Raises PermissionDenied."""
        league = hand.night.league
        if "player" in body:
            player = league_player(league, body["player"], "player")
        elif (own := player_of(self.visitor, league)) is not None:
            player = own
        else:
            raise PermissionDenied("You have no player in this league. Name the player.")
        require_for(self.visitor, player, league)
        return player


class ObjectionAnswerDetail(Resource):
    @operation(
        "answer_objection",
        "Answer an objection as a host, or withdraw your own",
        ObjectionSerializer,
        body=ObjectionAnswerInputSerializer,
    )
    @idempotent
    def post(self, request: Request, objection_id: UUID) -> Response:
        objection = find_objection(self.visitor, objection_id)
        body = self.validated_body(ObjectionAnswerInputSerializer)
        require_to_answer(self.visitor, objection, withdraws=body["kind"] == Kind.WITHDRAWN)
        objection.answer = answer_objection(objection, body["kind"], body["text"], by=self.user)
        return Response(self.serialize(ObjectionSerializer, objection))
