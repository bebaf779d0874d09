"""Webhooks: their URLs, the events sent to them, and resending events."""

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

from api.http import paging
from api.http.fields import (
    DateTime,
    Id,
    InputSerializer,
    OutputSerializer,
    RowSerializer,
    Text,
    created_field,
)
from api.http.idempotency import idempotent
from api.http.problems import TOO_MANY_DELIVERIES, ApiError
from api.http.resource import ListResource, Resource
from api.openapi.schema import operation
from league.access import Action, find_league
from league.models import CHOSEN, Delivery, DeliveryTry, Webhook
from league.webhooks import management

EVENTS = [(each, each) for each in CHOSEN]


class WebhookSerializer(RowSerializer[Webhook]):
    """A webhook. `state` is active, disabled or retired.

    All deliveries since `failing_since` have failed. No deliveries are made before `resumes_at`.
    """

    events = serializers.ListField(child=serializers.ChoiceField(EVENTS), read_only=True)
    state = serializers.CharField(read_only=True)
    created_at = created_field()

    class Meta:
        model = Webhook
        fields: tuple[str, ...] = (
            "id",
            "url",
            "note",
            "events",
            "state",
            "created_at",
            "failing_since",
            "resumes_at",
            "disabled_at",
            "retired_at",
        )


class WebhookWithSecretSerializer(WebhookSerializer):
    """The webhook with its `secret`, which only this response contains.

    Repeating the request returns the webhook without it. If the secret is lost, rotate it.
    """

    secret = serializers.CharField(required=False)

    class Meta(WebhookSerializer.Meta):
        fields = (*WebhookSerializer.Meta.fields, "secret")


class WebhookUpdateInputSerializer(InputSerializer):
    """The URL and the events to send to it."""

    url = Text(required=False)
    events = serializers.ListField(child=serializers.ChoiceField(EVENTS), required=False)
    note = Text(required=False, allow_blank=True)


class WebhookInputSerializer(WebhookUpdateInputSerializer):
    """The URL of a new webhook. It receives all events unless some are selected."""

    id = Id()
    url = Text()


class DeliveryAttemptSerializer(RowSerializer[DeliveryTry]):
    """One attempt. If there was no response, `status` is null and `response` is the reason."""

    sent_at = created_field()
    response = serializers.CharField(source="said", read_only=True)

    class Meta:
        model = DeliveryTry
        fields = ("number", "sent_at", "status", "milliseconds", "response")


class DeliverySerializer(RowSerializer[Delivery]):
    """An event for a webhook, with all attempts. `state` is waiting, delivered or given-up."""

    event = serializers.UUIDField(source="event.id", read_only=True)
    type = serializers.CharField(source="event.kind", read_only=True)
    sequence = serializers.IntegerField(source="event.sequence", read_only=True)
    created_at = created_field("event.made_at")
    state = serializers.CharField(read_only=True)
    due_at = serializers.SerializerMethodField()
    attempts = serializers.SerializerMethodField()

    class Meta:
        model = Delivery
        fields = ("id", "event", "type", "sequence", "created_at", "state", "due_at", "attempts")

    def get_due_at(self, delivery: Delivery) -> datetime | None:
        rests = delivery.webhook.resumes_at or delivery.due_at
        return None if delivery.done_at else max(delivery.due_at, rests)

    @extend_schema_field(DeliveryAttemptSerializer(many=True))
    def get_attempts(self, delivery: Delivery) -> Any:
        log = sorted(delivery.log.all(), key=lambda each: each.number)
        return DeliveryAttemptSerializer(log, many=True).data


class Webhooks(ListResource[Webhook]):
    """The webhooks of a league, including retired ones."""

    needs_fresh_sign_in = frozenset({"POST"})
    operation_id = "list_webhooks"
    serializer_class = WebhookSerializer
    pagination_class = paging.ByCreation
    queryset = Webhook.objects.none()

    def get_queryset(self) -> QuerySet[Webhook]:
        league = find_league(self.visitor, Action.MANAGE, self.kwargs["league_id"])
        return Webhook.objects.filter(league=league)

    @operation(
        "create_webhook",
        "Create a webhook; only this response contains its secret",
        WebhookWithSecretSerializer,
        body=WebhookInputSerializer,
        status=(201, 200),
    )
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        body = self.validated_body(WebhookInputSerializer)
        webhook, secret = management.create(league, body.pop("id"), by=self.user, **body)
        answer = _with_secret(self, webhook, secret)
        answer.status_code = 201 if secret else 200
        answer.headers["Location"] = reverse("api:webhook", args=[league.pk, webhook.pk])
        return answer


