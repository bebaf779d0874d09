"""Users, leagues, their members and players."""

import uuid

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import league.models.people

TABLES = [
    migrations.CreateModel(
        name="User",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("password", models.CharField(max_length=128, verbose_name="password")),
            ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
            (
                "is_superuser",
                models.BooleanField(
                    default=False,
                    help_text="Designates that this user has all permissions without explicitly assigning them.",
                    verbose_name="superuser status",
                ),
            ),
            (
                "username",
                models.CharField(
                    error_messages={"unique": "A user with that username already exists."},
                    help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                    max_length=150,
                    unique=True,
                    validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                    verbose_name="username",
                ),
            ),
            ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
            ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
            ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
            (
                "is_staff",
                models.BooleanField(
                    default=False,
                    help_text="Designates whether the user can log into this admin site.",
                    verbose_name="staff status",
                ),
            ),
            (
                "is_active",
                models.BooleanField(
                    default=True,
                    help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                    verbose_name="active",
                ),
            ),
            (
                "date_joined",
                models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
            ),
            (
                "groups",
                models.ManyToManyField(
                    blank=True,
                    help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                    related_name="user_set",
                    related_query_name="user",
                    to="auth.group",
                    verbose_name="groups",
                ),
            ),
            (
                "user_permissions",
                models.ManyToManyField(
                    blank=True,
                    help_text="Specific permissions for this user.",
                    related_name="user_set",
                    related_query_name="user",
                    to="auth.permission",
                    verbose_name="user permissions",
                ),
            ),
            ("four_colours", models.BooleanField(default=False)),
        ],
        options={
            "verbose_name": "user",
            "verbose_name_plural": "users",
            "abstract": False,
        },
        managers=[
            ("objects", django.contrib.auth.models.UserManager()),
        ],
    ),
    migrations.CreateModel(
        name="League",
        fields=[
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("name", models.CharField(max_length=60)),
            ("currency", models.CharField(default="USD", max_length=3)),
            ("time_zone", models.CharField(default="UTC", max_length=64)),
            ("code", models.CharField(max_length=6, unique=True)),
            ("chip_value", models.BigIntegerField(default=1)),
            ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "book",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="league",
                    to="ledger.book",
                ),
            ),
            (
                "created_by",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            (
                "banker",
                models.ForeignKey(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="league.player",
                ),
            ),
            ("closing_hour", models.PositiveSmallIntegerField(default=6)),
            (
                "leftover",
                models.CharField(
                    choices=[("back", "Back"), ("stays", "Stays")], default="back", max_length=20
                ),
            ),
            (
                "settles",
                models.CharField(
                    choices=[("night", "Night"), ("season", "Season")],
                    default="night",
                    max_length=20,
                ),
            ),
            (
                "uncounted",
                models.CharField(
                    choices=[("wait", "Wait"), ("hands", "Hands")], default="wait", max_length=20
                ),
            ),
            (
                "joined",
                models.CharField(
                    choices=[("record", "Record"), ("look", "Look")],
                    default="record",
                    max_length=20,
                ),
            ),
            ("denominations", models.JSONField(default=league.models.people.usual_chips)),
            ("version", models.PositiveBigIntegerField(default=0)),
        ],
        options={
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("chip_value__gte", 1), ("chip_value__lte", 1000000000000)),
                    name="league_chip_is_worth_something",
                ),
                models.CheckConstraint(
                    condition=models.Q(("closing_hour__lte", 23)), name="league_closes_at_an_hour"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Membership",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            (
                "role",
                models.CharField(
                    choices=[
                        ("host", "Host"),
                        ("scorekeeper", "Scorekeeper"),
                        ("player", "Player"),
                        ("viewer", "Viewer"),
                    ],
                    max_length=20,
                ),
            ),
            ("joined_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "league",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="memberships",
                    to="league.league",
                ),
            ),
            (
                "user",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="memberships",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(fields=("league", "user"), name="league_member_once"),
                models.CheckConstraint(
                    condition=models.Q(("role__in", ["host", "scorekeeper", "player", "viewer"])),
                    name="league_member_role_is_known",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Player",
        fields=[
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("name", models.CharField(max_length=60)),
            ("is_guest", models.BooleanField(default=False)),
            (
                "league",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="players",
                    to="league.league",
                ),
            ),
            (
                "user",
                models.ForeignKey(
                    blank=True,
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="players",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    models.F("league"),
                    django.db.models.functions.text.Lower("name"),
                    name="league_player_name_once",
                ),
                models.UniqueConstraint(
                    condition=models.Q(("user__isnull", False)),
                    fields=("user", "league"),
                    name="league_player_user_once",
                ),
            ],
        },
    ),
]
