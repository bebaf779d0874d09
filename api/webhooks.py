"""The webhooks of a league: what is told where, what was sent, and sending it again."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.fields import Asked, Id, Text, Told
from api.once import once
from api.resource import Listing, Resource
from api.schema import operation
from league.access import Action, find_league
from league.models import CHOSEN, Delivery, DeliveryTry, Webhook
from league.webhooks import hooks

EVENTS = [(each, each) for each in CHOSEN]


class WebhookTold(serializers.ModelSerializer[Webhook]):
    """`failing_since`: nothing has arrived from then on; `state`: active, disabled or retired."""

    events = serializers.ListField(child=serializers.ChoiceField(EVENTS), read_only=True)
    state = serializers.CharField(read_only=True)

    class Meta:
        model = Webhook
        fields: tuple[str, ...] = (
            "id",
            "url",
            "note",
            "events",
            "state",
            "made_at",
            "failing_since",
            "disabled_at",
            "retired_at",
        )
        read_only_fields = fields


class WebhookMade(WebhookTold):
    """With its secret, if it was made just now."""

    secret = serializers.CharField(required=False, read_only=True)

    class Meta(WebhookTold.Meta):
        fields = (*WebhookTold.Meta.fields, "secret")
        read_only_fields = fields


class WebhooksTold(Told):
    results = WebhookTold(many=True)


class WebhookChange(Asked):
    """What is told, and where."""

    url = Text(required=False)
    events = serializers.ListField(child=serializers.ChoiceField(EVENTS), required=False)
    note = Text(required=False, allow_blank=True)


class WebhookAsked(WebhookChange):
    """An address to tell; every event unless some are named."""

    id = Id()
    url = Text()


class TryTold(serializers.ModelSerializer[DeliveryTry]):
    """One request: no `status` where nothing came back, and then `said` is why."""

    class Meta:
        model = DeliveryTry
        fields = ("number", "made_at", "status", "milliseconds", "said")
        read_only_fields = fields


class DeliveryTold(serializers.ModelSerializer[Delivery]):
    """An event on its way to a webhook, with every try; `state`: waiting, delivered, given-up."""

    event = serializers.UUIDField(source="event.id", read_only=True)
    type = serializers.CharField(source="event.kind", read_only=True)
    sequence = serializers.IntegerField(source="event_id", read_only=True)
    made_at = serializers.DateTimeField(source="event.made_at", read_only=True)
    state = serializers.CharField(read_only=True)
    due_at = serializers.SerializerMethodField()
    tries = serializers.SerializerMethodField()

    class Meta:
        model = Delivery
        fields = ("id", "event", "type", "sequence", "made_at", "state", "due_at", "tries")
        read_only_fields = fields

    def get_due_at(self, delivery: Delivery) -> datetime | None:
        return None if delivery.done_at else delivery.due_at

    @extend_schema_field(TryTold(many=True))
    def get_tries(self, delivery: Delivery) -> Any:
        log = sorted(delivery.log.all(), key=lambda each: each.number)
        return TryTold(log, many=True).data


class Webhooks(Resource):
    @operation("The webhooks of a league, retired ones included", WebhooksTold)
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        rows = Webhook.objects.filter(league=league).order_by("made_at", "id")
        return Response({"results": self.told(WebhookTold, rows, many=True)})

    @operation(
        "Make a webhook; its secret is in this answer alone",
        WebhookMade,
        asks=WebhookAsked,
        status=(201, 200),
    )
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        hook_id = self.asked(WebhookAsked)["id"]
        changes = _changes(self, WebhookAsked)
        hook, secret = hooks.make(league, hook_id, by=self.user, **changes)
        answer = _with_secret(self, hook, secret)
        answer.status_code = 201 if secret else 200
        answer.headers["Location"] = reverse("api:webhook", args=[league.pk, hook.pk])
        return answer


class WebhookDetail(Resource):
    @operation("A webhook", WebhookTold)
    def get(self, request: Request, league_id: UUID, hook_id: UUID) -> Response:
        return _answer(self, _hook(self, league_id, hook_id))

    @operation("Change what is told, and where", WebhookTold, asks=WebhookChange)
    def patch(self, request: Request, league_id: UUID, hook_id: UUID) -> Response:
        hook = _hook(self, league_id, hook_id)
        return _answer(self, hooks.change(hook, by=self.user, **_changes(self, WebhookChange)))


class WebhookRotate(Resource):
    # Not `once`: the answer would be kept, and the secret with it. Doing it twice does no harm.
    @operation("Make a new secret; the old one signs as well for a day", WebhookMade)
    def post(self, request: Request, league_id: UUID, hook_id: UUID) -> Response:
        hook, secret = hooks.rotate(_hook(self, league_id, hook_id), by=self.user)
        return _with_secret(self, hook, secret)


class WebhookEnable(Resource):
    @operation("Switch it on again, after it was switched off by itself", WebhookTold)
    @once
    def post(self, request: Request, league_id: UUID, hook_id: UUID) -> Response:
        return _answer(self, hooks.switch_on(_hook(self, league_id, hook_id), by=self.user))


class WebhookRetire(Resource):
    @operation("Send nothing there any more; the log stays", WebhookTold)
    @once
    def post(self, request: Request, league_id: UUID, hook_id: UUID) -> Response:
        return _answer(self, hooks.retire(_hook(self, league_id, hook_id), by=self.user))


class WebhookPing(Resource):
    @operation("Send a ping, to try it out", DeliveryTold, status=202)
    @once
    def post(self, request: Request, league_id: UUID, hook_id: UUID) -> Response:
        delivery = hooks.ping(_hook(self, league_id, hook_id))
        return Response(self.told(DeliveryTold, delivery), status=202)


class WebhookDeliveries(Listing[Delivery]):
    """What was sent to a webhook, the latest event first."""

    serializer_class = DeliveryTold
    pagination_class = paging.Events
    queryset = Delivery.objects.none()

    def get_queryset(self) -> QuerySet[Delivery]:
        hook = _hook(self, self.kwargs["league_id"], self.kwargs["hook_id"])
        return hook.deliveries.select_related("event").prefetch_related("log")


class WebhookRedeliver(Resource):
    @operation("Send it once more, under the same id", DeliveryTold, status=202)
    @once
    def post(self, request: Request, league_id: UUID, hook_id: UUID, delivery_id: UUID) -> Response:
        hook = _hook(self, league_id, hook_id)
        delivery = hook.deliveries.select_related("hook", "event").filter(pk=delivery_id).first()
        if delivery is None:
            raise Http404
        return Response(self.told(DeliveryTold, hooks.redeliver(delivery)), status=202)


def _hook(view: Resource, league_id: UUID, hook_id: UUID) -> Webhook:
    league = find_league(view.visitor, Action.MANAGE, league_id)
    hook = Webhook.objects.filter(league=league, pk=hook_id).select_related("league").first()
    if hook is None:
        raise Http404
    return hook


def _changes(view: Resource, kind: type[Asked]) -> dict[str, Any]:
    return {key: value for key, value in view.asked(kind).items() if key != "id"}


def _answer(view: Resource, hook: Webhook) -> Response:
    return Response(view.told(WebhookTold, hook))


def _with_secret(view: Resource, hook: Webhook, secret: str) -> Response:
    told = view.told(WebhookTold, hook)
    return Response(told | {"secret": secret} if secret else told)
