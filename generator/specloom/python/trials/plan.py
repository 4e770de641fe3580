"""The modules of a client's tests: one for each resource, or more where it has many methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ... import ir
from ..access import Access
from ..annotations import Symbols
from ..imports import Imports
from ..names import snake
from ..package import Module
from ..resource_modules import Made
from ..resources import Node
from .answers import Answer, Answers
from .judge import Judge
from .layout import call, lines
from .package import Fixtures, Trial, Trials
from .requests import Requests, Sent, Toggled, secret_of
from .values import Impossible, Samples, is_list, is_object

FOLDER = PurePosixPath("tests", "generated")
_TEMPLATE = "tests/generated/test_resource.py.jinja"
_LONGEST = 1500
_LARGEST = 200
"""How many values an example may hold; tests are to be read."""
_DEEPEST = 20
_MOST = 5
"""How many examples of one body are tried."""
_INDENTATION = 4
_GIVEN = frozenset({"token", "key", "username", "password", "access_token"})


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans the tests of a client."""

    api: ir.Api
    package: str
    class_name: str
    judge: Judge
    requests: Requests
    answers: Answers

    @classmethod
    def of(
        cls,
        api: ir.Api,
        made: Sequence[tuple[Node, Sequence[Made]]],
        models: Symbols,
        access: Access,
        end: str | None,
        package: str,
        class_name: str,
    ) -> Planner:
        """Return the planner of the tests of some methods."""
        operations = [each.operation for _, several in made for each in several]
        judge = Judge.of(api, _judged(api, operations))
        sound = _sound(api, judge)
        requests = Requests(Samples(api.types, sound, "write"), judge, access.security)
        answers = Answers(Samples(api.types, sound, "read"), judge, models, end)
        return cls(api, package, class_name, judge, requests, answers)

    def modules(self, made: Sequence[tuple[Node, Sequence[Made]]]) -> Iterator[Module]:
        """Yield the tests, and what they have in common."""
        keywords = [
            keyword.name
            for scheme in self.requests.security.schemes
            for keyword in scheme.keywords
            if keyword.part in _GIVEN and _is_needed(scheme.scheme.proof, keyword.part)
        ]
        fixtures = Fixtures(
            self.package,
            self.class_name,
            f"Async{self.class_name}",
            tuple(f'{name}="{secret_of(name)}"' for name in keywords),
        )
        yield Module(FOLDER / "conftest.py", "tests/generated/conftest.py.jinja", fixtures)
        for node, several in made:
            trials = list(self._trials(several))
            tried = {trial.request for trial in trials}
            untried = tuple(m.method.name for m in several if m.method.request not in tried)
            for number, part in enumerate([*_parts(trials)] or [()], 1):
                suffix = "" if number == 1 else f"_{number}"
                yield self._module(node, f"test_{node.module}{suffix}.py", part, untried)

    def _module(
        self, node: Node, name: str, trials: tuple[Trial, ...], untried: tuple[str, ...]
    ) -> Module:
        text = "\n".join(line for trial in trials for line in (*trial.calls, *trial.checks))
        signatures = " ".join(trial.parameters for trial in trials)
        imports = Imports()
        names = [f"Async{self.class_name}", self.class_name]
        imports.add(self.package, *names, *(["models"] if "models." in signatures else []))
        typed = any(
            "JSON" in constant.partition("=")[0] for t in trials for constant in t.constants
        )
        helpers = ["JSON"] if typed else []
        helpers += [helper for helper in ("MockEvent", "as_json") if f"{helper}(" in text]
        imports.add(f"{self.package}.testing", "MockTransport", "SentRequest", *helpers)
        context = Trials(
            node.path, self.class_name, f"Async{self.class_name}", trials, " and ".join(untried)
        )
        needed = imports.lines() if trials else ()
        return Module(FOLDER / name, _TEMPLATE, context, imports=needed)

    def _trials(self, several: Sequence[Made]) -> Iterator[Trial]:
        """Yield the trials of some methods, each with a name of its own."""
        taken: set[str] = set()
        for made in several:
            for name, sent, answer in self._tried(made, taken):
                yield self._trial(made, name, sent, answer)

    def _tried(self, made: Made, taken: set[str]) -> Iterator[tuple[str, Sent, Answer]]:
        """Yield what a method is tried with: each example once, and a stream where it gives one.

        Of what is impossible there is none.
        """
        operation, stream = made.operation, made.operation.streaming
        toggle = None if stream is None or made.method.call.condition is None else stream.toggle
        asked = None if toggle is None else toggle.property
        shown = list(self._examples(operation))
        name = made.method.name
        try:
            for suffix, body, answer in shown if stream is None or asked is not None else ():
                if not _asks(body, asked):
                    yield self._whole(made, name + suffix, body, answer, taken)
            asking = [(suffix, body) for suffix, body, _ in shown if _asks(body, asked)]
            if stream is not None:
                for suffix, body in asking or [("", None)]:
                    yield self._stream(made, stream, name + suffix, body, taken)
        except Impossible:
            return

    def _whole(
        self,
        made: Made,
        wanted: str,
        body: ir.Example | None,
        shown: ir.Example | None,
        taken: set[str],
    ) -> tuple[str, Sent, Answer]:
        name = _claimed(wanted, taken)
        sent = self.requests.sent(made.operation, made.arguments, body, _toggled(made, False))
        result = made.method.signature.result
        return name, sent, self.answers.whole(made.operation, name, shown, result)

    def _stream(
        self,
        made: Made,
        stream: ir.Streaming,
        wanted: str,
        body: ir.Example | None,
        taken: set[str],
    ) -> tuple[str, Sent, Answer]:
        toggled = _toggled(made, True)
        name = _claimed(wanted if toggled is None else f"{wanted}_stream", taken)
        sent = self.requests.sent(made.operation, made.arguments, body, toggled)
        return name, sent, self.answers.stream(made.operation, stream, name)

    def _examples(
        self, operation: ir.Operation
    ) -> Iterator[tuple[str, ir.Example | None, ir.Example | None]]:
        """Yield examples of the body and of the answer that go together, with a suffix each."""
        body = operation.body
        sent = [] if body is None else self._shown(body.contents[0])
        contents = (c for r in operation.responses if ir.is_success(r.status) for c in r.contents)
        first = next((c for c in contents if isinstance(c, ir.Json)), None)
        read = [] if first is None else self._shown(first)
        for index in range(max(len(sent), len(read), 1)):
            request = sent[min(index, len(sent) - 1)] if sent else None
            other = read[min(index, len(read) - 1)] if read else None
            named = {example.name: example for example in read}
            answer = other if request is None else named.get(request.name, other)
            names = [e.name for e in (request, answer) if e is not None and e.name is not None]
            suffix = f"_{snake(names[0]) if names else index + 1}" if index else ""
            yield suffix, request, answer

    def _shown(self, content: ir.Content) -> list[ir.Example]:
        """Return the examples of a body that are what it says, and not too large."""
        if not isinstance(content, ir.Json | ir.Form):
            return []
        found = self.requests.samples.examples.get(str(content.origin), ())
        sound = [
            example
            for example in found
            if self.judge.accepts(content.type, ir.value_of(example.value))
        ]
        return sound[:_MOST]

    def _trial(self, made: Made, name: str, sent: Sent, answer: Answer) -> Trial:
        """Return a trial as statements."""
        parameters = "request: SentRequest"
        if answer.annotation is not None:
            parameters += f", result: {answer.annotation}"
        return Trial(
            name,
            made.method.request,
            tuple(answer.constants),
            tuple(_statements(made, name, sent, answer, "client", "")),
            tuple(_statements(made, name, sent, answer, "async_client", "await ")),
            parameters,
            (*sent.checks, *([] if answer.check is None else [answer.check])),
        )


