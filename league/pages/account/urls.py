"""The URLs for signing in and for the user's account. Most of the views are part of allauth.

allauth looks up its pages by URL name. `templates/` overrides its templates.
"""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from allauth.socialaccount import views as social
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, path, register_converter
from django.urls.converters import StringConverter
from django.views.decorators.http import require_http_methods
from django.views.generic import RedirectView

from league.pages.account import oidc, overview, passkeys, password, sign_in

# The id that `config.environment.parsers` assigns to the only provider.
BY_OIDC = {"provider_id": "oidc"}


class Base36Converter(StringConverter):
    """A user id in base 36, as used in e-mail links. The id ends at the first dash."""

    regex = "[0-9A-Za-z]+"


register_converter(Base36Converter, "base36")
# Django's form views also accept PUT.
form = require_http_methods(["GET", "HEAD", "POST"])
edit_passkey = webauthn.EditWebAuthnView.as_view(pk_url_kwarg="number")
to_sign_in = login_not_required(RedirectView.as_view(pattern_name="sign-in"))
sign_in_failed = login_not_required(social.login_error)
new_codes = recovery_codes.GenerateRecoveryCodesView.as_view(
    http_method_names=["post"], template_name="mfa/index.html"
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("sign-in/code", form(mfa.authenticate), name="mfa_authenticate"),
    path("sign-in/passkey", form(passkeys.sign_in), name="mfa_login_webauthn"),
    path("sign-in/oidc", oidc.start, BY_OIDC, name="openid_connect_login"),
    path("sign-in/oidc/back", oidc.back, BY_OIDC, name="openid_connect_callback"),
    path("sign-in/oidc/cancelled", to_sign_in, name="socialaccount_login_cancelled"),
    path("sign-in/oidc/failed", sign_in_failed, name="socialaccount_login_error"),
    path("sign-up/oidc", form(social.signup), name="socialaccount_signup"),
    path("account/password", form(password.change_password), name="account_change_password"),
    path("account/password/set", form(password.set_password), name="account_set_password"),
    path("account/password/reset", form(account.password_reset), name="account_reset_password"),
    path(
        "account/password/reset/sent",
        account.password_reset_done,
        name="account_reset_password_done",
    ),
    path("account/password/reset/done", to_sign_in, name="account_reset_password_from_key_done"),
    path(
        "account/password/reset/<base36:uidb36>-<str:key>",
        form(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path("account/password/link/<str:token>", password.by_link, name="password-link"),
    path("account/username", overview.change_username, name="change-username"),
    path("account/email", form(account.email), name="account_email"),
    path(
        "account/email/sent",
        account.email_verification_sent,
        name="account_email_verification_sent",
    ),
    path("account/email/<str:key>", account.confirm_email, name="account_confirm_email"),
    path("account/sessions", overview.sessions, name="sessions"),
    path("account/sessions/end", overview.end_other_sessions, name="end-other-sessions"),
    path("account/sessions/<int:number>/end", overview.end_session, name="end-session"),
    path("account/again", form(account.reauthenticate), name="account_reauthenticate"),
    path("account/again/code", form(mfa.reauthenticate), name="mfa_reauthenticate"),
    path(
        "account/again/passkey", form(passkeys.reauthenticate), name="mfa_reauthenticate_webauthn"
    ),
    path("account/again/oidc", oidc.reauthenticate, name="reauthenticate-oidc"),
    path("account/two-factor", mfa.index, name="mfa_index"),
    path("account/two-factor/on", form(totp.activate_totp), name="mfa_activate_totp"),
    path("account/two-factor/off", form(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path(
        "account/two-factor/codes",
        recovery_codes.view_recovery_codes,
        name="mfa_view_recovery_codes",
    ),
    path("account/two-factor/codes/new", new_codes, name="mfa_generate_recovery_codes"),
    path("account/passkeys", webauthn.list_webauthn, name="mfa_list_webauthn"),
    path("account/passkeys/add", form(passkeys.add), name="mfa_add_webauthn"),
    path("account/passkeys/<int:number>", form(edit_passkey), name="mfa_edit_webauthn"),
    path("account/passkeys/<int:number>/remove", passkeys.remove, name="mfa_remove_webauthn"),
    path("account/oidc", oidc.connections, name="socialaccount_connections"),
    # additional names that allauth uses for our pages
    path("sign-in", form(account.login), name="account_login"),
    path("sign-up", sign_in.sign_up, name="account_signup"),
    path("sign-out", sign_in.sign_out, name="account_logout"),
    path("account/inactive", to_sign_in, name="account_inactive"),
]
