from rest_framework.pagination import CursorPagination


class Hands(CursorPagination):
    """The hands of a night in the order dealt."""

    ordering = ("place",)  # a cursor reads it from the row itself
    page_size = 50


class Nights(CursorPagination):
    """Nights, the latest first."""

    ordering = ("-started_at", "id")
    page_size = 50
