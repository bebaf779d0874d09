"""Sign up, sign in, sign out, and the first page."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from league.access import leagues_of
from league.logbook import Kind, note
from league.models import LogbookEntry, User
from league.pages.faces import faces
from league.pages.forms import SignUp
from league.pages.visitors import signed_in


class SignIn(LoginView):
    template_name = "account/sign_in.html"
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_valid(form)
        note(Kind.SIGNED_IN, by=signed_in(self.request))
        return answer

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Note whose name it was, if anybody's: what was typed there may be the password."""
        if not getattr(self.request, "axes_locked_out", False):
            _note_failure(self.request, Kind.WRONG_PASSWORD)
        return super().form_invalid(form)


sign_in = SignIn.as_view()
sign_out = LogoutView.as_view()


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUp(request.POST or None)
    if not form.is_valid():
        return render(request, "account/sign_up.html", {"form": form})
    login(request, form.save(), backend="django.contrib.auth.backends.ModelBackend")
    return redirect("home")


def locked_out(request: HttpRequest, _response: HttpResponse, _credentials: object) -> HttpResponse:
    """Answer whoever has guessed too often; see AXES_LOCKOUT_CALLABLE."""
    if getattr(request, "axes_failures_since_start", 0) == settings.AXES_FAILURE_LIMIT:
        _note_failure(request, Kind.LOCKED_OUT)
    wait: timedelta = settings.AXES_COOLOFF_TIME
    context = {"minutes": int(wait.total_seconds() // 60)}
    locked = render(request, "account/locked.html", context, status=429)
    locked.headers["Retry-After"] = str(int(wait.total_seconds()))
    return locked


def _note_failure(request: HttpRequest, kind: LogbookEntry.Kind) -> None:
    name = request.POST.get("username", "")
    if meant := User.objects.filter(username=name).first():
        note(kind, by=meant)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "welcome.html", {"cards": faces(["As", "Kh", "Qc", "Jd", "*1"])})
    return render(request, "home.html", {"leagues": leagues_of(request.user).order_by("name")})
