"""Links to the replay of a hand."""

from uuid import UUID

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import OutputSerializer
from api.http.resource import Resource
from api.http.schema import operation
from league.access import Action, find_hand
from league.hands.share_links import share_hand, unshare_hand


class ReplayLinkSerializer(OutputSerializer):
    """The token is told this once; whoever has it sees the replay."""

    token = serializers.CharField()
    address = serializers.CharField()


class HandLinks(Resource):
    # Not `idempotent`: the answer would be kept, and with it the token.
    @operation(
        "create_replay_link",
        "Make a link that anyone sees the hand's replay by",
        ReplayLinkSerializer,
        status=201,
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.KEEP_SCORE, hand_id)
        token = share_hand(hand, by=self.user)
        address = request.build_absolute_uri(reverse("shared-replay", args=[token]))
        return Response({"token": token, "address": address}, status=201)

    @operation("revoke_replay_links", "End all links to the replay", None, status=204)
    def delete(self, request: Request, hand_id: UUID) -> Response:
        unshare_hand(find_hand(self.visitor, Action.KEEP_SCORE, hand_id), by=self.user)
        return Response(status=204)
