"""Tests of a client, generated beside it: each method called once, against prepared answers."""
