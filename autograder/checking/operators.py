"""Mistakes in one place of tensor code: replacements for a node of the syntax tree, each described in words."""

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)
MODULES = {"torch", "nn", "F", "math", "np"}

# Each of two names stands in the other's place by mistake.
TWINS = """
tanh sigmoid, max min, amax amin, argmax argmin, maximum minimum, sum mean, cat stack, zeros ones,
zeros_like ones_like, new_zeros new_ones, exp log, sin cos, cumsum cumprod, any all, triu tril, floor ceil,
clamp_min clamp_max
"""
RELATED: dict[str, tuple[str, ...]] = {
    name: (other,) for pair in TWINS.split(",") for name, other in (pair.split(), pair.split()[::-1])
}
RELATED |= {"softmax": ("log_softmax", "sigmoid"), "log_softmax": ("softmax",), "relu": ("tanh",)}
RELATED |= {"sqrt": ("square",), "prod": ("sum",)}
BUILTIN = {"max": "min", "min": "max", "any": "all", "all": "any", "sum": "max"}
COMMUTATIVE = {"transpose", "swapaxes", "maximum", "minimum", "add", "mul", "isclose", "allclose", "equal"}
ARITHMETIC = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
}
ABOUT = {"size", "shape", "dtype", "device", "dim", "ndim", "numel"}  # the same for a mask and its inverse
ORDERED = (ast.Sub, ast.Div, ast.MatMult, ast.FloorDiv, ast.Mod, ast.Pow)  # order of operands matters
COMPARED = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
STRICT = ({ast.Lt, ast.LtE}, {ast.Gt, ast.GtE})
AT_EQUALITY = "a comparison comes out wrong where its two sides are equal"
OPPOSITE = "a comparison says the opposite of what it should"
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or",
}  # fmt: skip


@dataclass(frozen=True)
class Replacement:
    node: ast.AST
    words: str  # the resulting mistake, without revealing the right code


def integer(node: ast.AST) -> int | None:
    """The value of an integer literal, including its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = integer(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def replacements(node: ast.AST, parent: ast.AST | None = None) -> Iterator[Replacement]:
    """Replacements of ``node`` with another meaning; the tree itself is not changed."""
    value = integer(node)
    if value is not None:
        yield Replacement(_number(value + 1), _misnumbered(parent, "one too large"))
        yield Replacement(_number(value - 1), _misnumbered(parent, "one too small"))
    elif isinstance(node, ast.Constant):
        yield from _constant(node)
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.BinOp):
        yield from _arithmetic(node, parent)
    elif isinstance(node, ast.AugAssign):
        for kind in ARITHMETIC.get(type(node.op), ()):
            yield Replacement(_with(node, op=kind()), f"a step adds up with `{SIGNS[kind]}=`, which is the wrong sign")
        yield Replacement(
            ast.Assign([node.target], node.value, lineno=0),
            "only the last step counts: what should add up over the steps is overwritten at each",
        )
    elif isinstance(node, ast.UnaryOp):
        words = "a minus sign is missing" if isinstance(node.op, ast.USub) else "a `~` or `not` is missing"
        yield Replacement(node.operand, words)
    elif isinstance(node, ast.Compare):
        for sign in COMPARED.get(type(node.ops[0]), ()):
            words = AT_EQUALITY if {sign, type(node.ops[0])} in STRICT else OPPOSITE
            yield Replacement(_with(node, ops=[sign(), *node.ops[1:]]), words)
    elif isinstance(node, ast.BoolOp):
        joint = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield Replacement(_with(node, op=joint), f"two conditions are joined by `{SIGNS[type(joint)]}`")
        yield from (Replacement(condition, "one of several conditions is left out") for condition in node.values)
    elif isinstance(node, ast.IfExp):
        yield Replacement(node.body, "a special case is treated like the ordinary one")
        yield Replacement(node.orelse, "the ordinary case is treated like the special one")
    elif isinstance(node, ast.Tuple | ast.List):
        for elements in _exchanged(node.elts):
            yield Replacement(_with(node, elts=elements), "two neighbours in a list or tuple have changed places")
    elif isinstance(node, ast.Attribute):
        if node.attr in ("T", "mT", "mH"):
            yield Replacement(node.value, "a transposition is missing")
            yield Replacement(_reshaped(node.value, node), "a `reshape` stands where axes should be exchanged")
        for other in RELATED.get(node.attr, ()):
            yield Replacement(_with(node, attr=other), f"`{other}` stands where another function belongs")
    elif isinstance(node, ast.Name):
        about = isinstance(parent, ast.Attribute) and parent.attr in ABOUT
        if "mask" in node.id and isinstance(node.ctx, ast.Load) and not about:
            yield Replacement(ast.UnaryOp(ast.Invert(), node), f"True and False of `{node.id}` are exchanged")
    elif isinstance(node, ast.Subscript):
        yield from _subscript(node)
    elif isinstance(node, ast.If | ast.While):
        turned = _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        yield Replacement(
            turned, "a condition is the wrong way round: what should happen if it holds happens if it does not"
        )


def _number(value: int | float) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _misnumbered(parent: ast.AST | None, words: str) -> str:
    if isinstance(parent, ast.keyword) and parent.arg in ("dim", "axis"):
        return "something is done along the wrong axis"
    place = "an index or the bound of a slice" if isinstance(parent, ast.Subscript | ast.Slice) else "a whole number"
    return f"{place} is {words}"


def _with(node: Node, **fields: object) -> Node:
    """A shallow copy of the node with some fields replaced."""
    copy = type(node)(**{name: value for name, value in ast.iter_fields(node)} | fields)
    return ast.copy_location(copy, node)


def _constant(node: ast.Constant) -> Iterator[Replacement]:
    if isinstance(node.value, bool):
        yield Replacement(ast.Constant(not node.value), "True stands where False belongs, or False where True does")
    elif isinstance(node.value, float):
        for value in (2 * node.value, -node.value) if node.value else (1.0,):
            yield Replacement(_number(value), f"a constant is {value:g}, which is not the right one")


def _call(node: ast.Call) -> Iterator[Replacement]:
    function, arguments = node.func, node.args
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    gone = f"`{name}` is left out" if name else "a call is left out"
    if isinstance(function, ast.Attribute) and not _is_module(function.value):
        yield Replacement(function.value, gone)  # x.m(…) → x
    for argument in arguments[:2]:
        if not isinstance(argument, ast.Starred):
            yield Replacement(argument, gone)  # f(x, …) → x
    if isinstance(function, ast.Attribute) and name in ("transpose", "swapaxes", "permute", "movedim"):
        yield Replacement(_reshaped(function.value, node), f"a `reshape` stands where `{name}` exchanges axes")
    if name not in COMMUTATIVE and not (isinstance(function, ast.Name) and name in ("max", "min")):
        for exchanged in _exchanged(arguments):
            yield Replacement(_with(node, args=exchanged), f"two arguments of `{name}` have changed places")
    if len(arguments) > 1:
        yield Replacement(_with(node, args=arguments[:-1]), f"the last argument of `{name}` is left out")
    for keyword in node.keywords:
        if keyword.arg == "device":  # may have no effect: only one device
            continue
        others = [other for other in node.keywords if other is not keyword]
        yield Replacement(_with(node, keywords=others), f"`{name}` is called without its `{keyword.arg}`")
    if isinstance(function, ast.Name) and name in BUILTIN:
        other = BUILTIN[name]
        yield Replacement(
            _with(node, func=ast.Name(other, ast.Load())), f"`{other}` stands where another function belongs"
        )
    if name == "masked_softmax" and arguments:
        plain = ast.parse(f"torch.softmax({ast.unparse(arguments[0])}, -1)", mode="eval").body
        yield Replacement(plain, "the softmax is not masked")
    if name == "range":
        for index, argument in enumerate(arguments):
            if integer(argument) is None:
                for operator in (ast.Add(), ast.Sub()):
                    changed = ast.BinOp(argument, operator, ast.Constant(1))
                    words = "a loop runs one step too far" if isinstance(operator, ast.Add) else "a loop stops too soon"
                    changed_arguments = [*arguments[:index], changed, *arguments[index + 1 :]]
                    yield Replacement(_with(node, args=changed_arguments), words)
        if len(arguments) == 1:
            yield Replacement(_with(node, args=[ast.Constant(1), *arguments]), "a loop leaves out its first step")


def _reshaped(tensor: ast.expr, turned: ast.expr) -> ast.expr:
    shape = ast.Attribute(turned, "shape", ast.Load())
    return ast.Call(ast.Attribute(tensor, "reshape", ast.Load()), [shape], [])


def _is_module(node: ast.AST) -> bool:
    """Whether this is a module such as ``torch.nn.functional`` rather than a tensor."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in MODULES


