"""Django settings, which come only from environment variables (`environment.variables`).

If no variables are set, the service runs embedded: SQLite, in-memory broker, data under var/.
"""

import os
from datetime import timedelta
from typing import Any

import environ
from corsheaders.defaults import default_headers
from csp import constants as csp

from config.data.connections import configured, replica
from config.data.private_files import stored_secret_key
from config.environment.parsers import oidc_apps
from config.environment.reading import read_or_leave
from config.environment.variables import BASE_DIR
from config.observability.logs import configuration
from config.server.local_addresses import local_hosts

env = read_or_leave(os.environ)

DATA_DIR = env["DATA_DIR"]
BACKUP_DIR = env["BACKUP_DIR"] or DATA_DIR / "backups"
BACKUPS_KEPT = env["BACKUPS_KEPT"]
REDIS_URL = env["REDIS_URL"]
BEHIND_HTTPS = env["BEHIND_HTTPS"]

DEBUG = env["DEBUG"]
SECRET_KEY = env["SECRET_KEY"] or stored_secret_key(DATA_DIR / "secret-key")
# Health checks on the same machine use "localhost".
ALLOWED_HOSTS = [*(env["ALLOWED_HOSTS"] or local_hosts()), "localhost"]

INSTALLED_APPS = [
    "config.apps.ServiceConfig",
    "ledger.apps.LedgerConfig",
    "league.apps.LeagueConfig",
    "api.apps.ApiConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "axes",
    "csp",
    "django_htmx",
    "rest_framework",
    "knox",
    "corsheaders",
    "django_filters",
    "drf_spectacular",
]

# Knox generates and hashes the tokens, but the model is defined in this project.
KNOX_TOKEN_MODEL = "league.Token"  # noqa: S105 (the name of a table)
MIGRATION_MODULES = {"knox": None}

MIDDLEWARE = [
    "config.observability.logs.with_request_id",
    "config.observability.monitoring.count_requests",
    "config.observability.monitoring.allow_any_host",
    "django.middleware.security.SecurityMiddleware",
    "config.web.middleware.limit_body",
    "config.web.deadline.end_late_requests",
    "config.web.middleware.RefuseControlCharacters",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.web.middleware.forbid_caching",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "league.pages.parts.numbers.with_reader_locale",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.web.middleware.limit_pages",
    "league.pages.demo.DemoMiddleware",
    "league.pages.account.overview.seen",
    "league.pages.offline.add_user_header",
    "config.web.middleware.redirect_form_addresses",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.web.middleware.RequireSignIn",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["league.pages.parts.tags"],
            "libraries": {
                "look": "league.pages.parts.look",
                "numbers": "league.pages.parts.numbers",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.pages.account.overview.context",
            ],
        },
    },
]

# Databases and files

DATABASES = {
    "default": configured(
        environ.Env.db_url_config(env["DATABASE_URL"] or f"sqlite:///{DATA_DIR}/league.sqlite3")
    )
}
if env["REPLICA_URL"]:
    DATABASES["replica"] = replica(environ.Env.db_url_config(env["REPLICA_URL"]))
    DATABASE_ROUTERS = ["api.feeds.replica.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "dealers-choice",
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
# A hand takes a few kilobytes. A larger request is a mistake or an attack.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
REQUEST_SECONDS = env["REQUEST_SECONDS"]
WORK_SECONDS = env["WORK_SECONDS"]
PAGE_RATES = {"account": env["PAGE_RATE"], "address": env["PAGE_RATE_OPEN"]}
# How often streams send a heartbeat and check permissions. The interval is shorter than common
# proxy timeouts.
STREAM_HEARTBEAT_SECONDS = 15.0

# Users and sign-in

AUTH_USER_MODEL = "league.User"
LOGIN_URL = "/sign-in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "league.sign_in.authentication.VerifiedEmail",
]
# Who may create an account. People with a league's join code can always join.
SIGN_UP = env["SIGN_UP"]
# Whether visitors can try a league without an account, and how many leagues are prepared in
# advance.
DEMO = env["DEMO"]
DEMO_READY = env["DEMO_READY"]

