"""Chip requests, which the charged player or a host has to accept."""

from collections.abc import Iterable
from uuid import UUID

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import (
    InputSerializer,
    RowSerializer,
    StateField,
    StrictBoolean,
    created_field,
    name_field,
)
from api.http.idempotency import idempotent
from api.http.paging import page_of
from api.http.problems import REQUEST_DECLINED, ApiError
from api.http.resource import Resource, ShortList
from api.openapi.schema import operation
from league.access import (
    Action,
    find_chip_request,
    find_night,
    require,
    require_to_withdraw_request,
    require_word,
)
from league.charges.requests import accept
from league.closing.chip_requests import decline, waiting, withdraw
from league.models import ChipRequest

State = ChipRequest.State
# Maps the states to their names in this API.
STATES = {state.value: state.value for state in State} | {State.REFUSED.value: "declined"}
STATE_NAMES = [(name, name) for name in STATES.values()]
BEYOND = "A host confirms that the player has more chips than expected"


class ChipRequestSerializer(RowSerializer[ChipRequest]):
    """A request that the player in `charged_to` or a host has to accept.

    Once the request is accepted, the buy-in or cash-out has the same id. A request of the kind
    `charge` is for the player's share of the charge `charge`, which is made once all its requests
    are accepted. `accept`, `decline` and `withdraw` are the URLs to post to.
    """

    player_name = name_field("player")
    banker_name = name_field("banker", nullable=True)
    cash_box = serializers.SerializerMethodField(
        help_text="true if the banker is the league's cash box"
    )
    charged_to = serializers.UUIDField(source="charged_id", read_only=True)
    charged_to_name = name_field("charged")
    state = StateField(STATES, read_only=True)
    created_at = created_field()
    accept = serializers.SerializerMethodField()
    decline = serializers.SerializerMethodField()
    withdraw = serializers.SerializerMethodField()

    class Meta:
        model = ChipRequest
        fields = (
            *("id", "night", "kind", "player", "player_name", "chips", "banker", "banker_name"),
            *("cash_box", "leaves", "charged_to", "charged_to_name", "state", "charge", "title"),
            *("created_at", "decided_at", "accept", "decline", "withdraw"),
        )

    def get_cash_box(self, request: ChipRequest) -> bool:
        return request.banker is not None and request.banker.is_box

    def get_accept(self, request: ChipRequest) -> str:
        return chip_request_url(request, "accept-chips")

    def get_decline(self, request: ChipRequest) -> str:
        return chip_request_url(request, "decline-chips")

    def get_withdraw(self, request: ChipRequest) -> str:
        return chip_request_url(request, "withdraw-chips")


ChipRequestPage = page_of(ChipRequestSerializer)


class ChipRequestAcceptInputSerializer(InputSerializer):
    beyond_stack = StrictBoolean(default=False, help_text=BEYOND)


class NightChipRequests(ShortList):
    @operation(
        "list_chip_requests",
        "Chip requests that wait for acceptance, oldest first",
        ChipRequestPage,
    )
    def get(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.VIEW, night_id)
        return self.page(ChipRequestSerializer, waiting(night))


class ChipRequestDetail(Resource):
    @operation(
        "get_chip_request",
        "A request for chips with its state",
        ChipRequestSerializer,
    )
    def get(self, request: Request, night_id: UUID, request_id: UUID) -> Response:
        chip_request = find_chip_request(self.visitor, night_id, request_id)
        return Response(self.serialize(ChipRequestSerializer, chip_request))


class ChipRequestAccept(Resource):
    @operation(
        "accept_chip_request",
        "Accept the chips, as the charged player or a host",
        ChipRequestSerializer,
        body=ChipRequestAcceptInputSerializer,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, request_id: UUID) -> Response:
        chip_request = find_chip_request(self.visitor, night_id, request_id)
        require_word(self.visitor, chip_request)
        beyond = self.validated_body(ChipRequestAcceptInputSerializer)["beyond_stack"]
        if beyond:
            require(self.visitor, Action.MANAGE, chip_request.night.league)
        accept(chip_request, by=self.user, beyond_stack=beyond)
        return _refreshed(self, chip_request)


class ChipRequestDecline(Resource):
    @operation(
        "decline_chip_request",
        "Decline the chips, as the charged player or a host",
        ChipRequestSerializer,
    )
    @idempotent
    def post(self, request: Request, night_id: UUID, request_id: UUID) -> Response:
        chip_request = find_chip_request(self.visitor, night_id, request_id)
        require_word(self.visitor, chip_request)
        decline(chip_request, by=self.user)
        return _refreshed(self, chip_request)


class ChipRequestWithdraw(Resource):
    @operation("withdraw_chip_request", "Withdraw your own request", ChipRequestSerializer)
    @idempotent
    def post(self, request: Request, night_id: UUID, request_id: UUID) -> Response:
        chip_request = find_chip_request(self.visitor, night_id, request_id)
        require_to_withdraw_request(self.visitor, chip_request)
        withdraw(chip_request, by=self.user)
        return _refreshed(self, chip_request)


def _refreshed(view: Resource, request: ChipRequest) -> Response:
    request.refresh_from_db(fields=["state", "decided_at"])
    return Response(view.serialize(ChipRequestSerializer, request))


class RequestDeclinedError(ApiError):
    kind = REQUEST_DECLINED


def require_waiting(requests: Iterable[ChipRequest]) -> None:
    """Raise RequestDeclinedError unless one of these requests is still waiting."""
    states = [request.state for request in requests]
    if State.WAITING not in states:
        over = next(state for state in states if state != State.ACCEPTED)
        raise RequestDeclinedError(f"The request for these chips was {STATES[over]}.")


def chip_request_url(request: ChipRequest, name: str) -> str:
    return reverse(f"api:{name}", args=[request.night_id, request.pk])