def _arithmetic(node: ast.BinOp, parent: ast.AST | None) -> Iterator[Replacement]:
    sign = SIGNS[type(node.op)]
    for kind in ARITHMETIC.get(type(node.op), ()):
        yield Replacement(_with(node, op=kind()), f"`{SIGNS[kind]}` stands where `{sign}` belongs")
    signless = isinstance(parent, ast.Attribute) and parent.attr in ("abs", "square", "norm")
    if isinstance(node.op, ORDERED) and not (signless and isinstance(node.op, ast.Sub)):
        yield Replacement(_with(node, left=node.right, right=node.left), f"the two sides of a `{sign}` are exchanged")
    for side, other in ((node.left, node.right), (node.right, node.left)):
        yield Replacement(side, f"one side of a `{sign}`{_named(other)} is left out")


def _named(node: ast.expr) -> str:
    return f", `{node.id}`," if isinstance(node, ast.Name) else ""


def _exchanged(parts: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """The list with each pair of neighbours exchanged in turn."""
    for index in range(len(parts) - 1):
        yield [*parts[:index], parts[index + 1], parts[index], *parts[index + 2 :]]


def _subscript(node: ast.Subscript) -> Iterator[Replacement]:
    """Non-literal bounds and indices off by one; and the value without its subscript."""
    if isinstance(node.ctx, ast.Load):
        yield Replacement(
            node.value,
            "an index or a slice is missing: all of a tensor or list is used where only a part of it is meant",
        )
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for index, part in enumerate(parts):
        for changed, words in _off_by_one(part):
            others = [*parts[:index], changed, *parts[index + 1 :]]
            inside = _with(node.slice, elts=others) if isinstance(node.slice, ast.Tuple) else changed
            yield Replacement(_with(node, slice=inside), words)


def _off_by_one(part: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(part, ast.Slice):
        for name in ("lower", "upper"):
            bound = getattr(part, name)
            if bound is not None:
                yield _with(part, **{name: None}), f"a slice lacks its {name} bound"
                if integer(bound) is None:
                    for changed in _neighbours(bound):
                        yield _with(part, **{name: changed}), "a slice is off by one"
    elif isinstance(part, ast.Name | ast.BinOp) and not (isinstance(part, ast.Name) and "mask" in part.id):
        for changed in _neighbours(part):
            yield changed, "an index is off by one"


def _neighbours(node: ast.expr) -> Iterator[ast.expr]:
    for operator in (ast.Add(), ast.Sub()):
        yield ast.BinOp(deepcopy(node), operator, ast.Constant(1))
