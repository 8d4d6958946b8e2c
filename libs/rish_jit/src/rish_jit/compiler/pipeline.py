"""The compiler pipeline of kernels: numba's pipeline without passes that kernels do not need, and with caches.

Three quarters of the compile time of a kernel is spent in numba's Python code, most of it to find the same results
again: the type of `float32 * float32`, the code that multiplies them, the live variables. So a subclass of its compiler
is passed to its decorator (the argument `pipeline_class`, intended for this). Nothing changes for other users of numba
in the process:

- passes for features that kernels do not use are left out: `with` blocks, closures, literal containers, fusion of array
  expressions. After many of these passes numba would compute the life of all variables again;
- the type of an operator or function, and the function that writes an operator's code, is looked up once per types;
- an element of a flat array is read and written with six instructions instead of the forty for general arrays, which
  LLVM would reduce to the same six.

Compiling then takes three quarters of the time; each of the three changes helps (docs/decisions/0011). Results are
bit-identical, because the computation does not change. It is used only with the versions of numba in `TESTED`; with
others, `pipeline` returns None, and kernels are compiled by numba's own pipeline.

numba numbers the functions of a process, and the numbers are part of their names in machine code. Here the stamp of the
sources takes the place of the number. Otherwise a function that two processes compiled for two callers would be in the
code that calls both twice, or once, depending on which process had time.
"""

from __future__ import annotations

import functools
import importlib
import logging
import operator
from collections.abc import Callable
from typing import Any

from ..native.entry import entry_writer
from ..native.storage import Form
from ..stamps import stamp_of

_log = logging.getLogger("rish.jit")

TESTED = frozenset(
    ["0.61.0", "0.61.2", "0.62.0", "0.62.1", "0.63.1", "0.64.0", "0.65.1", "0.66.0", "0.67.0", "0.68.0", "0.68.1"]
)  # fmt: skip
"""The versions of numba with which tests/jit/compiler/test_pipeline.py has passed."""
_NAMES = "add sub mul truediv floordiv mod and_ or_ xor lshift rshift lt le gt ge eq ne "
_IN_PLACE = "iadd isub imul itruediv ifloordiv imod iand ior ixor ilshift irshift"
_OPERATORS = frozenset(getattr(operator, name) for name in (_NAMES + _IN_PLACE).split())
"""Operators whose code depends only on the types of the operands. The code of a power may depend on their values."""
_NEEDLESS = {
    "untyped_passes": (
        "WithLifting", "InlineClosureLikes", "RewriteDynamicRaises", "MakeFunctionToJitFunction", "FindLiterallyCalls",
        "LiteralUnroll", "LiteralPropagationSubPipelinePass", "DeadBranchPrune",
    ),
    "typed_passes": ("InlineOverloads", "NopythonRewrites", "DumpParforDiagnostics"),
}  # fmt: skip


@functools.cache
def pipeline(form: Form = "numba") -> Any:
    """Return the compiler class for numba's `pipeline_class`, or None if this version of numba is not in `TESTED`.

    form: the code of an entry gets a function that Python calls (`rish_jit.native.entry`), not a wrapper of numba's.
    """
    version: str = importlib.import_module("numba").__version__
    if version in TESTED:
        return _compiler(form)
    _log.info("kernels are compiled by the pipeline of numba %s, which takes longer: ours is untested with it", version)
    return None


@functools.cache
def helper_pipeline() -> Any:
    """Return numba's compiler class with names by sources, for plain functions that kernels call."""

    base: Any = _numba("compiler").Compiler

    class HelperCompiler(base):
        def _compile_bytecode(self) -> Any:
            _name_by_sources(self.state.func_id)
            return base._compile_bytecode(self)

    return HelperCompiler


def _numba(module: str) -> Any:
    return importlib.import_module(f"numba.core.{module}")


