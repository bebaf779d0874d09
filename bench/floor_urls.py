"""The service's URLs, and empty views that show the minimum cost of a response."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import path
from knox.auth import TokenAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.urls import urlpatterns as served


@login_not_required
def empty(request: HttpRequest) -> HttpResponse:
    """An empty Django view."""
    return HttpResponse()


class EmptyWithToken(APIView):
    """An empty REST framework view with a Knox token. It reads the request body."""

    authentication_classes = (TokenAuthentication,)
    permission_classes = (IsAuthenticated,)

    def get(self, request: Request) -> Response:
        return Response({})

    def post(self, request: Request) -> Response:
        return Response({"id": request.data["id"]}, status=201)


urlpatterns = [
    path("bench/empty", empty),
    path("bench/empty-with-token", EmptyWithToken.as_view()),
    *served,
]
