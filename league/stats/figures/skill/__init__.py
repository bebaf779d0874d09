"""What a player does well, and what luck adds: choices, all-ins, season against season."""