def _compiler(form: Form) -> Any:
    compiler, machinery, typed = _numba("compiler"), _numba("compiler_machinery"), _numba("typed_passes")
    base: Any = compiler.CompilerBase
    ours = {typed.NopythonTypeInference: _typing_pass(), typed.NativeLowering: _lowering_pass(form == "entry")}
    needless = {getattr(_numba(module), name) for module, names in _NEEDLESS.items() for name in names}

    class KernelCompiler(base):
        """numba's compiler with only the passes that kernels need."""

        def define_pipelines(self) -> list[Any]:
            passes = machinery.PassManager("kernel")
            for step, what in compiler.DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
                if step not in needless:
                    passes.add_pass(ours.get(step, step), what)
            passes.finalize()
            return [passes]

        def _compile_bytecode(self) -> Any:
            if form != "numba":  # whose code numba looks up by its name
                _name_by_sources(self.state.func_id)
            return base._compile_bytecode(self)

    return KernelCompiler


def _name_by_sources(identity: Any) -> None:
    """Replace the number in the name of numba's description of a function."""
    identity.unique_id = int(stamp_of(identity.func)[:15], 16)
    identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"


def _typing_pass() -> Any:
    base: Any = _numba("typed_passes").NopythonTypeInference

    class Typing(base):
        """Type inference with a typing context that caches results."""

        _name = "kernel_type_inference"

        def run_pass(self, state: Any) -> Any:
            context = state.typingctx
            state.typingctx = _Remembering(context)
            try:
                return base.run_pass(self, state)
            finally:
                state.typingctx = context

    return _numba("compiler_machinery").register_pass(mutates_CFG=False, analysis_only=False)(Typing)


