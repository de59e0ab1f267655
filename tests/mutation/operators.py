"""What a learner may get wrong in one place of tensor code: for a node of the tree, nodes that might stand there."""

import ast
from collections.abc import Iterator
from copy import deepcopy

MODULES = {"torch", "nn", "F", "math", "np"}

RELATED = {
    "tanh": ("sigmoid",),
    "sigmoid": ("tanh",),
    "relu": ("tanh",),
    "softmax": ("log_softmax", "sigmoid"),
    "log_softmax": ("softmax",),
    "max": ("min",),
    "min": ("max",),
    "amax": ("amin",),
    "amin": ("amax",),
    "argmax": ("argmin",),
    "argmin": ("argmax",),
    "maximum": ("minimum",),
    "minimum": ("maximum",),
    "sum": ("mean",),
    "mean": ("sum",),
    "cat": ("stack",),
    "stack": ("cat",),
    "zeros": ("ones",),
    "ones": ("zeros",),
    "zeros_like": ("ones_like",),
    "ones_like": ("zeros_like",),
    "new_zeros": ("new_ones",),
    "new_ones": ("new_zeros",),
    "exp": ("log",),
    "log": ("exp",),
    "sqrt": ("square",),
    "sin": ("cos",),
    "cos": ("sin",),
    "cumsum": ("cumprod",),
    "cumprod": ("cumsum",),
    "any": ("all",),
    "all": ("any",),
    "triu": ("tril",),
    "tril": ("triu",),
    "floor": ("ceil",),
    "ceil": ("floor",),
    "clamp_min": ("clamp_max",),
    "clamp_max": ("clamp_min",),
    "prod": ("sum",),
}
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
ABOUT = {"size", "shape", "dtype", "device", "dim", "ndim", "numel"}  # what a mask and its contrary have in common
ORDERED = (ast.Sub, ast.Div, ast.MatMult, ast.FloorDiv, ast.Mod, ast.Pow)  # operands that may not change places
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


def integer(node: ast.AST) -> int | None:
    """The value of an integer as it is written, sign and all."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = integer(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def replacements(node: ast.AST, parent: ast.AST | None = None) -> Iterator[ast.AST]:
    """Nodes that might stand in the place of ``node`` and mean something else; the tree itself is not touched."""
    value = integer(node)
    if value is not None:
        yield from (_number(value + 1), _number(value - 1))
    elif isinstance(node, ast.Constant):
        yield from _constant(node)
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.BinOp):
        yield from _arithmetic(node, parent)
    elif isinstance(node, ast.AugAssign):
        for kind in ARITHMETIC.get(type(node.op), ()):
            yield _with(node, op=kind())
        yield ast.Assign([node.target], node.value, lineno=0)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Compare):
        for kind in COMPARED.get(type(node.ops[0]), ()):
            yield _with(node, ops=[kind(), *node.ops[1:]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        yield from node.values
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.Tuple | ast.List):
        yield from (_with(node, elts=elements) for elements in _exchanged(node.elts))
    elif isinstance(node, ast.Attribute):
        if node.attr in ("T", "mT", "mH"):
            yield node.value
        yield from (_with(node, attr=other) for other in RELATED.get(node.attr, ()))
    elif isinstance(node, ast.Name):
        about = isinstance(parent, ast.Attribute) and parent.attr in ABOUT
        if "mask" in node.id and isinstance(node.ctx, ast.Load) and not about:
            yield ast.UnaryOp(ast.Invert(), node)
    elif isinstance(node, ast.Subscript):
        yield from _subscript(node)
    elif isinstance(node, ast.If | ast.While):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _number(value: int | float) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of the node, its parts shared, with other fields."""
    copy = type(node)(**{name: value for name, value in ast.iter_fields(node)} | fields)
    return ast.copy_location(copy, node)


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, float):
        yield from map(_number, (2 * node.value, -node.value) if node.value else (1.0,))


def _call(node: ast.Call) -> Iterator[ast.AST]:
    function, arguments = node.func, node.args
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if isinstance(function, ast.Attribute) and not _is_module(function.value):
        yield function.value  # x.m(…) → x
    yield from (one for one in arguments[:2] if not isinstance(one, ast.Starred))  # f(x, …) → x
    if name not in COMMUTATIVE and not (isinstance(function, ast.Name) and name in ("max", "min")):
        yield from (_with(node, args=exchanged) for exchanged in _exchanged(arguments))
    if len(arguments) > 1:
        yield _with(node, args=arguments[:-1])
    for keyword in (one for one in node.keywords if one.arg != "device"):  # there may be one device only
        yield _with(node, keywords=[other for other in node.keywords if other is not keyword])
    if isinstance(function, ast.Name) and name in BUILTIN:
        yield _with(node, func=ast.Name(BUILTIN[name], ast.Load()))
    if name == "masked_softmax" and arguments:
        yield ast.parse(f"torch.softmax({ast.unparse(arguments[0])}, -1)", mode="eval").body
    if name == "range":
        for index, argument in enumerate(arguments):
            if integer(argument) is None:
                for operator in (ast.Add(), ast.Sub()):
                    changed = ast.BinOp(argument, operator, ast.Constant(1))
                    yield _with(node, args=[*arguments[:index], changed, *arguments[index + 1 :]])
        if len(arguments) == 1:
            yield _with(node, args=[ast.Constant(1), *arguments])


def _is_module(node: ast.AST) -> bool:
    """Is this ``torch``, ``torch.nn.functional`` or the like, and no tensor?"""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in MODULES


def _arithmetic(node: ast.BinOp, parent: ast.AST | None) -> Iterator[ast.AST]:
    for kind in ARITHMETIC.get(type(node.op), ()):
        yield _with(node, op=kind())
    signless = isinstance(parent, ast.Attribute) and parent.attr in ("abs", "square", "norm")
    if isinstance(node.op, ORDERED) and not (signless and isinstance(node.op, ast.Sub)):
        yield _with(node, left=node.right, right=node.left)
    yield from (node.left, node.right)


def _exchanged(parts: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Two neighbours exchanged, one pair after another."""
    for index in range(len(parts) - 1):
        yield [*parts[:index], parts[index + 1], parts[index], *parts[index + 2 :]]


def _subscript(node: ast.Subscript) -> Iterator[ast.AST]:
    """Bounds and indices off by one, where they are no plain numbers; and no subscript at all."""
    if isinstance(node.ctx, ast.Load):
        yield node.value
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for index, part in enumerate(parts):
        for changed in _off_by_one(part):
            others = [*parts[:index], changed, *parts[index + 1 :]]
            inside = _with(node.slice, elts=others) if isinstance(node.slice, ast.Tuple) else changed
            yield _with(node, slice=inside)


def _off_by_one(part: ast.expr) -> Iterator[ast.expr]:
    if isinstance(part, ast.Slice):
        for name in ("lower", "upper"):
            bound = getattr(part, name)
            if bound is not None:
                yield _with(part, **{name: None})
                if integer(bound) is None:
                    yield from (_with(part, **{name: changed}) for changed in _neighbours(bound))
    elif isinstance(part, ast.Name | ast.BinOp) and not (isinstance(part, ast.Name) and "mask" in part.id):
        yield from _neighbours(part)


def _neighbours(node: ast.expr) -> Iterator[ast.expr]:
    for operator in (ast.Add(), ast.Sub()):
        yield ast.BinOp(deepcopy(node), operator, ast.Constant(1))