OIDC_APPS = oidc_apps(
    name=env["OIDC_NAME"],
    server_url=env["OIDC_SERVER_URL"],
    client_id=env["OIDC_CLIENT_ID"],
    secret=env["OIDC_CLIENT_SECRET"],
)
# allauth handles sign-in. The URLs are in `league/pages/account/urls.py`, the pages in
# `templates/`.
ACCOUNT_ADAPTER = "league.pages.account.allauth_adapters.Account"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = (
    "none"  # addresses are verified by e-mail, but sign-in does not require it
)
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_DISPLAY = "league.pages.parts.visitor.called"
# How long a sign-in counts as recent, in seconds. Changing keys, roles and sign-in methods requires
# a recent sign-in.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
# Limits in addition to allauth's defaults, because these requests call a provider or create a
# session.
ACCOUNT_RATE_LIMITS = {"oidc": "20/m/ip", "passkey": "30/m/ip", "end_sessions": "5/m/user"}
ACCOUNT_FORMS = {
    "login": "league.pages.account.forms.SignIn",
    "set_password": "league.pages.account.forms.FirstPassword",
    "add_email": "league.pages.account.forms.AddEmail",
    "change_password": "league.pages.account.forms.ChangePassword",
    "reauthenticate": "league.pages.account.forms.Reauthenticate",
    "reset_password": "league.pages.account.forms.ResetPassword",
    "reset_password_from_key": "league.pages.account.forms.NewPassword",
}
MFA_ADAPTER = "league.pages.account.allauth_adapters.SecondFactor"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # users do not need an e-mail address
MFA_TOTP_TOLERANCE = 1  # in time steps; phone clocks can be a few seconds off
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_FORMS = {
    "add_webauthn": "league.pages.account.forms.AddPasskey",
    "edit_webauthn": "league.pages.account.forms.RenamePasskey",
    "activate_totp": "league.pages.account.forms.ActivateTotp",
    "authenticate": "league.pages.account.forms.SecondStep",
    "reauthenticate": "league.pages.account.forms.SecondStepAgain",
}
SOCIALACCOUNT_ADAPTER = "league.pages.account.allauth_adapters.Oidc"
SOCIALACCOUNT_FORMS = {"signup": "league.pages.account.forms.OidcSignUp"}
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5
# Users link an account while signed in. Accounts are never linked by a provider's e-mail address.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": OIDC_APPS}}
# Failed sign-ins lock out a combination of user name and IP address. An attacker elsewhere can't
# lock out a user, and other users at the same address can still sign in.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_USERNAME_CALLABLE = "league.sign_in.authentication.name_tried"
AXES_CLIENT_IP_CALLABLE = "league.common.client_ip.address_of"
AXES_LOCKOUT_CALLABLE = "league.pages.account.allauth_adapters.locked_out"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# HTTP

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_HTTPS
SECURE_SSL_REDIRECT = BEHIND_HTTPS
# Monitoring calls these URLs directly, without the HTTPS proxy.
SECURE_REDIRECT_EXEMPT = [r"^(health|healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_HTTPS else None
# HSTS for subdomains and preload are disabled, because the domain may host other services.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Scripts and styles are loaded only from the service's own files, so a name that someone enters
# can't run as a script.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [csp.SELF],
        "img-src": [csp.SELF, "data:"],
        "style-src": [csp.SELF],
        "script-src": [csp.SELF],
        "connect-src": [csp.SELF],
        "manifest-src": [csp.SELF],
        "worker-src": [csp.SELF],
        "object-src": [csp.NONE],
        "base-uri": [csp.NONE],
        "form-action": [csp.SELF],
        "frame-ancestors": [csp.NONE],
    }
}