def _statements(
    made: Made, name: str, sent: Sent, answer: Answer, client: str, wait: str
) -> Iterator[str]:
    """Yield the statements of one test."""
    root = client
    if sent.lenient or answer.lenient:
        root = "tolerant"
        yield f"tolerant = {client}.with_options({_TOLERANT})"
    yield f"{answer.prepared}\n"
    resource = made.path.removeprefix("client.")
    called = call(f"{root}.{resource}.{made.method.name}", named=sent.arguments)
    before = f"{_TARGET[answer.streams, made.is_paged]} = " if answer.annotation else ""
    yield lines(f"{before}{wait}", called, _INDENTATION) + "\n"
    yield _handed_on(name, answer, made.is_paged, bool(wait))


_TOLERANT = "strict_responses=False, validate_requests=False"
_TARGET = {
    (False, False): "result",
    (False, True): "page",
    (True, False): "stream",
    (True, True): "stream",
}


def _handed_on(name: str, answer: Answer, paged: bool, awaited: bool) -> str:
    """Return the statement that hands on what is to be checked."""
    if answer.annotation is None:
        return f"check_{name}(api.request)"
    result = "result"
    if answer.streams:
        result = "[event async for event in stream]" if awaited else "list(stream)"
    elif paged:
        result = "page.body"
    return lines("", call(f"check_{name}", "api.request", result), _INDENTATION)


