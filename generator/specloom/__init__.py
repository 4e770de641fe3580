"""Typed Python clients from OpenAPI descriptions."""
