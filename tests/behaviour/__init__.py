"""The behaviours of a generated client, observed over real sockets on the loopback interface."""
