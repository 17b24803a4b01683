"""A group's own matters: settings, own boards, the rules, a leaderboard."""
