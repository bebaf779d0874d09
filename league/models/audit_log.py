"""The audit log: actions that no other row records. `league.audit_log` writes these rows."""

from django.db import models
from django.utils import timezone

from league.models.people import League, User


class LogbookEntry(models.Model):
    """A user's action. `of` is the user affected by it. `about` contains the details.

    Entries can't be deleted, so they do not contain addresses, secrets or text that users typed.
    """

    class Kind(models.TextChoices):
        SIGNED_IN = "signed-in"
        WRONG_PASSWORD = "wrong-password"  # noqa: S105 (no password)
        LOCKED_OUT = "locked-out"
        PASSWORD_CHANGED = "password-changed"  # noqa: S105
        PASSWORD_RESET = "password-reset"  # noqa: S105
        PASSWORD_LINK_MADE = "password-link-made"  # noqa: S105
        PASSWORD_LINK_USED = "password-link-used"  # noqa: S105
        USERNAME_CHANGED = "username-changed"
        EMAIL_CHANGED = "email-changed"
        SECOND_FACTOR_ADDED = "second-factor-added"
        SECOND_FACTOR_REMOVED = "second-factor-removed"
        RECOVERY_CODES_MADE = "recovery-codes-made"
        PASSKEY_ADDED = "passkey-added"
        PASSKEY_REMOVED = "passkey-removed"
        PUSH_ADDED = "push-added"
        PUSH_ENDED = "push-ended"
        SESSIONS_ENDED = "sessions-ended"
        SIGN_IN_LINKED = "sign-in-linked"
        SIGN_IN_UNLINKED = "sign-in-unlinked"
        PAYMENT_METHOD_ADDED = "payment-method-added"
        PAYMENT_METHOD_REMOVED = "payment-method-removed"
        TOKEN_MADE = "token-made"  # noqa: S105 (no token)
        TOKEN_ENDED = "token-ended"  # noqa: S105
        LINK_MADE = "link-made"
        LINK_ENDED = "link-ended"
        ROLE_CHANGED = "role-changed"
        MEMBER_REMOVED = "member-removed"
        CODE_RENEWED = "code-renewed"
        INVITED = "invited"
        INVITATION_ENDED = "invitation-ended"
        JOINED = "joined"
        JOIN_ASKED = "join-asked"
        JOIN_REFUSED = "join-refused"
        NAME_RELEASED = "name-released"
        PLAYER_ADDED = "player-added"
        PLAYER_RENAMED = "player-renamed"
        PLAYER_REMOVED = "player-removed"
        PHONE_SIGNED_OUT = "phone-signed-out"
        RECEIPT_SHARED = "receipt-shared"
        RECEIPT_UNSHARED = "receipt-unshared"
        HAND_SHARED = "hand-shared"
        HAND_UNSHARED = "hand-unshared"
        ANSWERS_SHARED = "answers-shared"
        ANSWERS_UNSHARED = "answers-unshared"
        SCREEN_SHARED = "screen-shared"
        SCREEN_UNSHARED = "screen-unshared"
        CHAT_ADDED = "chat-added"
        CHAT_ENDED = "chat-ended"
        WEBHOOK_MADE = "webhook-made"
        WEBHOOK_CHANGED = "webhook-changed"
        WEBHOOK_RENEWED = "webhook-renewed"
        WEBHOOK_STOPPED = "webhook-stopped"
        WEBHOOK_STARTED = "webhook-started"
        WEBHOOK_RETIRED = "webhook-retired"
        WEBHOOK_RESENT = "webhook-resent"
        OPTIONS_CHANGED = "options-changed"
        LIMITS_EXCEEDED = "limits-exceeded"
        LEFT_EARLY = "left-early"
        CASH_COUNTED = "cash-counted"
        TOURNAMENT_STARTED = "tournament-started"
        TOURNAMENT_CANCELLED = "tournament-cancelled"
        PAYOUTS_CHANGED = "payouts-changed"
        IMPORTED = "imported"
        SEASON_IMPORTED = "season-imported"
        AUDIT_FAILED = "audit-failed"

    kind = models.CharField(max_length=40, choices=Kind)
    league = models.ForeignKey(League, models.PROTECT, null=True, related_name="logbook")
    of = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    about = models.JSONField(default=dict)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "logbook entries"
        indexes = (
            models.Index(fields=["league", "-made_at"], name="league_logbook_in_order"),
            models.Index(fields=["made_by", "-made_at"], name="league_logbook_of_user"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.made_at}"
