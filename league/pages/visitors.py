"""Who is looking at a page."""

from django.http import HttpRequest

from league.models import User


def signed_in(request: HttpRequest) -> User:
    """Return who is signed in, behind `login_required`."""
    if not isinstance(request.user, User):
        raise TypeError("nobody is signed in")
    return request.user
