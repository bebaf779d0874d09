"""What listens and answers, in one process or several, and what runs next to it."""