# Collected files have a hash in their names. Without STATIC_ROOT, source files are served directly.
STATIC_URL = "static/"
STATIC_ROOT = env["STATIC_ROOT"]
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.web.static_files.HashedFiles"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# A common prefix allows secret scanners to find keys that were published by mistake.
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_PREFIX": "dealer_"}

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.http.parsers.Json"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.http.authentication.TokenBearer",
        "api.http.authentication.Session",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.http.authentication.HasCredentials"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.http.parsers.JsonOnly",
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "api.openapi.schema.Schema",
    "DEFAULT_THROTTLE_CLASSES": [
        "api.http.throttles.ByCaller",
        "api.http.throttles.ByAddress",
        "api.http.throttles.ByScope",
    ],
    # If the operator does not run a proxy, clients can forge X-Forwarded-For.
    "NUM_PROXIES": 1 if BEHIND_HTTPS else 0,
    "EXCEPTION_HANDLER": "api.http.errors.handle",
}

API_RATES = {
    # Rate limits per token, link or user. Requests without credentials are limited by IP address.
    "caller": env["API_RATE"],
    "address": env["API_RATE_OPEN"],
    # Settling a hand stores nothing, but it is public and takes a few milliseconds.
    "settle": "120/min",
}
# Other origins whose pages may read the API with a token or a link, but not with a session.
CORS_ALLOWED_ORIGINS = env["CORS_ORIGINS"]
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_METHODS = ("GET", "HEAD", "OPTIONS")
# `last-event-id` allows a client to resume a stream.
CORS_ALLOW_HEADERS = (*default_headers, "last-event-id")
CORS_EXPOSE_HEADERS = (
    *("Deprecation", "ETag", "Last-Modified", "Link", "Retry-After", "Sunset"),
    *("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"),
)

SPECTACULAR_SETTINGS = {
    "TITLE": "Dealer's Choice",
    "DESCRIPTION": "Record and settle the hands of a home poker league (docs/api.md).",
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "SERVERS": [{"url": "/", "description": "the service that this document was read from"}],
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.openapi.schema.name_parts",
        "api.openapi.schema.add_record",
        "api.openapi.schema.add_problems",
        "api.openapi.schema.add_limits",
        "api.openapi.schema.add_examples",
        "api.openapi.webhooks.add_webhooks",
    ],
    "ENUM_NAME_OVERRIDES": {
        "Attendance": "league.models.NightAnswer.Says",
        "AmountUnit": "rules.formats.pokernow.log.AMOUNTS",
        "ChargeKind": "league.models.Charge.Kind",
        "ChartSubject": "api.feeds.stats.charts.SUBJECTS",
        "ChipColourName": "league.chips.COLOUR_NAMES",
        "ChipRequestKind": "league.models.ChipRequest.Kind",
        "ChipRequestState": "api.nights.chip_requests.STATE_NAMES",
        "ConflictState": "api.hands.conflicts.STATE_NAMES",
        "CorrectionRights": "league.models.Corrections",
        "ColumnType": "api.feeds.dictionary.TYPES",
        "DetailLevel": "league.models.Revision.Depth",
        "HandOutcome": "api.hands.views.OUTCOMES",
        "InvitationRights": "league.models.Inviters",
        "JoinRequestState": "api.leagues.members.STATE_NAMES",
        "JoinedRights": "league.models.JoinedAccess",
        "LeftoverChips": "league.models.LeftoverPolicy",
        "LimitPolicy": "league.models.LimitPolicy",
        "NightGrouping": "api.hands.imports.GROUPINGS",
        "NightState": "league.models.Night.State",
        "ObjectionAnswerKind": "league.models.ObjectionAnswer.Kind",
        "OddsState": "api.games.odds.STATES",
        "PaymentState": "league.models.Payment.State",
        "PlannedNightState": "league.models.PlannedNight.State",
        "Role": "league.models.Role",
        "SeasonScoring": "league.models.Scoring",
        "SeatingMethod": "api.nights.tournament_serializers.SEATING_METHODS",
        "SentenceDepth": "api.hands.sentences.DEPTHS",
        "SentenceMarkCode": "api.hands.sentences.MARKS",
        "SentencePlayerState": "api.hands.sentences.STATES",
        "TournamentEventKind": "league.models.TournamentEvent.Kind",
        "SettlementPeriod": "league.models.SettlementPeriod",
        "UncountedChips": "league.models.UncountedPolicy",
        "WebhookEvent": "api.leagues.webhooks.EVENTS",
        "InvitedRole": "league.people.joining.ROLE_CHOICES",
    },
    "SERVE_INCLUDE_SCHEMA": False,
}

