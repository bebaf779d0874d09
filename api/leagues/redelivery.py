"""Sending again all that a webhook was told within a span of time."""

from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import DateTime, InputSerializer, OutputSerializer
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from api.leagues.webhooks import webhook_of
from api.problems.kinds import TOO_MANY_DELIVERIES, ApiError
from league.webhooks import endpoints


class TooManyDeliveriesError(ApiError):
    kind = TOO_MANY_DELIVERIES


class RedeliveryInputSerializer(InputSerializer):
    """Of when the events are: `since` counts in, `until` doesn't."""

    since = DateTime()
    until = DateTime()


class RedeliverySerializer(OutputSerializer):
    """How many `deliveries` are sent again; those that were still on their way are not counted."""

    deliveries = serializers.IntegerField()


class WebhookRedeliverSpan(Resource):
    @operation(
        "resend_webhook_deliveries",
        "Send again what happened within a span of time, under the same ids",
        RedeliverySerializer,
        body=RedeliveryInputSerializer,
        status=202,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID, hook_id: UUID) -> Response:
        webhook = webhook_of(self, league_id, hook_id)
        span = self.validated_body(RedeliveryInputSerializer)
        try:
            sent = endpoints.redeliver_between(webhook, **span, by=self.user)
        except endpoints.TooManyDeliveriesError:
            raise TooManyDeliveriesError from None
        return Response(self.serialize(RedeliverySerializer, {"deliveries": sent}), status=202)
