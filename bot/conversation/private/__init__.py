"""The private chat: what a person can ask there, and what is kept of them."""
