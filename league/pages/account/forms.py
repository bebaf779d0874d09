"""The sign-in forms: allauth's forms with our labels."""

from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    LoginForm,
    ReauthenticateForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
)
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as CodeAgainForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.utils.translation import gettext_lazy as _

from league.common import row_limits
from league.models import User
from league.sign_in.authentication import LONGEST, free_username, user_of_email

AT_LEAST = _("At least 8 characters, not all digits.")
AGAIN = _("Repeat password")
NAME = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
NEW = {"autocomplete": "new-password"}
EMAIL = {"inputmode": "email", "autocomplete": "email", "autocapitalize": "none"}
CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "autocapitalize": "none"}


class _Plain:
    """Mixin for allauth's forms.

    The mixin sets our labels and removes placeholders and help text.
    """

    labels: ClassVar[dict[str, Any]] = {}
    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.help_text = AT_LEAST if name == "password1" else ""
            field.label = self.labels.get(name, field.label)
            if name == "email":
                field.widget = forms.TextInput(EMAIL)
            if name == "code":
                field.widget.attrs |= CODE


class SignIn(_Plain, LoginForm):
    """A username or a verified e-mail address, posted as `username`, and the password."""

    labels: ClassVar = {"password": _("Password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = forms.CharField(
            label=_("Username or e-mail"),
            max_length=LONGEST,
            widget=forms.TextInput(NAME | {"autofocus": True}),
        )

    def add_prefix(self, field_name: str) -> str:
        return "username" if field_name == "login" else str(super().add_prefix(field_name))


class Reauthenticate(_Plain, ReauthenticateForm):
    labels: ClassVar = {"password": _("Password")}


class ChangePassword(_Plain, ChangePasswordForm):
    labels: ClassVar = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": AGAIN,
    }

    def clean_oldpassword(self) -> str:
        """Check the old password in the adapter, which counts failures.

        Otherwise the password could be guessed with a stolen session.
        """
        password = str(self.cleaned_data["oldpassword"])
        if not get_adapter().reauthenticate(self.user, password):
            raise get_adapter().validation_error("incorrect_password")
        return password

    def clean(self) -> Any:
        """Compare the new passwords even if the first one is refused, to show both errors."""
        cleaned = super().clean()
        first, second = self["password1"].data, self["password2"].data
        if "password1" in self.errors and second and first != second:
            self.add_error("password2", _("You must type the same password each time."))
        return cleaned


class NewPassword(_Plain, ResetPasswordKeyForm):
    labels: ClassVar = {"password1": _("New password"), "password2": AGAIN}


class LinkedPassword(SetPasswordForm):  # type: ignore[type-arg]
    """A new password, set through a link from a host or the operator."""

    label = _("New password")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = self.label
        self.fields["new_password1"].help_text = AT_LEAST
        self.fields["new_password2"].label = AGAIN


def _username(label: Any) -> Any:
    return User._meta.get_field("username").formfield(  # noqa: SLF001 (public API)
        label=label, help_text="", widget=forms.TextInput(NAME)
    )


class ChangeUsername(forms.Form):
    username = _username(_("New username"))

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data, initial={"username": user.username})
        self.user = user

    def clean_username(self) -> str:
        return free_username(str(self.cleaned_data["username"]), self.user)


class FirstPassword(LinkedPassword):
    """A username and a password for a phone that joined, or for a user who signs in by OIDC."""

    username = _username(_("Username"))
    label = _("Password")
    field_order = ("username", "new_password1", "new_password2")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        joined = user.username.startswith("phone-") and not user.has_usable_password()
        self.fields["username"].initial = "" if joined else user.username

    def clean_username(self) -> str:
        return free_username(str(self.cleaned_data["username"]), self.user)

    def save(self, commit: bool = True) -> User:
        self.user.username = self.cleaned_data["username"]
        saved: User = super().save(commit)
        return saved


class ResetPassword(_Plain, ResetPasswordForm):
    """An e-mail address to send a link to. Links are sent only to verified addresses."""

    labels: ClassVar = {"email": _("E-mail address")}

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        user = user_of_email(email)
        self.users = [user] if user else []
        return email


class AddEmail(_Plain, AddEmailForm):
    labels: ClassVar = {"email": _("E-mail address")}


class ActivateTotp(_Plain, ActivateTOTPForm):
    labels: ClassVar = {"code": _("6-digit code")}


class SecondStep(_Plain, AuthenticateForm):
    labels: ClassVar = {"code": _("Code from your app, or a recovery code")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs["autofocus"] = True


class SecondStepAgain(SecondStep, CodeAgainForm):
    pass


class OidcSignUp(_Plain, SocialSignupForm):
    """Sign-up form with only a username. A provider's e-mail address is not verified here."""

    labels: ClassVar = {"username": _("Username")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("email", None)
        self.fields["username"].widget.attrs |= NAME


class AddPasskey(AddWebAuthnForm):
    """A passkey that signs in without a password. The number of passkeys per account is limited."""

    def clean_passwordless(self) -> bool:
        return True

    def clean(self) -> dict[str, Any]:
        passkeys = self.user.authenticator_set.filter(type=Authenticator.Type.WEBAUTHN)
        for problem in row_limits.PASSKEYS.exceeded(passkeys.count()):
            raise forms.ValidationError(problem["text"])
        return dict(super().clean())


class RenamePasskey(EditWebAuthnForm):
    name = forms.CharField(label=_("Name"), max_length=60)
