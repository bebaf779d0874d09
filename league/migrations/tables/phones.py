"""Phones, tokens and links to feeds."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

TABLES = [
    migrations.CreateModel(
        name="FeedLink",
        fields=[
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("name", models.CharField(max_length=60)),
            ("key_hash", models.CharField(max_length=64, unique=True)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("revoked_at", models.DateTimeField(null=True)),
            (
                "league",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="feed_links",
                    to="league.league",
                ),
            ),
            (
                "made_by",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
        ],
    ),
    migrations.CreateModel(
        name="Token",
        fields=[
            ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
            ("token_key", models.CharField(db_index=True, max_length=25)),
            ("created", models.DateTimeField(auto_now_add=True)),
            ("expiry", models.DateTimeField(blank=True, null=True)),
            ("id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
            ("name", models.CharField(max_length=60)),
            (
                "scope",
                models.CharField(
                    choices=[("read", "Read"), ("record", "Record"), ("manage", "Manage")],
                    max_length=20,
                ),
            ),
            (
                "league",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="tokens",
                    to="league.league",
                ),
            ),
            (
                "user",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="auth_token_set",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
        ],
        options={
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("scope__in", ["read", "record", "manage"])),
                    name="league_token_scope_is_known",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Device",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("session_key", models.CharField(editable=False, max_length=40)),
            ("kind", models.CharField(blank=True, max_length=60)),
            ("joined_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("seen_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("signed_out_at", models.DateTimeField(null=True)),
            (
                "league",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="devices",
                    to="league.league",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="devices",
                    to="league.player",
                ),
            ),
            (
                "user",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="devices",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
        ],
    ),
]
