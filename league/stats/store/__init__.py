"""How what is counted lies in the database: plain SQL."""
