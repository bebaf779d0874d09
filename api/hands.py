"""Hands: record, correct, take back, look up; check without storing."""

from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.errors import inside
from api.fields import AnyJson, AnyObject, Asked, Id, Moment, Text, Told, Whole
from api.filters import HandFilters, NightHandFilters
from api.knowing import knew_by
from api.once import once
from api.resource import Listing, Resource, dated
from api.schema import operation
from league import nights
from league.access import Action, find_hand, find_night, leagues_of
from league.batches import MOST_HANDS as MOST_AT_ONCE
from league.batches import Sent, record_batch
from league.models import LONGEST_REASON, Revision, Rival
from league.recording import check, record_hand, revise_hand, void_hand
from league.refusals import refuse
from league.scenes import scenes_of
from league.undoing import TooLate, undo_hand
from league.verdicts import Verdict

MOST_HANDS = 10**8  # of a night
OUTCOMES = ["recorded", "again", *Rival.State.values]


class HandTold(serializers.ModelSerializer[Revision]):
    """A hand as one of its revisions tells it, the current one unless asked otherwise.

    `names` says which player each name of the record is; `document` is the hash of the rules.
    """

    id = serializers.UUIDField(source="hand_id", read_only=True)
    night = serializers.UUIDField(source="hand.night_id", read_only=True)
    number = serializers.IntegerField(source="hand.number", read_only=True)
    made_at = serializers.DateTimeField(source="hand.made_at", read_only=True)
    voided = serializers.BooleanField(source="hand.voided", read_only=True)
    game = serializers.CharField(source="document.name", read_only=True)
    revision = serializers.IntegerField(source="number", read_only=True)
    revised_at = serializers.DateTimeField(source="made_at", read_only=True)
    document = serializers.CharField(source="document_id", read_only=True)
    names = serializers.DictField(child=serializers.UUIDField(), read_only=True)
    record = AnyObject(read_only=True)
    answer = AnyObject(read_only=True)

    class Meta:
        model = Revision
        fields: tuple[str, ...] = (
            "id",
            "night",
            "number",
            "made_at",
            "voided",
            "revision",
            "revised_at",
            "reason",
            "depth",
            "game",
            "document",
            "names",
            "record",
            "answer",
        )
        read_only_fields = fields


class RevisionTold(serializers.ModelSerializer[Revision]):
    """One telling of a hand, whole: those that no longer count stay to be seen."""

    document = serializers.CharField(source="document_id", read_only=True)
    names = serializers.DictField(child=serializers.UUIDField(), read_only=True)
    record = AnyObject(read_only=True)
    answer = AnyObject(read_only=True)

    class Meta:
        model = Revision
        fields = (
            "id",
            "number",
            "current",
            "voids",
            "depth",
            "document",
            "names",
            "record",
            "answer",
            "made_at",
            "reason",
        )
        read_only_fields = fields


class HandWhole(HandTold):
    """A hand with all its revisions, the first one first."""

    revisions = serializers.SerializerMethodField()

    class Meta(HandTold.Meta):
        fields = (*HandTold.Meta.fields, "revisions")
        read_only_fields = fields

    @extend_schema_field(RevisionTold(many=True))
    def get_revisions(self, current: Revision) -> Any:
        revisions = Revision.objects.filter(hand=current.hand_id).order_by("number")
        return RevisionTold(revisions, many=True).data


class VerdictTold(serializers.Serializer[Verdict]):
    """What recording it now would answer."""

    answer = AnyObject()
    names = serializers.DictField(child=serializers.UUIDField())


class HandAsked(Asked):
    """A hand to record; the client made the id before."""

    id = Id()
    record = AnyJson(help_text="RECORD: the contract of a hand, docs/api.md")


class SceneTold(Told):
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


class ReplayTold(Told):
    hand = serializers.UUIDField()
    revision = serializers.IntegerField()
    scenes = SceneTold(many=True)


class NextHandAsked(HandAsked):
    """A new hand, with what the client knew of the night: another phone may have recorded it."""

    seen = Whole(
        required=False,
        min_value=0,
        max_value=MOST_HANDS,
        help_text="The number of the last hand of the night that the client knew",
    )
    number = Whole(
        required=False,
        min_value=1,
        max_value=MOST_HANDS,
        help_text="The number that it believed the hand to have; that after `seen` unless told",
    )


class SentAsked(HandAsked):
    """One of several hands that are sent together."""

    made_at = Moment(required=False, help_text="When it was dealt; now, unless told")


class BatchAsked(Asked):
    """Hands in the order in which they were dealt."""

    hands = serializers.ListField(child=SentAsked(), min_length=1, max_length=MOST_AT_ONCE)


class SentTold(Told):
    """What came of one of them; the whole hand is at its own address."""

    id = serializers.UUIDField(source="hand.pk")
    number = serializers.IntegerField(source="hand.number")
    outcome = serializers.ChoiceField(
        ["recorded", "again", "merged", "waiting", "refused", "taken"]
    )
    net = serializers.DictField(source="answer.net", child=serializers.IntegerField())
    findings = serializers.ListField(source="answer.findings", child=AnyObject())


class BatchTold(Told):
    hands = SentTold(many=True)


class RevisionAsked(HandAsked):
    """The hand anew, under an id of the revision's own."""

    reason = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


class CheckAsked(Asked):
    record = AnyJson()


class ReasonAsked(Asked):
    reason = Text(default="", allow_blank=True, max_length=LONGEST_REASON)


