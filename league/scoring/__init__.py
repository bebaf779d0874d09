"""The scoring of seasons: by chips won, by points for places, or by a points document."""
