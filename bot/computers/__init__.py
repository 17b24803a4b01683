"""What computers at a table do: which option they take, what they claim. Their mind is the package ``ai``."""
