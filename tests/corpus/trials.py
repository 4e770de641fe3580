"""Every operation of one description: called, caught, judged by readers that share nothing."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx2

from oracle.drawing import Impossible
from oracle.readers import imported
from specloom.description.description import Description
from specloom.description.load import load
from specloom.diagnostics import Report

from .answers import Replies, Reply
from .answers import faults as faults_of_answer
from .bundle import bundled
from .callers import Answer, Caller, Callers, Unplaced, callers
from .clients import Entry, make
from .core import Core, core, is_readable
from .described import Content, Operation, operations
from .draws import Amount, Arguments, Drawn, Side, sides
from .judging import Judge
from .limits import Finding, limit_of
from .reading import differences


@dataclass(frozen=True)
class Sent:
    """One request that left, and what it was meant to say."""

    operation: Operation
    drawn: Drawn
    request: httpx2.Request


@dataclass
class Tally:
    """What came of the operations of a description."""

    described: int = 0
    called: int = 0
    requests: int = 0
    read: int = 0
    """The requests that openapi-core reads as they are meant, and finds valid."""
    limits: Counter[str] = field(default_factory=Counter[str])
    """Why it does not with the others, by the parts of requests: its own limits."""
    faults: list[str] = field(default_factory=list[str])

    def add(self, other: Tally) -> None:
        """Add what came of another description."""
        self.described += other.described
        self.called += other.called
        self.requests += other.requests
        self.read += other.read
        self.limits += other.limits
        self.faults += other.faults


@dataclass(frozen=True)
class Trial:
    """The operations of one description, and the client that calls them."""

    operations: tuple[Operation, ...]
    clients: Callers
    sent: Side
    received: Side
    random: Random
    tally: Tally = field(default_factory=Tally)

    def run(self) -> Iterator[Sent]:
        """Call every operation; note what is wrong, and yield each request that left."""
        self.tally.described = len(self.operations)
        for operation in self.operations:
            caller = self.clients.of(operation)
            if caller is None:
                self.tally.faults.append(f"{operation.request}: the client has no method")
                continue
            contents: tuple[Content | None, ...] = (None,)
            if operation.body is not None:
                contents = operation.body.contents
            amounts: tuple[Amount, ...] = ("all", "required")
            before = self.tally.requests
            for content in contents:
                for amount in amounts:
                    yield from self._call(operation, caller, content, amount)
            self.tally.called += self.tally.requests > before

    def _call(
        self, operation: Operation, caller: Caller, content: Content | None, amount: Amount
    ) -> Iterator[Sent]:
        where = f"{operation.request} ({content.media_type if content else 'no body'}, {amount})"
        faults = self.tally.faults
        try:
            drawn = Arguments(self.sent, self.random).draw(operation, content, amount)
            # Of an optional body, no properties are no body.
            without = drawn.body == {} and not operation.body_is_required
            if without or (amount == "required" and caller.is_optional(operation)):
                drawn = Drawn(drawn.parameters)
            arguments = caller.arguments(operation, drawn)
        except Impossible as reason:
            faults.append(f"{where}: nothing could be drawn: {reason}")
            return
        except Unplaced as missing:
            faults.append(f"{where}: the method has no argument for {missing}")
            return
        faults += [f"{where}: {fault}" for fault in self._sent(caller, arguments, operation)]
        if self.clients.server.requests:
            request = self.clients.server.requests[-1]
            self.tally.requests += 1
            found = Judge(operation, self.sent).faults(drawn, request)
            faults += [f"{where}: {fault}" for fault in found]
            yield Sent(operation, drawn, request)

    def _sent(
        self, caller: Caller, arguments: dict[str, object], operation: Operation
    ) -> Iterator[str]:
        """Make the call; yield what is wrong with its result, or why there is none."""
        server, replies = self.clients.server, Replies(self.received, self.random)
        given: list[Reply] = []

        def answer(request: httpx2.Request) -> Answer:
            given.append(replies.draw(operation, request))
            return given[-1].answer

        server.requests.clear()
        server.answer = answer
        try:
            result = caller.bound(**arguments)
            yield from faults_of_answer(given[-1], result, self.clients)
        except Impossible:
            yield "no answer could be drawn"
        except Exception as error:  # whatever it is, it is what comes of this call
            last = traceback.extract_tb(error.__traceback__)[-1]
            yield f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"


@dataclass(frozen=True)
class Second:
    """The second reader of requests: openapi-core, whose own limits are known."""

    reader: Core
    trial: Trial
    version: str

    def judge(self, sent: Sent) -> None:
        """Note whether it reads what was meant, why not, and what is wrong then."""
        path = sent.request.url.raw_path.decode("ascii").partition("?")[0]
        reading = self.reader.read(sent.request)
        found = list(differences(reading, sent.operation, sent.drawn))
        tally = self.trial.tally
        tally.read += not found
        for part, said in found:
            finding = Finding(
                part,
                said,
                sent.operation,
                sent.drawn,
                path,
                self.trial.operations,
                self.trial.sent,
                self.version,
            )
            reason = limit_of(finding)
            if reason is None:
                tally.faults.append(f"{sent.operation.request}: openapi-core: {part}: {said}")
            else:
                tally.limits[reason] += 1


def tried(entry: Entry, folder: Path) -> Tally:
    """Make the client of a description in a folder, call all of its operations, judge them."""
    description = load(entry.path, Report())
    listed = tuple(operations(description))
    _, client = make(entry, folder / "client")
    with ExitStack() as stack:
        source = folder / "client" / "src"
        package = stack.enter_context(imported(source, client.package.import_name))
        sent, received = sides(description, listed)
        trial = Trial(listed, callers(client, package), sent, received, Random(entry.name))
        second = _second(description, trial, folder, stack)
        for one in trial.run():
            if second is not None:
                second.judge(one)
    if len(listed) != entry.operations:
        trial.tally.faults.append(
            f"{len(listed)} operations, where the index has {entry.operations}"
        )
    return trial.tally


def _second(
    description: Description, trial: Trial, folder: Path, stack: ExitStack
) -> Second | None:
    """Return the second reader; None for what it cannot read."""
    if not is_readable(description):
        return None
    reader = stack.enter_context(core(bundled(description), description.version, folder))
    return Second(reader, trial, description.version)
