from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request


class Session(SessionAuthentication):
    """The pages' session; whoever has none is told to sign in (401), not that it's forbidden."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"
