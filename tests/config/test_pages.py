import pytest
from django.test import Client


@pytest.mark.django_db
def test_the_service_answers_when_its_database_does(client: Client) -> None:
    answer = client.get("/health")
    assert (answer.status_code, answer.content) == (200, b"ok")


@pytest.mark.django_db
def test_every_answer_tells_where_scripts_may_come_from(client: Client) -> None:
    assert "default-src 'self'" in client.get("/health").headers["Content-Security-Policy"]
