"""What listens and answers: gunicorn's worker, waitress, the whole service in one process."""
