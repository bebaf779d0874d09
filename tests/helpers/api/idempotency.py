"""Requests with an Idempotency-Key."""

import json
from typing import Any

from django.http import HttpResponse
from django.test import Client

from league.models import League

NEW = "/api/v1/leagues/{}/players"


def send(client: Client, league: League, body: Any, key: str = "key-1") -> HttpResponse:
    at, text = NEW.format(league.pk), json.dumps(body)
    headers = {"Idempotency-Key": key}
    return client.post(at, text, content_type="application/json", headers=headers)
