"""Pictures that are drawn on request and cached for a day."""

from hashlib import sha256

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from league.common.pictures import png_of

KEPT_SECONDS = 24 * 3600


def picture_answer(request: HttpRequest, svg: str) -> HttpResponse:
    """Return a drawing as PNG, or 304 if the client already has it."""
    digest = sha256(svg.encode()).hexdigest()[:32]
    etag = f'"{digest}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        key = f"recap-picture:{digest}"
        png: bytes | None = cache.get(key)
        if png is None:
            png = png_of(svg)
            cache.set(key, png, KEPT_SECONDS)
        answer = HttpResponse(png, content_type="image/png")
    answer["Cache-Control"] = "private, no-cache"
    answer["ETag"] = etag
    return answer
