"""What is computed from hands, and how it was drawn."""