class UndoneTooLate(APIException):
    status_code = 409
    default_detail = "Something happened since: correct the hand, or take it back."
    default_code = "too-late"


class Hands(Listing[Revision]):
    """The hands of the leagues that one is in, the latest first."""

    serializer_class = HandTold
    pagination_class = paging.LeagueHands
    filterset_class = HandFilters
    queryset = Revision.objects.none()
    feeds = True

    def get_queryset(self) -> QuerySet[Revision]:
        leagues = leagues_of(self.visitor).values("pk")
        rows = Revision.objects.filter(current=True, hand__night__season__league__in=leagues)
        return rows.select_related("hand", "document").annotate(dealt_at=F("hand__made_at"))


class NightHands(Listing[Revision]):
    """The hands of a night in the order dealt, voided ones included.

    The header `Hand-Outcome` says what came of one that is sent (`Recorded.outcome`). Where another
    phone had recorded the same hand, the answer is that hand, under its own id.
    """

    serializer_class = HandTold
    pagination_class = paging.Hands
    filterset_class = NightHandFilters
    queryset = Revision.objects.none()
    feeds = True

    def get_queryset(self) -> QuerySet[Revision]:
        night = find_night(self.visitor, Action.LOOK, self.kwargs["night_id"])
        return nights.hands(night).annotate(place=F("hand__number"))

    @operation(
        "Record the night's next hand; 200 where it was recorded before",
        HandTold,
        asks=NextHandAsked,
        status=(201, 200),
    )
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.TELL, night_id)
        asked = self.asked(NextHandAsked)
        with inside("record"):
            knew = knew_by(request, asked)
            recorded = record_hand(night, asked["id"], asked["record"], by=self.user, knew=knew)
        return Response(
            self.told(HandTold, recorded.revision),
            status=201 if recorded.created else 200,
            headers={
                "Location": reverse("api:hand", args=[recorded.hand.pk]),
                "Hand-Outcome": recorded.outcome,
            },
        )


class NightBatch(Resource):
    @operation(
        "Record the night's next hands together, all or none; 200 where all were recorded before",
        BatchTold,
        asks=BatchAsked,
        status=(201, 200),
    )
    @once
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.TELL, night_id)
        sent = [
            Sent(hand_id=each["id"], record=each["record"], made_at=each.get("made_at"))
            for each in self.asked(BatchAsked)["hands"]
        ]
        recorded = record_batch(night, sent, by=self.user)
        told = self.told(BatchTold, {"hands": recorded})
        return Response(told, status=201 if any(each.created for each in recorded) else 200)


class NightCheck(Resource):
    @operation(
        "What recording a hand would answer; nothing is stored", VerdictTold, asks=CheckAsked
    )
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.TELL, night_id)
        return self.judged(check(night, self.asked(CheckAsked)["record"]))

    def judged(self, verdict: Verdict) -> Response:
        with inside("record"):
            refuse(verdict.errors)
        return Response(self.told(VerdictTold, verdict))


class HandCheck(NightCheck):
    @operation(
        "What correcting a hand would answer; nothing is stored", VerdictTold, asks=CheckAsked
    )
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.TELL, hand_id)
        record = self.asked(CheckAsked)["record"]
        return self.judged(check(hand.night, record, instead_of=hand))


class HandDetail(Resource):
    feeds = True

    @operation("A hand with all its revisions", HandWhole)
    def get(self, request: Request, hand_id: UUID) -> Response:
        current = _current(find_hand(self.visitor, Action.LOOK, hand_id).pk)
        return dated(Response(self.told(HandWhole, current)), current.made_at)


class HandReplay(Resource):
    feeds = True

    @operation("A hand scene by scene, as its page plays it", ReplayTold)
    def get(self, request: Request, hand_id: UUID) -> Response:
        current = _current(find_hand(self.visitor, Action.LOOK, hand_id).pk)
        told = {"hand": hand_id, "revision": current.number, "scenes": scenes_of(current)}
        return dated(Response(self.told(ReplayTold, told)), current.made_at)


class HandRevisions(Resource):
    @operation(
        "Correct a hand, once for each id; a voided one stands again",
        HandWhole,
        asks=RevisionAsked,
        status=(201, 200),
    )
    @once
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.TELL, hand_id)
        asked: dict[str, Any] = self.asked(RevisionAsked)
        reason = asked["reason"]
        with inside("record"):
            revised = revise_hand(hand, asked["id"], asked["record"], by=self.user, reason=reason)
        at = reverse("api:hand", args=[hand.pk])
        status = 201 if revised.created else 200
        told = self.told(HandWhole, _current(hand.pk))
        return Response(told, status=status, headers={"Location": at})


class HandVoid(Resource):
    @operation("Take a hand back; its revisions stay to be seen", HandWhole, asks=ReasonAsked)
    @once
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.TELL, hand_id)
        void_hand(hand, by=self.user, **self.asked(ReasonAsked))
        return Response(self.told(HandWhole, _current(hand.pk)))


class HandUndo(Resource):
    @operation("Take back what was saved a moment ago, if nothing came after it", HandWhole)
    @once
    def post(self, request: Request, hand_id: UUID) -> Response:
        hand = find_hand(self.visitor, Action.TELL, hand_id)
        try:
            undo_hand(hand, by=self.user)
        except TooLate:
            raise UndoneTooLate from None
        return Response(self.told(HandWhole, _current(hand.pk)))


def _current(hand_id: UUID) -> Revision:
    rows = Revision.objects.select_related("hand", "document")
    return rows.get(hand=hand_id, current=True)
