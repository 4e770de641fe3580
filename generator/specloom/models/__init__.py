"""``specloom models``: an API's types alone, in one of four styles, without a client."""
