"""The text of __init__.pyi: classes and functions as they are written, methods of Spec as the field tables make them."""
import inspect

import carom
from . import errors, geometry, model, result, spec, study

_HEAD = '''"""Types of carom for editors and checkers. Made by tools/python_bindings; do not edit."""
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

Number = Union[float, str]
Vector = Sequence[Number]
Numbers = Union[Number, Sequence[Number]]
Orientation = Union[Sequence[Number], Mapping[str, Any]]
Value = Union[float, str, Mapping[str, Any]]
Table = Union[Sequence[Sequence[Number]], Mapping[str, Any]]
Entry = Union[Number, Mapping[str, Any]]
Entries = Union[Number, Mapping[str, Any], Sequence[Mapping[str, Any]]]
Kind = Union[Number, str, Mapping[str, Any]]

__version__: str
library: str
features: tuple
'''


def _annotation(value):
    if value is inspect.Signature.empty:
        return "Any"
    text = value if isinstance(value, str) else getattr(value, "__name__", str(value))
    return text.replace('"', "")


def _parameters(signature):
    parts, starred = [], False
    for p in signature.parameters.values():
        if p.kind == p.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        text = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        starred = starred or p.kind == p.VAR_POSITIONAL
        if p.name != "self" and p.name != "cls":
            text += ": Any"
        parts.append(text + ("" if p.default is p.empty else " = ..."))
    return ", ".join(parts)


def _first_line(thing):
    return (inspect.getdoc(thing) or "").split("\n")[0]


def _function(name, function, indent=""):
    signature = inspect.signature(function)
    doc = _first_line(function)
    body = f'\n{indent}    """{doc}"""' if doc else " ..."
    return f"{indent}def {name}({_parameters(signature)}) -> {_annotation(signature.return_annotation)}:{body}"


def _spec_method(name):
    method = getattr(spec.Spec, name)
    types = {}
    for field in method.fields:
        types[field.argument] = types[field.other_name] = field.type
    parts, starred = [], False
    for p in method.__signature__.parameters.values():
        if p.kind == p.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        if p.name == "self":
            parts.append("self")
        elif p.name == "name":
            parts.append("name: str")
        elif p.default is p.empty:
            parts.append(f"{p.name}: {types[p.name]}")
        else:
            parts.append(f"{p.name}: Optional[{types[p.name]}] = ...")
    return f'    def {name}({", ".join(parts)}) -> "Spec":\n        """{_first_line(method)}"""'


def _class(kind):
    bases = ", ".join(b.__name__ for b in kind.__bases__ if b is not object)
    lines = ["", "", f"class {kind.__name__}({bases}):" if bases else f"class {kind.__name__}:",
             f'    """{_first_line(kind)}"""']
    notes = kind.__dict__.get("__annotations__", {})
    lines += [f"    {name}: {_annotation(type_)}".replace("ndarray", "np.ndarray") for name, type_ in notes.items()]
    for name, thing in kind.__dict__.items():
        public = not name.startswith("_") or name in ("__getitem__", "__len__", "__bytes__", "__init__", "__contains__")
        if kind is spec.Spec and name in spec.METHODS:
            lines.append(_spec_method(name))
        elif not public:
            continue
        elif isinstance(thing, property):
            returned = _annotation(inspect.signature(thing.fget).return_annotation)
            lines += ["    @property", f"    def {name}(self) -> {returned}: ..."]
            if thing.fset:
                lines += [f"    @{name}.setter", f"    def {name}(self, value: Any) -> None: ..."]
        elif isinstance(thing, classmethod):
            lines += ["    @classmethod", _function(name, thing.__func__, "    ")]
        elif inspect.isfunction(thing):
            lines.append(_function(name, thing, "    "))
    return "\n".join(lines)


def text():
    lines = [_HEAD.rstrip("\n")]
    seen = set()
    for module in (errors, model, result, spec, study, geometry):
        for name, thing in vars(module).items():
            ours = getattr(thing, "__module__", "") == module.__name__ and not name.startswith("_") and name not in seen
            shown = name in carom.__all__ or inspect.isclass(thing) and ours
            if not ours or not shown:
                continue
            seen.add(name)
            lines.append(_class(thing) if inspect.isclass(thing) else "\n\n" + _function(name, thing))
    return "\n".join(lines) + "\n"
