"""Compiling in less time: what numba works out again and again while it compiles, it works out once.

Three quarters of the time that a kernel takes to compile pass in numba's own Python: it tries dozens of meanings of
`+` for each `a + b`, asks LLVM for the size of a float32 at each variable, gathers all options of a function to look
one up, tells nobody of each call into LLVM. Nothing that is done here changes what is compiled, only how often the
same answer is looked for; together that is a third of the time. Cycles of garbage, of which a compiler leaves plenty,
are collected after a kernel and not in the middle of it.

These are numba's inner rooms, and the next version may be furnished differently. So each shortcut looks first
whether it finds what it knows, and is left out where it does not.
"""

from __future__ import annotations

import functools
import gc
import importlib
import logging
import operator
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, NoneType
from typing import Any

_log = logging.getLogger("rish.jit")


@functools.cache
def hasten() -> None:
    """Take all shortcuts, once; those that this version of numba does not allow are left out."""
    for shortcut in SHORTCUTS:
        try:
            shortcut()
        except Exception as error:
            _log.info("a shortcut of the compiler, %s, is not taken: %s", shortcut.__name__, error)


def remember_signatures() -> None:
    """What a built-in function gives for arguments of some types is always the same."""
    kind: Any = _module("types.functions").Function
    resolve: Callable[..., Any] = kind.get_call_type
    known: dict[int, tuple[Any, dict[Any, Any]]] = {}  # holds on to the functions, so that no number is used twice
    styles = _Styles()

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return resolve(self, context, args, kws)
        entry = known.get(id(self))
        if entry is None:
            entry = known[id(self)] = (self, {})
        key = (context, styles.number(), *args)
        found = entry[1].get(key)
        if found is None:
            found = entry[1][key] = resolve(self, context, args, kws)
        return found

    kind.get_call_type = get_call_type


class _Styles:
    """Numbers for the options that kernels are compiled with: equal options, equal number."""

    def __init__(self) -> None:
        self._options: Callable[[], Any] = _module("targetconfig").ConfigStack.top_or_none
        self._known: list[Any] = []
        self._last: Any = None
        self._number = -1

    def number(self) -> int:
        """That of the kernel which is being compiled."""
        options = self._options()
        if options is not self._last:
            if options not in self._known:
                self._known.append(options)
            self._last, self._number = options, self._known.index(options)
        return self._number


def remember_sizes() -> None:
    """LLVM is asked once how large a type is."""
    kind: Any = _module("base").BaseContext
    measure: Callable[..., int] = kind.get_abi_sizeof

    def get_abi_sizeof(self: Any, ty: Any) -> int:
        known: dict[str, int] = self.__dict__.setdefault("_known_sizes", {})
        name = str(ty)
        size = known.get(name)
        if size is None:
            size = known[name] = measure(self, ty)
        return size

    kind.get_abi_sizeof = get_abi_sizeof


def read_options_at_once() -> None:
    """The options of a function are read without a call for each."""
    kind: Any = _module("targetconfig").TargetConfig
    if kind().values() != _plain_values(kind()):
        raise LookupError("options are kept in another way")
    kind.values = _plain_values


def _plain_values(options: Any) -> dict[str, Any]:
    given = options._values
    return {name: given.get(name, option.default) for name, option in options.options.items()}


def list_variables_plainly() -> None:
    """The variables of an instruction are found without a call for each name and number in it."""
    ir: Any = _module("ir")
    kind, variable = ir.Inst, ir.Var
    search: Callable[..., list[Any]] = kind._rec_list_vars
    groups = frozenset({dict, list, tuple})
    leaves = frozenset({str, int, bool, float, NoneType, ir.Loc, BuiltinFunctionType, FunctionType})

    def _rec_list_vars(self: Any, val: Any) -> list[Any]:
        kind = _type(val)
        if kind not in groups:
            return search(self, val)
        found: list[Any] = []
        for part in val.values() if kind is dict else val:
            form = _type(part)
            if form is variable:
                found.append(part)
            elif form not in leaves:
                found.extend(_rec_list_vars(self, part))
        return found

    kind._rec_list_vars = _rec_list_vars


def import_once() -> None:
    """numba looks for what is new in its registries before each kernel; their modules are imported once."""
    kind: Any = _module("cpu").CPUContext
    load: Callable[..., None] = kind.load_additional_registries

    def load_additional_registries(self: Any) -> None:
        if self.__dict__.setdefault("_has_imported", False):
            for registry in tuple(self._registries):
                self.install_registry(registry)
        else:
            load(self)
            self._has_imported = True

    kind.load_additional_registries = load_additional_registries


