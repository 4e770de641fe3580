"""Calls by the thousand to a server that fails at random: each ends in a value or in an error."""
