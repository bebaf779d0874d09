"""The functions that apply each verb to the table."""