def _toggled(made: Made, asked: bool) -> Toggled | None:
    """Return how a body asks for a stream, or does not; None where it has no say in that."""
    stream = made.operation.streaming
    if stream is None or stream.toggle is None or made.method.call.condition is None:
        return None
    _, declared = made.arguments.properties[stream.toggle.property]
    return Toggled(stream.toggle, declared.required, asked)


def _asks(body: ir.Example | None, toggle: str | None) -> bool:
    """Whether an example of a body asks for a stream."""
    members: object = None if body is None else ir.value_of(body.value)
    return toggle is not None and is_object(members) and members.get(toggle) is True


def _claimed(wanted: str, taken: set[str]) -> str:
    """Return a name of which neither test is called like another."""
    name, number = wanted, 2
    while not taken.isdisjoint({name, f"{name}_async"}):
        name, number = f"{wanted}_{number}", number + 1
    taken |= {name, f"{name}_async"}
    return name


def _is_needed(proof: ir.Proof, part: str) -> bool:
    """Whether a keyword alone proves who calls, or does so with others of its kind."""
    granted = isinstance(proof, ir.OAuth2 | ir.OpenIdConnect)
    return part == "access_token" if granted else True


def _parts(trials: Sequence[Trial]) -> Iterator[tuple[Trial, ...]]:
    """Yield trials so that no module becomes too long to read."""
    part: list[Trial] = []
    length = 0
    for trial in trials:
        size = sum(map(_height, (trial.constants, trial.calls, trial.awaited, trial.checks)))
        if part and length + size > _LONGEST:
            yield tuple(part)
            part, length = [], 0
        part.append(trial)
        length += size + 10
    if part:
        yield tuple(part)


def _height(statements: Sequence[str]) -> int:
    return sum(statement.count("\n") + 1 for statement in statements)


def _judged(api: ir.Api, operations: Sequence[ir.Operation]) -> Iterator[ir.Type]:
    """Yield the types of which values are judged."""
    yield ir.UNKNOWN
    for operation in operations:
        yield from ir.sent(operation)
        yield from ir.received(operation)
        if operation.streaming is not None:
            yield from (event.type for event in operation.streaming.events)
    for declared in api.types.values():
        yield ir.Ref(declared.id)
        if isinstance(declared, ir.Model):
            yield from (p.type for p in declared.properties if str(p.origin) in api.examples)


def _sound(api: ir.Api, judge: Judge) -> dict[str, tuple[ir.Example, ...]]:
    """Return the examples that tests can hold, of types and properties those that fit these."""
    types: dict[str, ir.Type] = {}
    for declared in api.types.values():
        types[str(declared.origin)] = ir.Ref(declared.id)
        if isinstance(declared, ir.Model):
            types |= {str(p.origin): p.type for p in declared.properties}
    return {
        origin: tuple(
            example
            for example in examples
            if _is_small(value := ir.value_of(example.value))
            and (origin not in types or _is_sound(judge, types[origin], value))
        )
        for origin, examples in api.examples.items()
    }


def _is_sound(judge: Judge, type_: ir.Type, value: object) -> bool:
    return value is not None and judge.accepts(type_, value)


def _is_small(value: object) -> bool:
    """Whether a value is one that tests can hold: of few values, and not deep."""
    found, level = 0, [value]
    for _ in range(_DEEPEST):
        found += len(level)
        if not level or found > _LARGEST:
            break
        level = [inner for each in level for inner in _members(each)]
    return not level and found <= _LARGEST


def _members(value: object) -> Iterable[object]:
    if is_object(value):
        return value.values()
    return value if is_list(value) else ()
