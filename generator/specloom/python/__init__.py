"""The Python side: names, types as annotations, and the code model that the templates print."""
