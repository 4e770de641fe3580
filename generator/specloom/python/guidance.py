"""What a README says about credentials and servers: shown with the keywords of the client."""

from __future__ import annotations

from collections.abc import Iterator

from .inputs import Keyword, Planned
from .literals import literal
from .package import Passage
from .prose import wrap
from .security import Security
from .servers import Servers

_WIDTH = 118
_CALLABLE = "Instead of a text, give a function: it is called for each attempt."
_WINS = (
    "Headers that you pass yourself, in `default_headers` or `extra_headers`, come before any of "
    "this, and a user name and a password in `base_url` after all of it; a redirect to another "
    "server takes nothing of it along."
)
_CODE = (
    'authorization = client.{helper}.authorization(redirect_uri="https://...")',
    "print(authorization.url)  # send the person there",
    "token = client.{helper}.exchange(authorization, callback_url)  # where they came back to",
    "client = client.with_options({token}=token)",
)
_DEVICE = (
    "device = client.{helper}.device()",
    "print(device.verification_uri, device.user_code)",
    "client = client.with_options({token}=client.{helper}.wait(device))",
)


def authentication(class_name: str, security: Security) -> Iterator[Passage]:
    """Yield how to prove who calls."""
    if not security.schemes:
        return
    by_name = {scheme.name: scheme for scheme in security.schemes}
    ways = [[by_name[name] for name in names] for names in security.default if names]
    if ways:
        yield _passage(_intro(ways[0], () in security.default), _made(class_name, ways[0]))
    for way in ways[1:]:
        yield _passage(f"Or give {_given(way)}.")
    usual = {scheme.name for way in ways for scheme in way}
    others = [scheme for scheme in security.schemes if scheme.name not in usual]
    if others:
        needed = "; or ".join(_given([scheme]) for scheme in others)
        yield _passage(f"Some calls need {needed}.", () if ways else _made(class_name, others[:1]))
    for scheme in security.schemes:
        yield from _granted(class_name, scheme)
    yield _passage(_WINS)


def placement(class_name: str, servers: Servers, variable: str) -> Iterator[Passage]:
    """Yield where calls go, and what can be chosen of it."""
    chosen = [f"{servers.argument}={literal(servers.names[-1])}"] if servers.argument else []
    for choice in servers.variables:
        values = [value for value in choice.choices if value != choice.default]
        chosen.append(f"{choice.name}={literal(values[0] if values else choice.default or '...')}")
    if chosen:
        text = f"Calls go where you say, or to `base_url=` or `{variable}`, which come first."
        yield _passage(text, (f"client = {class_name}({', '.join(chosen)})",))


def variables_of(security: Security) -> list[str]:
    """Return the environment variables that a client without arguments reads."""
    by_name = {scheme.name: scheme for scheme in security.schemes}
    first = security.default[0] if security.default else ()
    keywords = [k for name in first for k in _needed(by_name[name])]
    return [keyword.variable for keyword in keywords if keyword.variable]


def _needed(scheme: Planned) -> list[Keyword]:
    """Return the keywords that suffice for a scheme."""
    credentials = [k for k in scheme.keywords if k.variable is not None]
    tokens = [k for k in credentials if k.kind == "token"]
    return tokens or credentials


def _intro(shown: list[Planned], optional: bool) -> str:
    keywords = [k for scheme in shown for k in _needed(scheme)]
    given = " and ".join(f"`{k.name}=`" for k in keywords)
    read = " and ".join(f"`{k.variable}`" for k in keywords)
    give = "If you have it, give" if optional else "Give"
    rest = "" if all(k.kind == "certificate" for k in keywords) else f" {_CALLABLE}"
    return f"{give} {given}, or set {read} in the environment.{rest}"


def _made(class_name: str, shown: list[Planned]) -> tuple[str, ...]:
    keywords = [k for scheme in shown for k in _needed(scheme)]
    values = {"certificate": literal("client.pem")}
    arguments = [f"{k.name}={values.get(k.kind, literal('...'))}" for k in keywords]
    return (f"client = {class_name}({', '.join(arguments)})",)


def _given(schemes: list[Planned]) -> str:
    """Return the keywords of schemes that are needed together, and their variables."""
    keywords = [k for scheme in schemes for k in _needed(scheme)]
    given = " and ".join(f"`{k.name}=`" for k in keywords)
    return f"{given} ({' and '.join(f'`{k.variable}`' for k in keywords)})"


def _passage(text: str, code: tuple[str, ...] = ()) -> Passage:
    return Passage(wrap(text, _WIDTH), code)


def _granted(class_name: str, scheme: Planned) -> Iterator[Passage]:
    """Yield how tokens are granted: to the program itself, to a user, and by people."""
    names = {keyword.part: keyword.name for keyword in scheme.keywords}
    if "client_id" not in names:
        return
    made = f'client = {class_name}({names["client_id"]}="...", {names["client_secret"]}="...")'
    filled = {"helper": scheme.helper or "", "token": names["access_token"]}
    if "client_credentials" in scheme.grants:
        yield _passage(
            "Or let the client be granted tokens, which it renews before they run out:", (made,)
        )
    if "password" in scheme.grants:
        user = f'{names["username"]}="...", {names["password"]}="..."'
        text = "Or let it be granted tokens for a user:"
        yield _passage(text, (f"client = {class_name}({user})",))
    if "authorization_code" in scheme.grants:
        yield _passage(
            "Or ask a person, who answers in a browser. The token holds what renews it; "
            f"`{names['on_token']}=` is told of every new one.",
            (made, *(line.format(**filled) for line in _CODE)),
        )
    if "device_code" in scheme.grants:
        yield _passage(
            "Or ask a person who has a browser on another device:",
            (made, *(line.format(**filled) for line in _DEVICE)),
        )
