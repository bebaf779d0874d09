"""Settings, from the environment alone; docs/running.md lists the variables.

With no variable set the service runs embedded: SQLite, in-memory broker, data under var/.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab

from config.databases import configured
from config.headers import POLICY
from config.hosts import home_hosts
from config.secret import kept_secret

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("DATA_DIR", "") or BASE_DIR / "var")
REDIS_URL = env.str("REDIS_URL", "")
BEHIND_HTTPS = env.bool("BEHIND_HTTPS", False)

DEBUG = env.bool("DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "") or kept_secret(DATA_DIR / "secret-key")
# The machine itself always gets in, so that its health can be asked from there.
ALLOWED_HOSTS = [*(env.list("ALLOWED_HOSTS", default=[]) or home_hosts()), "localhost"]

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
    "csp",
    "django_htmx",
    "rest_framework",
    "knox",
    "corsheaders",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

# Of knox we take how tokens are made and hashed; the row is our own.
KNOX_TOKEN_MODEL = "league.Token"  # noqa: S105 (the name of a table)
MIGRATION_MODULES = {"knox": None}

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "league.pages.offline.whose_page",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.pages.looks.context",
            ],
        },
    },
]

# Data

DATABASES = {
    "default": configured(
        env.db_url_config(env.str("DATABASE_URL", "") or f"sqlite:///{DATA_DIR}/league.sqlite3")
    )
}
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
# A hand is a few kilobytes; whatever is larger than this is a mistake or an attack.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# People

AUTH_USER_MODEL = "league.User"
LOGIN_URL = "/sign-in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# The web

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_HTTPS
SECURE_SSL_REDIRECT = False
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {"DIRECTIVES": POLICY}

# Collected files get a hash in their name; without a place for them they are served as they lie.
STATIC_URL = "static/"
STATIC_ROOT = env.str("STATIC_ROOT", "") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.static.HashedFiles"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Keys that start alike are found by those who search what was published by mistake.
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_PREFIX": "dealer_"}

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.Json"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.TokenBearer",
        "api.authentication.Session",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.authentication.Known"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "api.parsers.JsonAlways",
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "api.schema.Schema",
    "DEFAULT_THROTTLE_CLASSES": [
        "api.throttling.ByCaller",
        "api.throttling.ByAddress",
        "api.throttling.ByScope",
    ],
    # Without a proxy of ours, X-Forwarded-For is the sender's own word.
    "NUM_PROXIES": 1 if BEHIND_HTTPS else 0,
    "EXCEPTION_HANDLER": "api.errors.handle",
}

API_RATES = {
    # By token, link or user, and by address for whoever has none.
    "caller": env.str("API_RATE", "") or "600/min",
    "address": env.str("API_RATE_OPEN", "") or "240/min",
    # Settling stores nothing, but it is open to anyone and costs some milliseconds.
    "settle": "120/min",
}
# Pages elsewhere that may read the API; with a token or a link, never by a session.
CORS_ALLOWED_ORIGINS = env.list("CORS_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_METHODS = ("GET", "HEAD", "OPTIONS")
CORS_EXPOSE_HEADERS = ("ETag", "Last-Modified", "Retry-After")

SPECTACULAR_SETTINGS = {
    "TITLE": "Dealer's Choice",
    "DESCRIPTION": "A home poker league: its hands, settled; its books, balanced. docs/api.md",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.schema.add_problems",
        "api.schema.add_examples",
    ],
    "ENUM_NAME_OVERRIDES": {
        "NightState": "league.models.Night.State",
        "PaymentState": "league.models.Payment.State",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# A translation is a folder under locale/ and a line here; CONTRIBUTING.md tells how.
LANGUAGES = [("en", "English")]
LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", "UTC")

# Letters

_mail = env.email_url_config(env.str("EMAIL_URL", "") or "consolemail://")
EMAIL_BACKEND = _mail["EMAIL_BACKEND"]
EMAIL_HOST, EMAIL_PORT = _mail["EMAIL_HOST"], _mail["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["EMAIL_HOST_USER"], _mail["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.get("EMAIL_USE_TLS", False), _mail.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", "") or "dealers-choice@localhost"
# Where the service is reached, for links in letters; without it they hold none.
SITE_URL = env.str("SITE_URL", "").rstrip("/")
# Where phones at home reach it: `serve` says so when it listens on all addresses.
SERVED_AT = ""

# Work in the background

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, float] = (
    {"socket_connect_timeout": 2, "visibility_timeout": 3600}
    if REDIS_URL
    else {"polling_interval": 0.1}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A page must not wait for a broker that is away: what is due stands in the database.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_TASK_IGNORE_RESULT = True
# A task that dies half-way is given to the next worker: every task can be run again.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_TIMEZONE = TIME_ZONE
# This scheduler keeps its times in memory and leaves no file behind.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # What is due stands in tables: a message that is lost is sent again by the next sweep.
    "sweep": {
        "task": "league.tasks.sweep",
        "schedule": timedelta(seconds=20),
        "options": {"expires": 60},
    },
    "remind-payers": {"task": "league.tasks.remind_payers", "schedule": timedelta(hours=12)},
    "forget-deliveries": {
        "task": "league.tasks.forget_deliveries",
        "schedule": timedelta(hours=24),
    },
    "clear-sessions": {"task": "config.tasks.clear_sessions", "schedule": timedelta(hours=24)},
    "forget-answers": {"task": "api.tasks.forget_answers", "schedule": timedelta(hours=1)},
    # Recording leaves a mark and sends nothing: a hand is counted within these seconds.
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
    "check-stats": {"task": "league.tasks.check_stats", "schedule": crontab(hour="5", minute="17")},
    "sweep-charts": {
        "task": "league.tasks.sweep_charts",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "sweep-odds": {"task": "league.tasks.sweep_odds", "schedule": timedelta(minutes=1)},
}

# Networks that webhooks may call although they are not public: a home's own, for example.
WEBHOOK_NETWORKS = env.list("WEBHOOK_NETWORKS", default=[])

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", "WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True, "level": "NOTSET"},
        # It warns of every ordinary end of a worker.
        "celery.worker.control": {"level": "ERROR"},
    },
}
