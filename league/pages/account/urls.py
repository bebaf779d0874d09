"""The addresses of signing in and of one's account; allauth finds its own pages by their names."""

from django.urls import URLPattern, URLResolver, path, register_converter
from django.urls.converters import StringConverter
from django.views.generic import RedirectView

from league.pages.account import (
    email,
    oidc,
    passkeys,
    password,
    reauthentication,
    sessions,
    sign_in,
    two_factor,
    username,
)

# As `config.environment.parsers` calls the only one.
BY_OIDC = {"provider_id": "oidc"}


class Base36Converter(StringConverter):
    """The number of an account as a letter's link has it: up to the first dash."""

    regex = "[0-9A-Za-z]+"


register_converter(Base36Converter, "base36")
inactive = RedirectView.as_view(pattern_name="sign-in")

urlpatterns: list[URLPattern | URLResolver] = [
    path("sign-in/code", two_factor.second_step, name="mfa_authenticate"),
    path("sign-in/passkey", passkeys.sign_in, name="mfa_login_webauthn"),
    path("sign-in/oidc", oidc.start, BY_OIDC, name="openid_connect_login"),
    path("sign-in/oidc/back", oidc.back, BY_OIDC, name="openid_connect_callback"),
    path("sign-in/oidc/cancelled", oidc.cancelled, name="socialaccount_login_cancelled"),
    path("sign-in/oidc/failed", oidc.failed, name="socialaccount_login_error"),
    path("sign-up/oidc", oidc.sign_up, name="socialaccount_signup"),
    path("account/password", password.change_password, name="account_change_password"),
    path("account/password/set", password.set_password, name="account_set_password"),
    path("account/password/reset", password.reset_password, name="account_reset_password"),
    path("account/password/reset/sent", password.reset_sent, name="account_reset_password_done"),
    path(
        "account/password/reset/done",
        password.new_password_set,
        name="account_reset_password_from_key_done",
    ),
    path(
        "account/password/reset/<base36:uidb36>-<str:key>",
        password.new_password,
        name="account_reset_password_from_key",
    ),
    path("account/password/link/<str:token>", password.by_link, name="password-link"),
    path("account/username", username.change_username, name="change-username"),
    path("account/email", email.emails, name="account_email"),
    path("account/email/sent", email.sent, name="account_email_verification_sent"),
    path("account/email/<str:key>", email.confirm, name="account_confirm_email"),
    path("account/sessions", sessions.overview, name="sessions"),
    path("account/sessions/end", sessions.end_others, name="end-other-sessions"),
    path("account/sessions/<int:number>/end", sessions.end, name="end-session"),
    path("account/again", reauthentication.by_password, name="account_reauthenticate"),
    path("account/again/code", reauthentication.by_code, name="mfa_reauthenticate"),
    path("account/again/passkey", reauthentication.by_passkey, name="mfa_reauthenticate_webauthn"),
    path("account/again/oidc", reauthentication.by_oidc, name="reauthenticate-oidc"),
    path("account/two-factor", two_factor.overview, name="mfa_index"),
    path("account/two-factor/on", two_factor.turn_on, name="mfa_activate_totp"),
    path("account/two-factor/off", two_factor.turn_off, name="mfa_deactivate_totp"),
    path("account/two-factor/codes", two_factor.codes, name="mfa_view_recovery_codes"),
    path("account/two-factor/codes/new", two_factor.new_codes, name="mfa_generate_recovery_codes"),
    path("account/passkeys", passkeys.overview, name="passkeys"),
    path("account/passkeys/add", passkeys.add, name="mfa_add_webauthn"),
    path("account/passkeys/<int:number>", passkeys.rename, name="rename-passkey"),
    path("account/passkeys/<int:number>/remove", passkeys.remove, name="remove-passkey"),
    path("account/oidc", oidc.connections, name="socialaccount_connections"),
    # allauth's other names for our doors
    path("sign-in", sign_in.sign_in, name="account_login"),
    path("sign-up", sign_in.sign_up, name="account_signup"),
    path("sign-out", sign_in.sign_out, name="account_logout"),
    path("account/inactive", inactive, name="account_inactive"),
]
