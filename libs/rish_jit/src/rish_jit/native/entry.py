"""The entry of a kernel: the function that Python calls, written in LLVM instructions by numba's context.

numba's own wrapper takes a tuple of arguments, counts references to each array and does not look at types: numba's
dispatcher does so before. The entry does all in one function, in a tenth of the time, and without numba:

- It takes the arguments as an array (`METH_FASTCALL | METH_KEYWORDS`, see CPython's `methodobject.h`).
- It compares the types of all arguments exactly: dtype, dimensions, order, alignment and writability of arrays. If one
  differs, or a keyword is given, it passes the call on: to the entry at `next`, else to the object at `fallback`.
- It reads data pointers, lengths and strides from the structs of numpy's arrays. Their layout is part of numpy's binary
  interface, and equal in numpy 1 and 2; `machine.host.check_layout` compares it with real objects before all loading.
- Arrays are lent: the caller holds them during the call. Only a kernel that returns arrays gets counted references,
  because what it returns may be a part of an argument.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from .reading import Reader, is_number


@functools.cache
def entry_writer() -> Any:
    """Return the class that writes entries, a subclass of numba's `PyCallWrapper`."""
    callwrapper: Any = importlib.import_module("numba.core.callwrapper")
    ir: Any = importlib.import_module("llvmlite.ir")
    base: Any = callwrapper.PyCallWrapper

    class Entry(base):
        """Writes the entry of one kernel into a module of its own, under the name of numba's wrapper."""

        def build(self) -> None:
            byte_pointer = ir.IntType(8).as_pointer()
            kind = ir.FunctionType(
                byte_pointer, [byte_pointer, byte_pointer.as_pointer(), ir.IntType(64), byte_pointer]
            )
            function = ir.Function(self.module, kind, name=self.fndesc.llvm_cpython_wrapper_name)
            builder = ir.IRBuilder(function.append_basic_block("entry"))
            reader = Reader(self.context, builder, self._pass_on(function, kind))
            _, args, count, keywords = function.args
            kinds = self.fndesc.argtypes
            reader.require(builder.icmp_signed("==", count, ir.IntType(64)(len(kinds))))
            reader.require(builder.icmp_unsigned("==", keywords, byte_pointer(None)))
            objects = [builder.load(builder.gep(args, [ir.IntType(64)(i)])) for i in range(len(kinds))]
            values = [reader.read(each, kind) for each, kind in zip(objects, kinds, strict=True)]
            self._run(builder, self.context.get_python_api(builder), objects, values)

        def _pass_on(self, function: Any, kind: Any) -> Any:
            """Write the block that gives the call to the next entry, or to Python; return it."""
            block = function.append_basic_block("pass_on")
            builder = ir.IRBuilder(block)
            byte_pointer, zero = ir.IntType(8).as_pointer(), ir.IntType(8).as_pointer()(None)
            slots = {}
            for name in ("next", "fallback"):
                slots[name] = ir.GlobalVariable(self.module, byte_pointer, f"{function.name}.{name}")
                slots[name].initializer = zero  # not internal: LLVM would take it for a constant
            following = builder.load(slots["next"])
            with builder.if_then(builder.icmp_unsigned("!=", following, zero)):
                result = builder.call(builder.bitcast(following, kind.as_pointer()), function.args, tail=True)
                builder.ret(result)
            call = ir.Function(self.module, kind, "PyObject_Vectorcall")
            _, args, count, keywords = function.args
            fallback = builder.load(slots["fallback"])
            builder.ret(builder.call(call, [fallback, args, count, keywords], tail=True))
            return block

        def _run(self, builder: Any, api: Any, objects: list[Any], values: list[Any]) -> None:
            """Write the call of the kernel, with the result as a Python object or the exception."""
            restype = self.fndesc.restype
            environment = None if _is_plain(restype) else self.get_env(api, builder)
            cleanup: Any = None
            if _has_array(restype):
                failed = builder.append_basic_block("failed")
                with builder.goto_block(failed):
                    builder.ret(api.get_null_object())
                kinds = self.fndesc.argtypes
                cleanup = callwrapper._ArgManager(self.context, builder, api, environment, failed, len(kinds))
                values = [cleanup.add_arg(each, kind) for each, kind in zip(objects, kinds, strict=True)]
            state = api.save_thread() if self.release_gil else None
            status, result = self.context.call_conv.call_function(
                builder, self.func, restype, self.fndesc.argtypes, values, attrs=("noinline",)
            )
            if state is not None:
                api.restore_thread(state)
            if cleanup is not None:
                cleanup.emit_cleanup()
            with builder.if_then(status.is_ok, likely=True):
                with builder.if_then(status.is_none):
                    api.return_none()
                builder.ret(api.from_native_return(self._simplified_return_type(), result, environment))
            self.context.call_conv.raise_error(builder, api, status)
            builder.ret(api.get_null_object())

    return Entry


def _types() -> Any:
    return importlib.import_module("numba.core.types")


def _is_plain(kind: Any) -> bool:
    """Return whether a value of this type becomes a Python object without numba's environment."""
    types = _types()
    if type(kind) in (types.Tuple, types.UniTuple):
        return all(map(_is_plain, kind.types))
    return isinstance(kind, types.NoneType) or is_number(kind)


def _has_array(kind: Any) -> bool:
    types = _types()
    inner = [*getattr(kind, "types", ()), *(getattr(kind, name) for name in ("type", "dtype") if hasattr(kind, name))]
    return isinstance(kind, (types.Array, types.List, types.Set)) or any(map(_has_array, inner))