def _lowering_pass(with_entry: bool) -> Any:
    base: Any = _numba("typed_passes").NativeLowering
    lower = _lower_with_entry() if with_entry else _lower()

    class Lowering(base):
        _name = f"kernel_lowering{'_with_entry' * with_entry}"

        def run_pass(self, state: Any) -> Any:
            if not with_entry:
                return base.run_pass(self, state)
            state.library = _library()(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True  # numba neither emits nor runs this code
            changed = base.run_pass(self, state)
            state.library.finalize()
            return changed

        @property
        def lowering_class(self) -> Any:
            return lower

    return _numba("compiler_machinery").register_pass(mutates_CFG=False, analysis_only=False)(Lowering)


def _lower() -> Any:
    base: Any = _numba("lowering").Lower
    types = _numba("types")

    class Lower(base):
        """numba's writer of LLVM instructions, with fast paths for operators and for elements of flat arrays."""

        def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
            signature = self.fndesc.calltypes[expr]
            if op not in _OPERATORS or not all(map(_is_number, signature.args)):
                return base.lower_binop(self, resty, expr, op)
            taken = [self._taken(expr.lhs, signature.args[0]), self._taken(expr.rhs, signature.args[1])]
            result = _code(self.context, op, signature.args)(self.builder, taken)
            return self.context.cast(self.builder, result, signature.return_type, resty)

        def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
            if not _is_flat(*signature.args):
                return base.lower_getitem(self, resty, expr, value, index, signature)
            kind = signature.args[0].dtype
            item = self.context.unpack_value(self.builder, kind, self._place(value, index, signature))
            return self.context.cast(self.builder, item, kind, resty)

        def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
            array, index, item_type = signature.args
            if not _is_flat(array, index):
                return base.lower_setitem(self, target_var, index_var, value_var, signature)
            value = self.context.cast(self.builder, self._taken(value_var, item_type), item_type, array.dtype)
            place = self._place(target_var, index_var, signature)
            return self.context.pack_value(self.builder, array.dtype, value, place)

        def lower_expr(self, resty: Any, expr: Any) -> Any:
            if expr.op == "static_getitem":
                signature = self.fndesc.calltypes[expr]
                if signature is not None and _is_flat(*signature.args):
                    return self.lower_getitem(resty, expr, expr.value, expr.index_var, signature)
            return base.lower_expr(self, resty, expr)

        def _place(self, array: Any, index: Any, signature: Any) -> Any:
            """Return the address of an element; an index below 0 counts from the end."""
            builder, (kind, at, *_) = self.builder, signature.args
            value = self._taken(array, kind)
            place = self.context.cast(builder, self._taken(index, at), at, types.intp if at.signed else types.uintp)
            if at.signed:
                length = builder.extract_value(value, [_member(self.context, kind, "shape"), 0])
                below = builder.icmp_signed("<", place, place.type(0))
                place = builder.select(below, builder.add(place, length), place)
            return builder.gep(builder.extract_value(value, _member(self.context, kind, "data")), [place])

        def _taken(self, var: Any, kind: Any) -> Any:
            return self.context.cast(self.builder, self.loadvar(var.name), self.typeof(var.name), kind)

    return Lower


@functools.cache
def _library() -> Any:
    base: Any = _numba("codegen").JITCodeLibrary

    class Library(base):
        """Optimized code that is not given to the engine that runs numba's code."""

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

        def optimized_module(self) -> Any:
            """Return LLVM's module. Raises ValueError if it has addresses of objects in this process."""
            if self.has_dynamic_globals:
                raise ValueError("it has the address of an object")
            return self._final_module

    return Library


def _lower_with_entry() -> Any:
    base: Any = _lower()
    ir: Any = importlib.import_module("llvmlite.ir")

    class LowerWithEntry(base):
        """The same, with the entry in place of numba's wrapper."""

        def create_cpython_wrapper(self, release_gil: bool = False) -> None:
            context, described = self.context, self.fndesc
            module = context.create_module("entry")
            kind = context.call_conv.get_function_type(described.restype, described.argtypes)
            function = ir.Function(module, kind, described.llvm_func_name)
            writer = entry_writer()
            writer(context, module, function, described, self.env, self.call_helper, release_gil).build()
            self.library.add_ir_module(module)

    return LowerWithEntry


class _Remembering:
    """A typing context that caches the signatures of functions and operators; the rest is passed to numba's context."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        value = self.__dict__[name] = getattr(self._context, name)
        return value

    def resolve_function_type(self, func: Any, args: tuple[Any, ...], kws: Any) -> Any:
        """Return the signature of `func` for these types."""
        if kws or not _is_remembered(func):
            return self._context.resolve_function_type(func, args, kws)
        return _remembered((func, args), lambda: self._context.resolve_function_type(func, args, kws))

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """Return the signature of `target[index] = value`."""
        args = target, index, value
        return _remembered((operator.setitem, args), lambda: self._context.resolve_setitem(*args))


_signatures: dict[Any, Any] = {}
_codes: dict[Any, Callable[..., Any]] = {}


def _remembered(key: Any, ask: Callable[[], Any]) -> Any:
    signature = _signatures.get(key)
    if signature is None:
        signature = ask()
        if signature is not None:
            _signatures[key] = signature
    return signature


def _is_remembered(func: Any) -> bool:
    """Whether the result can be cached: for numba's own functions, operators, and conversions to numbers."""
    types = _numba("types")
    return isinstance(func, (types.Function, types.NumberClass)) or func is operator.getitem


@functools.cache
def _is_number(kind: Any) -> bool:
    """Whether a type is a number or bool, or not numba's own, such as a vector of eight numbers."""
    types = _numba("types")
    numbers = types.Number, types.Boolean, types.IntegerLiteral, types.BooleanLiteral
    return isinstance(kind, numbers) or not type(kind).__module__.startswith("numba.")


@functools.cache
def _is_flat(array: Any, index: Any, *_: Any) -> bool:
    """Whether the types are a contiguous one-dimensional array of numbers, and an integer index."""
    types = _numba("types")
    if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
        return False
    numbers = isinstance(array.dtype, (types.Number, types.Boolean))
    return numbers and array.ndim == 1 and array.layout == "C" and array.aligned


@functools.cache
def _member(context: Any, array: Any, name: str) -> int:
    """Return the position of a member in numba's structure of an array."""
    return context.data_model_manager[array].get_field_position(name)


def _code(context: Any, op: Any, args: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the function that writes the LLVM code of an operator, cached by types."""
    key = context, op, args
    code = _codes.get(key)
    if code is None:
        function = context.typing_context.resolve_value_type(op)
        signature = function.get_call_type(context.typing_context, args, {})
        code = _codes[key] = context.get_function(function, signature)
    return code
