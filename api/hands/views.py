"""Record, correct, undo, find, replay and share hands, or check them without storing."""

from hashlib import sha256
from typing import Any, ClassVar
from uuid import UUID

from django.db.models import F, QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.hands.conflicts import STATES as CONFLICT_STATES
from api.hands.serializers import (
    HandCheckInputSerializer,
    HandCheckSerializer,
    HandDetailSerializer,
    HandInputSerializer,
    HandSerializer,
    HandVoidInputSerializer,
    NewHandInputSerializer,
    RevisionInputSerializer,
)
from api.http import paging
from api.http.errors import (
    BadQueryError,
    is_too_much,
    pointed,
    prefix_errors,
    problem_response,
    too_much_work,
)
from api.http.fields import (
    ANSWER,
    RECORD,
    DateTime,
    FindingField,
    InputSerializer,
    OutputSerializer,
    represent,
)
from api.http.filters import HandFilters, NightHandFilters
from api.http.idempotency import idempotent
from api.http.problems import BAD_CONTENT, TOO_LATE, ApiError
from api.http.resource import ListResource, PublicResource, Resource, dated
from api.openapi.schema import operation
from league.access import (
    Action,
    find_hand,
    find_hand_to_correct,
    find_night,
    leagues_of,
    may_correct,
)
from league.common.errors import problem, refuse
from league.hands.revisions import scenes_of
from league.hands.validation import Verdict, answer_to
from league.models import LONGEST_ORIGIN, Revision
from league.nights import nights
from league.nights.share_links import share_hand, unshare_hand
from league.recording.corrections import TooLateError, revise_hand, undo_hand, void_hand
from league.recording.record import MOST_HANDS as MOST_AT_ONCE
from league.recording.record import SentHand, check, record_batch, record_hand
from league.recording.sent_hands import Recorded, client_context


def origin_of(request: Request) -> str:
    """Return where a hand comes from. Each token and each session counts as one device."""
    session = getattr(request, "session", None)
    key = getattr(request.auth, "pk", None) or (session and session.session_key) or request.user.pk
    return sha256(f"api {key}".encode()).hexdigest()[:LONGEST_ORIGIN]


class UndoTooLateError(ApiError):
    kind = TOO_LATE


class Hands(ListResource[Revision]):
    """The hands in the caller's leagues, latest first."""

    operation_id = "list_hands"
    serializer_class = HandSerializer
    pagination_class = paging.LeagueHands
    filterset_class = HandFilters
    queryset = Revision.objects.none()
    allows_feed_link = True

    def get_queryset(self) -> QuerySet[Revision]:
        leagues = leagues_of(self.visitor).values("pk")
        rows = Revision.objects.filter(current=True, hand__night__season__league__in=leagues)
        rows = rows.select_related("hand", "document")
        return rows.annotate(dealt_at=F("hand__made_at"), place=F("hand__number"))


class NightHands(ListResource[Revision]):
    """The hands of a night in the order dealt, including voided ones.

    After a POST, the header `Hand-Outcome` contains the outcome (`Recorded.outcome`). If another
    device has recorded the same hand, the response contains that hand with its own id.
    """

    operation_id = "list_night_hands"
    serializer_class = HandSerializer
    pagination_class = paging.Hands
    filterset_class = NightHandFilters
    queryset = Revision.objects.none()
    allows_feed_link = True

    def get_queryset(self) -> QuerySet[Revision]:
        night = find_night(self.visitor, Action.VIEW, self.kwargs["night_id"])
        return nights.hands(night).annotate(place=F("hand__number"))

    @operation(
        "record_hand",
        "Record the next hand of the night, once for each id",
        HandSerializer,
        body=HandInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD_HANDS, night_id)
        body = self.validated_body(HandInputSerializer)
        context = client_context(
            origin=origin_of(request),
            seen=body.get("seen"),
            number=body.get("number"),
            corrects=may_correct(self.visitor, night.league),
        )
        with prefix_errors("record"):
            recorded = record_hand(
                night,
                body["id"],
                body["record"],
                by=self.user,
                made_at=nights.dealt_at(night, body.get("made_at")),
                context=context,
            )
        return Response(
            represent(HandSerializer, recorded.revision),
            status=201 if recorded.created else 200,
            headers={
                "Location": reverse("api:hand", args=[recorded.hand.pk]),
                "Hand-Outcome": OUTCOME_OF[recorded.outcome],
            },
        )