class WebhookDetail(Resource):
    needs_fresh_sign_in = frozenset({"PATCH"})

    @operation("get_webhook", "A webhook", WebhookSerializer)
    def get(self, request: Request, league_id: UUID, webhook_id: UUID) -> Response:
        return _answer(self, webhook_of(self, league_id, webhook_id))

    @operation(
        "update_webhook",
        "Change a webhook's URL and events",
        WebhookSerializer,
        body=WebhookUpdateInputSerializer,
    )
    def patch(self, request: Request, league_id: UUID, webhook_id: UUID) -> Response:
        webhook = webhook_of(self, league_id, webhook_id)
        changes = self.validated_body(WebhookUpdateInputSerializer)
        return _answer(self, management.change(webhook, by=self.user, **changes))


class WebhookRotate(Resource):
    needs_fresh_sign_in = frozenset({"POST"})

    # Not `idempotent`, because the response containing the secret would be stored. Repeating the
    # request does no
    # harm.
    @operation(
        "rotate_webhook_secret",
        "Rotate the secret; the old one also signs for a day",
        WebhookWithSecretSerializer,
    )
    def post(self, request: Request, league_id: UUID, webhook_id: UUID) -> Response:
        webhook, secret = management.rotate(webhook_of(self, league_id, webhook_id), by=self.user)
        return _with_secret(self, webhook, secret)


class WebhookEnable(Resource):
    @operation(
        "enable_webhook",
        "Enable a webhook that was disabled automatically",
        WebhookSerializer,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID, webhook_id: UUID) -> Response:
        return _answer(
            self, management.enable(webhook_of(self, league_id, webhook_id), by=self.user)
        )


class WebhookRetire(Resource):
    @operation("retire_webhook", "Retire a webhook; its log remains", WebhookSerializer)
    @idempotent
    def post(self, request: Request, league_id: UUID, webhook_id: UUID) -> Response:
        return _answer(
            self, management.retire(webhook_of(self, league_id, webhook_id), by=self.user)
        )


class WebhookPing(Resource):
    @operation("ping_webhook", "Send a ping to test the webhook", DeliverySerializer, status=202)
    @idempotent
    def post(self, request: Request, league_id: UUID, webhook_id: UUID) -> Response:
        delivery = management.ping(webhook_of(self, league_id, webhook_id))
        return Response(self.serialize(DeliverySerializer, delivery), status=202)


class WebhookDeliveries(ListResource[Delivery]):
    """The events sent to a webhook, latest first."""

    operation_id = "list_webhook_deliveries"
    serializer_class = DeliverySerializer
    pagination_class = paging.Events
    queryset = Delivery.objects.none()

    def get_queryset(self) -> QuerySet[Delivery]:
        webhook = webhook_of(self, self.kwargs["league_id"], self.kwargs["webhook_id"])
        return webhook.deliveries.select_related("event").prefetch_related("log")


class WebhookResend(Resource):
    @operation(
        "resend_webhook_delivery",
        "Resend a delivery with the same id",
        DeliverySerializer,
        status=202,
    )
    @idempotent
    def post(
        self, request: Request, league_id: UUID, webhook_id: UUID, delivery_id: UUID
    ) -> Response:
        webhook = webhook_of(self, league_id, webhook_id)
        delivery = (
            webhook.deliveries.select_related("webhook", "event").filter(pk=delivery_id).first()
        )
        if delivery is None:
            raise Http404
        return Response(self.serialize(DeliverySerializer, management.resend(delivery)), status=202)


def webhook_of(view: Resource, league_id: UUID, webhook_id: UUID) -> Webhook:
    """Return the webhook if the caller is a host. Raises Http404 or PermissionDenied."""
    league = find_league(view.visitor, Action.MANAGE, league_id)
    webhook = Webhook.objects.filter(league=league, pk=webhook_id).select_related("league").first()
    if webhook is None:
        raise Http404
    return webhook


def _answer(view: Resource, webhook: Webhook) -> Response:
    return Response(view.serialize(WebhookSerializer, webhook))


def _with_secret(view: Resource, webhook: Webhook, secret: str) -> Response:
    data = view.serialize(WebhookSerializer, webhook)
    return Response(data | {"secret": secret} if secret else data)


class ResendTooLargeError(ApiError):
    kind = TOO_MANY_DELIVERIES


class ResendInputSerializer(InputSerializer):
    """The time range of the events: `after` is inclusive, `before` exclusive."""

    after = DateTime()
    before = DateTime()


class ResendSerializer(OutputSerializer):
    """`deliveries` is the number of deliveries that are sent again.

    Deliveries still in progress are excluded.
    """

    deliveries = serializers.IntegerField()


class WebhookResendPeriod(Resource):
    @operation(
        "resend_webhook_deliveries",
        "Resend the events of a period with the same ids",
        ResendSerializer,
        body=ResendInputSerializer,
        status=202,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID, webhook_id: UUID) -> Response:
        webhook = webhook_of(self, league_id, webhook_id)
        period = self.validated_body(ResendInputSerializer)
        try:
            sent = management.resend_between(webhook, **period, by=self.user)
        except management.TooManyDeliveriesError:
            raise ResendTooLargeError from None
        return Response(self.serialize(ResendSerializer, {"deliveries": sent}), status=202)
