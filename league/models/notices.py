"""Notifications to phones and chats. See `league.notices` and `league.chat`."""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.jobs import OutgoingMessage
from league.models.people import League, User
from league.models.shared import LONGEST_ADDRESS, LONGEST_NAME


class PushKey(models.Model):
    """The key pair that identifies this service to push services (RFC 8292). There is only one.

    Every subscription is bound to the public key. `private` is encrypted.
    """

    number = models.PositiveSmallIntegerField(primary_key=True, default=1)
    public = models.CharField(max_length=100)
    private = models.TextField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return "the key for push services"


class PushSubscription(models.Model):
    """A phone that receives push notifications until `gone_at`.

    `address` contains the phone's endpoint and keys. `address` is encrypted, because anyone who has
    it can send notifications to the phone. `address_hash` identifies a known endpoint. The
    subscription ends with the session that created it.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="push_subscriptions")
    address = models.TextField()
    address_hash = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=LONGEST_NAME, blank=True)
    session_key = models.CharField(max_length=40, db_index=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    gone_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(
                fields=["user"], condition=Q(gone_at=None), name="league_push_subscriptions_live"
            ),
        )

    def __str__(self) -> str:
        return self.kind or "a phone"


class NoticeChoice(models.Model):
    """A user's channels for one kind of notification, if they differ from the default."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=40)
    by_push = models.BooleanField()
    by_mail = models.BooleanField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "kind"], name="league_notice_choice_once"),
        )

    def __str__(self) -> str:
        return self.kind


class Notice(models.Model):
    """A notification to a user, sent once for each key. `link` is a path on this site."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=200)
    title = models.CharField(max_length=200)
    body = models.CharField(max_length=500, blank=True)
    link = models.CharField(max_length=200)
    made_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "key"], name="league_notice_once"),)

    def __str__(self) -> str:
        return self.title


class PushMessage(OutgoingMessage):
    """A notification queued for one phone.

    The message is dropped if the notification is no longer current.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    notice = models.ForeignKey(Notice, models.CASCADE, related_name="pushes", db_index=False)
    subscription = models.ForeignKey(PushSubscription, models.CASCADE, related_name="pushes")

    class Meta(OutgoingMessage.Meta):
        db_table = "league_push"
        verbose_name_plural = "pushes"
        constraints = (
            models.UniqueConstraint(fields=["notice", "subscription"], name="league_push_once"),
        )

    def __str__(self) -> str:
        return f"{self.notice} to {self.subscription}"


class ChatChannel(models.Model):
    """A chat that receives recaps of a league's nights until `ended_at`. See `league.chat`.

    `address` is encrypted, because anyone who has it can post to the chat. `label` is the part of
    the address that pages show.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.PROTECT, related_name="chat_channels")
    service = models.CharField(max_length=20)
    address = models.TextField()
    label = models.CharField(max_length=LONGEST_ADDRESS)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.service} {self.label}"


class ChatPost(OutgoingMessage):
    """A chat message: the recap of a closing, or a test message if there is no closing.

    A sent message can't be withdrawn. If sending began at `begun_at` but the result was not
    recorded, the message may have arrived. The message is then marked as unsure and is not sent
    again automatically.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    channel = models.ForeignKey(ChatChannel, models.CASCADE, related_name="posts", db_index=False)
    closing = models.ForeignKey("Closing", models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    begun_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)

    class Meta(OutgoingMessage.Meta):
        constraints = (
            models.UniqueConstraint(fields=["channel", "closing"], name="league_chat_post_once"),
        )

    def __str__(self) -> str:
        return f"{self.closing or 'a test'} to {self.channel}"
