"""What a group has beside its games: settings, boards of its own, the rules, a leaderboard."""
