"""Tests of loading descriptions."""
