"""Settings, from the environment alone; docs/running.md lists the variables.

With no variable set the service runs embedded: SQLite, in-memory broker, data under var/.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import environ

from config.databases import configured
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
    "django_htmx",
    "rest_framework",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.headers.content_security_policy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
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

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.Json"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.Session"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.ScopedRateThrottle"],
    # Settling stores nothing, but it is open to anyone and costs some milliseconds.
    "DEFAULT_THROTTLE_RATES": {"settle": "120/min"},
    # Without a proxy of ours, X-Forwarded-For is the sender's own word.
    "NUM_PROXIES": 1 if BEHIND_HTTPS else 0,
    "EXCEPTION_HANDLER": "api.errors.handle",
}

LANGUAGE_CODE = "en-us"
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
    "clear-sessions": {"task": "config.tasks.clear_sessions", "schedule": timedelta(hours=24)},
    "sweep-odds": {"task": "league.tasks.sweep_odds", "schedule": timedelta(minutes=1)},
}

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
