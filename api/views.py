"""The resources of the API: read the request, ask the league, show what it says."""

from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.http import Http404
from django.urls import reverse
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api import paging
from api.errors import problem
from api.serializers import HandIn, HandOut, NightOut, RevisionOut, SeatOut
from league import nights
from league.access import Action, find_hand, find_night, nights_of, signed_in
from league.models import Night, Revision
from league.recording import record_hand
from league.verdicts import answer_to
from rules import catalog, forms, pages


class Nights(ListAPIView[Night]):
    """The nights of the leagues that one is in."""

    serializer_class = NightOut
    pagination_class = paging.Nights

    def get_queryset(self) -> QuerySet[Night]:
        return nights_of(self.request.user)


class NightDetail(APIView):
    """A night with its seats, the chips before each and the dealer of the next hand."""

    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(request.user, Action.LOOK, night_id)
        seats = night.seats.select_related("player").order_by("position")
        dealer = nights.dealer(night)
        return Response({
            **NightOut(night).data,
            "seats": SeatOut(seats, many=True, context={"stacks": nights.stacks(night)}).data,
            "dealer": dealer and dealer.player_id,
            "carry": nights.carry(night),
        })  # fmt: skip


class NightHands(ListAPIView[Revision]):
    """The hands of a night; a new one is recorded here."""

    serializer_class = HandOut
    pagination_class = paging.Hands

    def get_queryset(self) -> QuerySet[Revision]:
        night = find_night(self.request.user, Action.LOOK, self.kwargs["night_id"])
        return nights.hands(night).annotate(place=F("hand__number"))

    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(request.user, Action.RECORD, night_id)
        sent = HandIn(data=request.data)
        sent.is_valid(raise_exception=True)
        hand_id, record = sent.validated_data["id"], sent.validated_data["record"]
        recorded = record_hand(night, hand_id, record, by=signed_in(request.user))
        return Response(
            HandOut(recorded.revision).data,
            status=201 if recorded.created else 200,
            headers={"Location": reverse("api:hand", args=[hand_id])},
        )


class HandDetail(APIView):
    """A hand with all its revisions."""

    def get(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(request.user, Action.LOOK, hand_id)
        revisions = list(hand.revisions.select_related("hand", "document").order_by("number"))
        current = next(each for each in revisions if each.current)
        return Response({
            **HandOut(current).data,
            "revisions": RevisionOut(revisions, many=True).data,
        })  # fmt: skip


class Games(APIView):
    """The games of the catalog."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get(self, request: Request) -> Response:
        return Response({"results": [_line(slug) for slug in catalog.slugs()]})


class GameDetail(APIView):
    """A game: its document, what a form for recording it asks, and its rules in sentences."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get(self, request: Request, slug: str) -> Response:
        if slug not in catalog.slugs():
            raise Http404
        return Response({
            **_line(slug),
            "document": catalog.document(slug),
            "form": forms.form(slug),
            "rules": pages.rules_page(slug),
        })  # fmt: skip


class Settle(APIView):
    """Who wins what and why, for anyone who asks; nothing is stored."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_scope = "settle"

    def post(self, request: Request) -> Response:
        answer = answer_to(request.data, brief="brief" in request.query_params)
        if "errors" in answer:
            return problem(400, "The record can't be settled.", errors=answer["errors"])
        return Response(answer)


class NoSuchAddress(APIView):
    """Whatever is not an address of the API; a problem document like every other refusal."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404


def _line(slug: str) -> dict[str, Any]:
    document = catalog.document(slug)
    kept = ("name", "by", "source", "players")
    return {"slug": slug, **{key: document.get(key) for key in kept}}
