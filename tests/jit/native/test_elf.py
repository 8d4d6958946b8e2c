"""The linker: object files that LLVM writes for kernels, and everything else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rish_jit
from rish_jit.machine import host
from rish_jit.native import elf

llvm = pytest.importorskip("llvmlite.binding")
pytestmark = pytest.mark.skipif(
    not (rish_jit.can_compile() and host.usable()), reason="needs numba, on a system that can load machine code"
)
CODE = """
declare i64 @outside(i64)
@near = global i64 5
@table = constant [2 x ptr] [ptr @near, ptr @entry]
@zeros = global [100 x i8] zeroinitializer
define ptr @entry(i64 %x) {
  %a = call i64 @outside(i64 %x)
  %b = load i64, ptr @near
  %c = add i64 %a, %b
  store i64 %c, ptr @near
  %d = getelementptr [2 x ptr], ptr @table, i64 0, i64 %c
  %e = load ptr, ptr %d
  ret ptr %e
}
"""


@pytest.fixture(scope="module")
def data() -> bytes:
    """Return an object file with calls, variables, constants with addresses and empty memory."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(cpu="x86-64-v2", opt=2, reloc="pic", codemodel="small")
    return machine.emit_object(llvm.parse_assembly(CODE))


def test_addresses_are_words_of_the_image(data: bytes) -> None:
    """Places of addresses are words in the image, of which those outside have names; data begins at a whole page."""
    code = elf.link(data, {"entry": "entry", "near": "next", "gone": "callback"})
    assert set(code.externals) == {"outside"}
    assert len(code.relative) >= 2
    assert code.writable % elf.PAGE == 0
    assert code.symbols.keys() == {"entry", "next"}
    assert code.image[code.symbols["next"] : code.symbols["next"] + 8] == (5).to_bytes(8, "little")
    assert code.symbols["entry"] < code.writable <= code.symbols["next"]
    pointers = {int.from_bytes(code.image[place : place + 8], "little") for place in code.relative}
    assert pointers >= {code.symbols["entry"], code.symbols["next"]}
    code.check()


@pytest.mark.parametrize("change", [b"", b"MZ", b"\x7fELF\x01\x01"])
def test_other_files_are_refused(change: bytes, data: bytes) -> None:
    """A file that is no object file of 64 bits is refused."""
    with pytest.raises(ValueError, match="no object file"):
        elf.link(change + data[len(change) :] if change else b"", {})


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_packed_code_is_the_same_or_refused(data: bytes, choice: st.DataObject) -> None:
    """Code from its bytes is equal; from bytes of which any part is missing it is refused, or valid in itself."""
    code = elf.link(data, {"entry": "entry", "near": "next"})
    packed = code.pack()
    assert type(code).unpack(packed) == code
    length = choice.draw(st.integers(0, len(packed) - 1))
    try:
        type(code).unpack(packed[:length]).check()
    except (ValueError, KeyError, TypeError):
        return
    assert length >= packed.index(b"\n") + code.writable
