from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Someone who signs in."""