# A translation requires a folder under locale/ and a line here. See CONTRIBUTING.md.
LANGUAGES = [("en", "English")]
LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = env["TIME_ZONE"]

# E-mail

_mail = environ.Env.email_url_config(env["EMAIL_URL"])
EMAIL_BACKEND = _mail["EMAIL_BACKEND"]
EMAIL_HOST, EMAIL_PORT = _mail["EMAIL_HOST"], _mail["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["EMAIL_HOST_USER"], _mail["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.get("EMAIL_USE_TLS", False), _mail.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env["MAIL_FROM"]
# The public address used in e-mail links. Without it, e-mails contain no links.
SITE_URL = env["SITE_URL"]
# The address that phones on the local network use. `serve` sets it if it listens on all addresses.
SERVED_AT = ""

# Background tasks

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, float] = (
    {
        "socket_connect_timeout": 2,
        # Seconds, longer than any task. After this time, a killed worker's tasks go to another
        # worker. Checked every 2 seconds instead of kombu's default of 100.
        "visibility_timeout": 3600,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
    }
    if REDIS_URL
    else {"polling_interval": 0.1}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A page must not wait for an unavailable broker. Pending work is stored in the database.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TASK_IGNORE_RESULT = True
# An interrupted task is given to another worker. Every task is idempotent.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULER = "config.heartbeats:Scheduler"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # Pending work is stored in tables, so if a message is lost, the next sweep sends it again.
    "sweep": {
        "task": "league.tasks.sweep",
        "schedule": timedelta(seconds=20),
        "options": {"expires": 60},
    },
    # Scheduled work: daily and hourly jobs, and the backup.
    "run-due-jobs": {
        "task": "config.tasks.run_due_jobs",
        "schedule": timedelta(minutes=15),
        "options": {"expires": 600},
    },
    "back-up": {
        "task": "config.tasks.back_up",
        "schedule": timedelta(minutes=15),
        "options": {"expires": 600},
    },
    "keep-demos": {
        "task": "league.tasks.maintain_demos",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    # Recording a hand only marks it. The next sweep adds it to the statistics.
    "sweep-stats": {
        "task": "league.tasks.sweep_stats",
        "schedule": timedelta(seconds=10),
        "options": {"expires": 60},
    },
    "sweep-luck": {
        "task": "league.tasks.sweep_luck",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "sweep-charts": {
        "task": "league.tasks.sweep_charts",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "sweep-odds": {"task": "league.tasks.sweep_odds", "schedule": timedelta(minutes=1)},
}

# A lease starts when the work starts. It is longer than a webhook call or an e-mail takes. After a
# worker dies, its work waits until the lease expires.
WORK_LEASE = timedelta(minutes=2)

# Private networks that webhooks may call, e.g. a home network.
WEBHOOK_NETWORKS = env["WEBHOOK_NETWORKS"]

LOGGING = configuration(form=env["LOG_FORMAT"], level=env["LOG_LEVEL"])

# The token required to read the metrics, and the folder in which processes sharing a port combine
# them.
METRICS_TOKEN = env["METRICS_TOKEN"]
METRICS_DIR = env["PROMETHEUS_MULTIPROC_DIR"]
