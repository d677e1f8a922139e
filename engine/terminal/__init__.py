"""The input and output of `python -m engine`, in the user's language."""
