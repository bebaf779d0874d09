"""The forms of signing in, in our words; what they take and check is allauth's."""

from typing import Any

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
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.utils.translation import gettext_lazy as _

from league.models import User
from league.sign_in.email_backend import LONGEST, free_username, user_of_email

AT_LEAST = _("At least eight characters, not only digits.")
AGAIN = _("The same password again")
NAME = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
NEW = {"autocomplete": "new-password"}
EMAIL = {"inputmode": "email", "autocomplete": "email", "autocapitalize": "none"}
CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "autocapitalize": "none"}


def _plain(form: forms.Form, **labels: Any) -> None:
    """Give fields our labels; what stands in a field goes when somebody types, so it says nothing.

    Help that allauth writes as HTML goes too.
    """
    for name, field in form.fields.items():
        field.widget.attrs.pop("placeholder", None)
        field.help_text = AT_LEAST if name == "password1" else ""
        field.label = labels.get(name, field.label)


class SignIn(LoginForm):
    """A username or a verified e-mail address, and the password; posted as `username`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, login=_("Username or e-mail"), password=_("Password"))
        told = NAME | {"autofocus": True}
        self.fields["login"] = forms.CharField(
            label=_("Username or e-mail"), max_length=LONGEST, widget=forms.TextInput(told)
        )

    def add_prefix(self, field_name: str) -> str:
        return "username" if field_name == "login" else str(super().add_prefix(field_name))


class Reauthenticate(ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, password=_("Password"))


class ChangePassword(ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(
            self,
            oldpassword=_("The password until now"),
            password1=_("The new password"),
            password2=AGAIN,
        )

    def clean_oldpassword(self) -> str:
        """Check it where guesses are counted: a stolen session is no place to guess at will."""
        password = str(self.cleaned_data["oldpassword"])
        if not get_adapter().reauthenticate(self.user, password):
            raise get_adapter().validation_error("enter_current_password")
        return password


class NewPassword(ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, password1=_("The new password"), password2=AGAIN)


class LinkedPassword(SetPasswordForm):  # type: ignore[type-arg]
    """A new password by a link; the name stands along so that the phone keeps both."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].label = _("The new password")
        self.fields["new_password1"].help_text = AT_LEAST
        self.fields["new_password2"].label = AGAIN


def _username(label: Any) -> Any:
    return User._meta.get_field("username").formfield(  # noqa: SLF001 (public)
        label=label, help_text="", widget=forms.TextInput(NAME)
    )


class ChangeUsername(forms.Form):
    username = _username(_("New username"))

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data, initial={"username": user.username})
        self.user = user

    def clean_username(self) -> str:
        return free_username(str(self.cleaned_data["username"]), self.user)


class FirstPassword(SetPasswordForm):  # type: ignore[type-arg]
    """A name and a password for somebody who has none: a phone that joined, or comes by OIDC."""

    username = _username(_("Username"))
    field_order = ("username", "new_password1", "new_password2")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        self.fields["username"].initial = "" if named_by_us(user) else user.username
        self.fields["new_password1"].label = _("Password")
        self.fields["new_password1"].help_text = AT_LEAST
        self.fields["new_password2"].label = AGAIN

    def clean_username(self) -> str:
        return free_username(str(self.cleaned_data["username"]), self.user)

    def save(self, commit: bool = True) -> User:
        self.user.username = self.cleaned_data["username"]
        saved: User = super().save(commit)
        return saved


def named_by_us(user: User) -> bool:
    """Tell whether the name is the one that a phone got when it joined."""
    return user.username.startswith("phone-") and not user.has_usable_password()


class ResetPassword(ResetPasswordForm):
    """An address; only one that its owner has proven gets a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, email=_("Your e-mail address"))
        self.fields["email"].widget = forms.TextInput(EMAIL)

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        user = user_of_email(email)
        self.users = [user] if user else []
        return email


class AddEmail(AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, email=_("E-mail address"))
        self.fields["email"].widget = forms.TextInput(EMAIL)


class ActivateTotp(ActivateTOTPForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, code=_("The six digits that it shows"))
        self.fields["code"].widget.attrs |= CODE


class SecondStep(AuthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, code=_("The code of your app, or a recovery code"))
        self.fields["code"].widget.attrs |= CODE | {"autofocus": True}


class SecondStepAgain(CodeAgainForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self, code=_("The code of your app, or a recovery code"))
        self.fields["code"].widget.attrs |= CODE | {"autofocus": True}


class OidcSignUp(SocialSignupForm):
    """Only a name: an address that a provider tells is not taken for proven."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("email", None)
        _plain(self, username=_("Username"))
        self.fields["username"].widget.attrs |= NAME


class RenamePasskey(forms.Form):
    name = forms.CharField(label=_("What it is called"), max_length=60)
