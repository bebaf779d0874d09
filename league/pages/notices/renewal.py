"""A browser that has renewed its subscription says so by its worker, without a page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from league.common.errors import RefusedError
from league.notices import subscriptions, web_push
from league.pages.notices.choices import address_in
from league.pages.parts.visitor import kind_of, signed_in


# A worker has no form with a token. That the request comes from a page or worker of this service
# is said by its browser, which no other site can have it say.
@csrf_exempt
@login_required
@require_http_methods(["GET", "POST"])
def renewal(request: HttpRequest) -> HttpResponse:
    """Say to whose key a subscription is bound; take the new one in the place of this session's."""
    if request.method == "GET":
        return JsonResponse({"key": web_push.public_text()})
    if request.headers.get("Origin") != f"{request.scheme}://{request.get_host()}":
        return HttpResponse(status=403)
    try:
        renewed = subscriptions.renew(
            signed_in(request),
            address_in(request),
            session_key=request.session.session_key or "",
            kind=kind_of(request),
        )
    except RefusedError as refused:
        return JsonResponse({"errors": refused.errors}, status=400)
    return HttpResponse(status=204 if renewed else 404)
