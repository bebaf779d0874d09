"""What is no address of the API."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request

from api.http.resource import PublicResource


class NoSuchAddress(PublicResource):
    """Whatever is not an address of the API; a problem document like every other refusal."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
