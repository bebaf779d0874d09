"""Devices: the phones that joined a league by its code."""

from uuid import UUID

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import InputSerializer, OutputSerializer, StrictBoolean
from api.http.idempotency import idempotent
from api.http.resource import Resource
from api.http.schema import operation
from league.access import Action, find_league
from league.models import Device
from league.people import devices
from league.people.leagues import renew_code


class DeviceSignOutInputSerializer(InputSerializer):
    new_code = StrictBoolean(default=False, help_text="Also issue another code to join by")


class DeviceSerializer(serializers.ModelSerializer[Device]):
    """A phone that joined by the code; `kind` is what it says it is."""

    class Meta:
        model = Device
        fields = ("id", "player", "kind", "joined_at", "seen_at", "signed_out_at")
        read_only_fields = fields


class DeviceListSerializer(OutputSerializer):
    results = DeviceSerializer(many=True)


class Devices(Resource):
    @operation(
        "list_phones",
        "The phones that joined by the code, those last seen first",
        DeviceListSerializer,
    )
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        return Response(
            {"results": self.serialize(DeviceSerializer, devices.joined(league), many=True)}
        )


class DeviceSignOut(Resource):
    @operation(
        "sign_out_phone",
        "End the phone's session, the name that it had picked, and its tokens and links",
        DeviceSerializer,
        body=DeviceSignOutInputSerializer,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID, phone_id: int) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        rows = league.devices.select_related("player", "user", "league")
        device = rows.filter(pk=phone_id).first()
        if device is None:
            raise Http404
        new_code = self.validated_body(DeviceSignOutInputSerializer)["new_code"]
        if device.signed_out_at is None:
            devices.sign_out(device, by=self.user)
        if new_code:
            renew_code(league, by=self.user)
        return Response(self.serialize(DeviceSerializer, device))
