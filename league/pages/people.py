"""Sign up, sign in, sign out, and the first page."""

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from league.access import leagues_of
from league.pages.faces import faces
from league.pages.forms import SignUp

sign_in = LoginView.as_view(template_name="account/sign_in.html", redirect_authenticated_user=True)
sign_out = LogoutView.as_view()


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUp(request.POST or None)
    if not form.is_valid():
        return render(request, "account/sign_up.html", {"form": form})
    login(request, form.save())
    return redirect("home")


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "welcome.html", {"cards": faces(["As", "Kh", "Qc", "Jd", "*1"])})
    return render(request, "home.html", {"leagues": leagues_of(request.user).order_by("name")})
