"""A group's settings, own boards, rules, and leaderboard."""
