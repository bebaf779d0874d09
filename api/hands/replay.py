"""A hand scene by scene."""

from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.hands.views import current_revision
from api.http.fields import OutputSerializer
from api.http.resource import Resource, dated
from api.http.schema import operation
from league.access import Action, find_hand
from league.hands.scenes import scenes_of


class SceneSerializer(OutputSerializer):
    """One step; places are paths into the record, "players/0/down/1", or to a card that was dealt.

    `lit` maps the place of a card that was used to the card it stood for, empty for itself.
    """

    kind = serializers.CharField()
    text = serializers.CharField()
    why = serializers.ListField(child=serializers.CharField())
    down = serializers.ListField(child=serializers.CharField())
    up = serializers.ListField(child=serializers.CharField())
    turned = serializers.ListField(child=serializers.CharField())
    gone = serializers.ListField(child=serializers.CharField())
    lit = serializers.DictField(child=serializers.CharField())
    says = serializers.DictField(child=serializers.CharField())
    shows = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    wins = serializers.DictField(child=serializers.IntegerField())
    out = serializers.ListField(child=serializers.CharField())
    pot = serializers.IntegerField(allow_null=True)
    stacks = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    bets = serializers.ListField(child=serializers.IntegerField())


class ReplaySerializer(OutputSerializer):
    hand = serializers.UUIDField()
    revision = serializers.IntegerField()
    scenes = SceneSerializer(many=True)


class HandReplay(Resource):
    allows_feed_link = True

    @operation("get_hand_replay", "A hand scene by scene, as its page plays it", ReplaySerializer)
    def get(self, request: Request, hand_id: UUID) -> Response:
        current = current_revision(find_hand(self.visitor, Action.LOOK, hand_id).pk)
        data = {"hand": hand_id, "revision": current.number, "scenes": scenes_of(current)}
        return dated(Response(self.serialize(ReplaySerializer, data)), current.made_at)
