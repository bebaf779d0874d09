from django.db import connection
from django.http import HttpRequest, HttpResponse


def health(request: HttpRequest) -> HttpResponse:
    """Answer "ok" when this process can reach its database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok", content_type="text/plain")