class NightHandCheck(Resource):
    @operation(
        "check_hand",
        "Check a hand and return its result; nothing is stored",
        HandCheckSerializer,
        body=HandCheckInputSerializer,
    )
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD_HANDS, night_id)
        return self.checked(check(night, self.validated_body(HandCheckInputSerializer)["record"]))

    def checked(self, verdict: Verdict) -> Response:
        with prefix_errors("record"):
            refuse(verdict.errors)
        return Response(self.serialize(HandCheckSerializer, verdict))


class HandCheck(NightHandCheck):
    @operation(
        "check_correction",
        "Check a correction and return its result; nothing is stored",
        HandCheckSerializer,
        body=HandCheckInputSerializer,
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand_to_correct(self.visitor, hand_id)
        record = self.validated_body(HandCheckInputSerializer)["record"]
        return self.checked(check(hand.night, record, instead_of=hand))


class HandDetail(Resource):
    allows_feed_link = True

    @operation("get_hand", "A hand with all its revisions", HandDetailSerializer)
    def get(self, request: Request, hand_id: UUID) -> Response:
        current = current_revision(find_hand(self.visitor, Action.VIEW, hand_id).pk)
        return dated(Response(self.serialize(HandDetailSerializer, current)), current.made_at)


class HandRevisions(Resource):
    @operation(
        "correct_hand",
        "Correct a hand, once for each id; a voided hand becomes valid again",
        HandDetailSerializer,
        body=RevisionInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand_to_correct(self.visitor, hand_id)
        body: dict[str, Any] = self.validated_body(RevisionInputSerializer)
        with prefix_errors("record"):
            revised = revise_hand(
                hand,
                body["id"],
                body["record"],
                by=self.user,
                reason=body["reason"],
                open_only=not may_correct(self.visitor, hand.night.league),
            )
        at = reverse("api:hand", args=[hand.pk])
        status = 201 if revised.created else 200
        return self.created(HandDetailSerializer, current_revision(hand.pk), at, status=status)


class HandVoid(Resource):
    @operation(
        "void_hand",
        "Void a hand; its revisions remain visible",
        HandDetailSerializer,
        body=HandVoidInputSerializer,
    )
    @idempotent
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand_to_correct(self.visitor, hand_id)
        open_only = not may_correct(self.visitor, hand.night.league)
        void_hand(
            hand, by=self.user, open_only=open_only, **self.validated_body(HandVoidInputSerializer)
        )
        return Response(self.serialize(HandDetailSerializer, current_revision(hand.pk)))


class HandUndo(Resource):
    @operation(
        "undo_hand",
        "Undo a hand that was just saved, if nothing was recorded after it",
        HandDetailSerializer,
    )
    @idempotent
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.RECORD_HANDS, hand_id)
        try:
            undo_hand(hand, by=self.user)
        except TooLateError:
            raise UndoTooLateError from None
        return Response(self.serialize(HandDetailSerializer, current_revision(hand.pk)))


def current_revision(hand_id: UUID) -> Revision:
    rows = Revision.objects.select_related("hand", "document")
    return rows.get(hand=hand_id, current=True)


# Links to a hand's replay.


class ReplayLinkSerializer(OutputSerializer):
    """Only this response contains the token. Anyone with the token can see the replay."""

    token = serializers.CharField()
    address = serializers.CharField()


class HandLinks(Resource):
    # Not `idempotent`, because the response containing the token would be stored.
    @operation(
        "create_replay_link",
        "Create a public link to the hand's replay",
        ReplayLinkSerializer,
        status=201,
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.KEEP_SCORE, hand_id)
        token = share_hand(hand, by=self.user)
        address = request.build_absolute_uri(reverse("shared-replay", args=[token]))
        return Response({"token": token, "address": address}, status=201)

    @operation("revoke_replay_links", "Revoke all links to the replay", None, status=204)
    def delete(self, request: Request, hand_id: UUID) -> Response:
        unshare_hand(find_hand(self.visitor, Action.KEEP_SCORE, hand_id), by=self.user)
        return Response(status=204)


# A hand's scenes.


class SceneSerializer(OutputSerializer):
    """One step of a hand.

    A place is a path in the record, such as "players/0/down/1", or refers to a dealt card. `lit`
    maps the place of each used card to the card it represents, or to an empty string for the card
    itself.
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

    @operation("get_hand_replay", "A replay of the hand, scene by scene", ReplaySerializer)
    def get(self, request: Request, hand_id: UUID) -> Response:
        current = current_revision(find_hand(self.visitor, Action.VIEW, hand_id).pk)
        data = {"hand": hand_id, "revision": current.number, "scenes": scenes_of(current)}
        return dated(Response(self.serialize(ReplaySerializer, data)), current.made_at)


# Maps the outcomes of recording a hand in `league` to their names in the API.
OUTCOME_OF = {"recorded": "recorded", "again": "again", **CONFLICT_STATES}
OUTCOMES = tuple(OUTCOME_OF.values())


class BatchHandInputSerializer(NewHandInputSerializer):
    """One of several hands in a request."""

    played_at = DateTime(
        source="made_at", required=False, help_text="when the hand was played; now by default"
    )


class HandBatchInputSerializer(InputSerializer):
    """Hands in the order in which they were dealt."""

    hands = serializers.ListField(
        child=BatchHandInputSerializer(), min_length=1, max_length=MOST_AT_ONCE
    )


class BatchHandSerializer(OutputSerializer):
    """The outcome of one hand. The complete hand has its own URL."""

    id = serializers.UUIDField(source="hand.pk")
    number = serializers.IntegerField(source="hand.number")
    outcome = serializers.ChoiceField(OUTCOMES)
    net = serializers.DictField(source="answer.net", child=serializers.IntegerField())
    findings = serializers.ListField(source="answer.findings", child=FindingField())


class NightBatch(Resource):
    @operation(
        "record_hands",
        "Record the next hands of the night together, all or none",
        paging.page_of(BatchHandSerializer),
        body=HandBatchInputSerializer,
        status=(201, 200),
    )
    @idempotent
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD_HANDS, night_id)
        sent = [
            SentHand(hand_id=hand["id"], record=hand["record"], made_at=hand.get("made_at"))
            for hand in self.validated_body(HandBatchInputSerializer)["hands"]
        ]
        recorded = record_batch(night, sent, by=self.user)
        data = paging.single_page([batch_result(result) for result in recorded])
        return Response(data, status=201 if any(result.created for result in recorded) else 200)


def batch_result(recorded: Recorded) -> dict[str, Any]:
    """Return the same result as BatchHandSerializer, but much faster."""
    hand, answer = recorded.hand, recorded.answer
    return {
        "id": str(hand.pk),
        "number": hand.number,
        "outcome": OUTCOME_OF[recorded.outcome],
        "net": answer["net"],
        "findings": answer["findings"],
    }


BRIEF = "brief"


class Settle(PublicResource):
    throttle_scope = "settle"
    parameters: ClassVar[frozenset[str]] = frozenset({BRIEF})

    @operation(
        "settle_hand",
        "Settle a record and explain the result; nothing is stored",
        ANSWER,
        body=RECORD,
        parameters=(
            OpenApiParameter(BRIEF, bool, description="Omit `hands`, `story` and `reasons`."),
        ),
    )
    def post(self, request: Request) -> Response:
        text = request.query_params.get(BRIEF, "false")
        if text not in {"true", "false"}:
            raise BadQueryError([problem(BRIEF, "wrong-type", "this must be true or false")])
        answer = answer_to(request.data, brief=text == "true")
        errors = pointed(answer.get("errors", ()))
        if is_too_much(errors):
            return too_much_work(errors)
        if errors:
            return problem_response(BAD_CONTENT, "The record can't be settled.", errors=errors)
        return Response(answer)
