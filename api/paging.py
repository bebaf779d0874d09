from rest_framework.pagination import CursorPagination


class Hands(CursorPagination):
    """The hands of a night in the order dealt."""

    ordering = ("hand__number",)
    page_size = 50


class Nights(CursorPagination):
    """Nights, the latest first."""

    ordering = ("-started_at", "id")
    page_size = 50
