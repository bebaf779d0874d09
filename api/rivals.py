"""Hands that two phones told differently: both side by side, and what the host picks."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import AnyObject, Told
from api.once import once
from api.resource import Resource
from api.schema import operation
from league.access import Action, find_hand
from league.models import Rival
from league.picking import deal_apart, keep_hand, take_rival


class RivalTold(serializers.ModelSerializer[Rival]):
    """What another phone told of a hand; the id is the one that it had sent."""

    game = serializers.CharField(source="document.name", read_only=True)
    names = serializers.DictField(child=serializers.UUIDField(), read_only=True)
    record = AnyObject(read_only=True)
    answer = AnyObject(read_only=True)

    class Meta:
        model = Rival
        fields = (
            "id",
            "hand",
            "number",
            "state",
            "game",
            "names",
            "record",
            "answer",
            "made_at",
            "decided_at",
        )
        read_only_fields = fields


class RivalsTold(Told):
    results = RivalTold(many=True)


class HandRivals(Resource):
    @operation("What other phones told of the hand", RivalsTold)
    def get(self, request: Request, hand_id: UUID) -> Response:
        return _rivals(self, find_hand(self.visitor, Action.LOOK, hand_id).pk)


class HandKeep(Resource):
    @operation("Let the hand stand as it is; what waits beside it is refused", RivalsTold)
    @once
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.MANAGE, hand_id)
        keep_hand(hand, by=self.user)
        return _rivals(self, hand.pk)


class RivalTake(Resource):
    @operation("Correct the hand to what the other phone told", RivalsTold)
    @once
    def post(self, request: Request, rival_id: UUID) -> Response:
        return _picked(self, rival_id, take_rival)


class RivalApart(Resource):
    @operation("Record it as a hand of its own, since both were dealt", RivalsTold)
    @once
    def post(self, request: Request, rival_id: UUID) -> Response:
        return _picked(self, rival_id, deal_apart)


def _picked(view: Resource, rival_id: UUID, pick: Callable[..., object]) -> Response:
    rows = Rival.objects.select_related("night__season__league__book")
    rival = rows.filter(pk=rival_id).first()
    if rival is None:
        raise Http404
    rival.hand = find_hand(view.visitor, Action.MANAGE, rival.hand_id)
    pick(rival, by=view.user)
    return _rivals(view, rival.hand_id)


def _rivals(view: Resource, hand_id: UUID) -> Response:
    rows: Any = Rival.objects.filter(hand=hand_id).select_related("document").order_by("made_at")
    return Response({"results": view.told(RivalTold, rows, many=True)})