def tell_only_listeners() -> None:
    """An event that nobody listens to is not made."""
    event: Any = _module("event")
    registered: Any = event._registered

    def heard(kind: str) -> bool:
        listeners = registered[kind]
        if kind == "numba:llvm_lock":  # a clock of numba's own, that nobody reads, always listens
            return any(type(each) is not event.TimingListener for each in listeners)
        return bool(listeners)

    def only_heard(tell: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(tell)
        def told(kind: str, *args: Any, **options: Any) -> None:
            if heard(kind):
                tell(kind, *args, **options)

        return told

    event.start_event, event.end_event = only_heard(event.start_event), only_heard(event.end_event)


def explain_only_errors() -> None:
    """What was being done when an error came is put together when one came."""
    explain: Callable[..., Any] = _module("errors").new_error_context

    class Explained:
        __slots__ = ("args", "options")

        def __init__(self, *args: Any, **options: Any) -> None:
            self.args, self.options = args, options

        def __enter__(self) -> None:
            return

        def __exit__(self, _kind: Any, error: BaseException | None, _trace: Any) -> None:
            if error is not None:
                with explain(*self.args, **self.options):
                    raise error

    for user in (_module("lowering"), _module("typeinfer")):
        if user.new_error_context is explain:
            user.new_error_context = Explained


def polish_once() -> None:
    """The wrapper by which Python calls a kernel is improved together with it, and not by itself before."""
    codegen: Any = _module("codegen")
    kind: Any = codegen.CPUCodeLibrary
    polish: Callable[..., None] = kind._optimize_functions

    def _optimize_functions(self: Any, ll_module: Any) -> None:
        if ll_module.name == "wrapper":
            ll_module.data_layout = self._codegen._data_layout
        else:
            polish(self, ll_module)

    kind._optimize_functions = _optimize_functions


def look_ahead_less() -> None:
    """Which variables live where is worked out when it is asked for, and not after each of twenty passes."""
    module: Any = _module("postproc")
    kind: Any = module.PostProcessor
    canonical: Callable[..., Any] = _module("transforms").canonicalize_cfg
    process: Callable[..., None] = kind.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            process(self, emit_dels, extend_lifetimes)
        else:
            self.func_ir.blocks = canonical(self.func_ir.blocks)
            self.func_ir.variable_lifetime = module.VariableLifetime(self.func_ir.blocks)
            self.func_ir.generator_info = None

    kind.run = run


def index_plainly() -> None:
    """One number of a flat array is read and written without taking the array apart into all that is known of it."""
    arrays: Any = importlib.import_module("numba.np.arrayobj")
    types: Any = _module("types")
    lower: Any = _module("imputils").lower_builtin
    read, write, whole = arrays.getitem_arraynd_intp, arrays.setitem_array, arrays.fix_integer_index

    def plain(context: Any, kind: Any) -> bool:
        flat = kind.ndim == 1 and kind.layout == "C" and isinstance(kind.dtype, (types.Number, types.Boolean))
        return flat and not context.enable_boundscheck

    def place(context: Any, builder: Any, kind: Any, array: Any, form: Any, index: Any) -> Any:
        model = context.data_model_manager[kind]
        size = builder.extract_value(array, [model.get_field_position("shape"), 0])
        at = whole(context, builder, form, index, size)
        return builder.gep(builder.extract_value(array, model.get_field_position("data")), [at])

    def getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, form = sig.args
        if not plain(context, kind):
            return read(context, builder, sig, args)
        return arrays.load_item(context, builder, kind, place(context, builder, kind, args[0], form, args[1]))

    def setitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, form, given = sig.args
        if not plain(context, kind):
            return write(context, builder, sig, args)
        at = place(context, builder, kind, args[0], form, args[1])
        arrays.store_item(context, builder, kind, context.cast(builder, args[2], given, kind.dtype), at)
        return None

    lower(operator.getitem, types.Array, types.Integer)(getitem)
    lower(operator.setitem, types.Array, types.Integer, types.Any)(setitem)


SHORTCUTS: tuple[Callable[[], None], ...] = (
    remember_signatures,
    remember_sizes,
    read_options_at_once,
    list_variables_plainly,
    import_once,
    tell_only_listeners,
    explain_only_errors,
    polish_once,
    look_ahead_less,
    index_plainly,
)
"""Each leaves numba as it was where it can't be taken."""


_type: Any = type
"""The same, without an opinion about what it gives."""


def _module(name: str) -> Any:
    return importlib.import_module(f"numba.core.{name}")


@functools.cache
def part_compiler() -> Any:
    """numba's compiler for helpers that become part of their callers.

    By itself numba makes machine code of every helper, which nobody ever runs where all calls of it are pasted in. Here
    a helper ends as code in LLVM's language, and is improved and translated with each of its callers.
    """
    codegen: Any = _module("codegen")
    compiler: Any = _module("compiler")

    class NoAddresses:
        """The code generator, for what is nowhere in memory and so has no place to put its surroundings."""

        def __init__(self, real: Any) -> None:
            self._real = real

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

        def set_env(self, env_name: str, env: Any) -> None:
            return

    class Part(codegen.JITCodeLibrary):
        @property
        def codegen(self) -> Any:
            return NoAddresses(self._codegen)

        def finalize(self) -> None:
            self._raise_if_finalized()
            for library in dict.fromkeys(self._linking_libraries):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            self._finalized = True

    class PartCompiler(compiler.Compiler):
        def _compile_core(self) -> Any:
            self.state.library = Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            return compiler.Compiler._compile_core(self)

    return PartCompiler


class Undisturbed:
    """Holds garbage collection off between `begin` and the `end` that belongs to it, however often they are nested."""

    def __init__(self) -> None:
        self._depth = 0
        self._collects = False

    def begin(self) -> None:
        """Something is to be done in one go."""
        if self._depth == 0:
            self._collects = gc.isenabled()
            gc.disable()
        self._depth += 1

    def end(self) -> None:
        """It is done."""
        self._depth -= 1
        if self._depth == 0 and self._collects:
            gc.enable()
