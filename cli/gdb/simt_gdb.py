# SPDX-License-Identifier: Apache-2.0
"""What `simrun debug` loads into gdb (docs/debugging.md). By hand: gdb -x simt_gdb.py PROGRAM.

  info simt threads    every thread of the blocks that have begun, and what it waits for
  info simt thread     the one that runs
  $simt_is("1,0,0", "3,0,0")    whether it is this one; for conditions of breakpoints
  backtrace            ends with the kernel
  simt start           runs the program up to the thread that SIMT_DEBUG_THREAD names, and stops in its kernel

Everything is asked of the engine (sim/exec/debug_stop.hpp), whose functions have no debug information: they are called
through casts.
"""
import os

import gdb
from gdb.FrameDecorator import FrameDecorator

REACHED = "simt_debug_reached"


def called(function, result, parameters="", arguments=""):
    return gdb.parse_and_eval(f"(({result} (*)({parameters})){function})({arguments})")


def engine_text(function):
    try:
        return called(function, "const char *").string()
    except gdb.error as wrong:
        raise gdb.GdbError(f"No kernel that is compiled for debugging runs: {wrong}")


class InfoSimt(gdb.Command):
    """Threads of the simulated device."""

    def __init__(self):
        super().__init__("info simt", gdb.COMMAND_STATUS, prefix=True)


class InfoSimtThreads(gdb.Command):
    """All threads of the blocks that have begun, a line for each run of neighbours in the same state."""

    def __init__(self):
        super().__init__("info simt threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        gdb.write(engine_text("simt_debug_threads"))


class InfoSimtThread(gdb.Command):
    """Which thread of the simulated device runs."""

    def __init__(self):
        super().__init__("info simt thread", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        gdb.write(engine_text("simt_debug_thread") + "\n")


def numbers(text):
    parts = [int(part) for part in str(text).split(",")]
    if len(parts) > 3:
        raise gdb.GdbError(f"a position is X, X,Y or X,Y,Z, not {text}")
    return parts + [0] * (3 - len(parts))


class SimtIs(gdb.Function):
    """$simt_is("block", "thread"): whether the thread that runs is this one."""

    def __init__(self):
        super().__init__("simt_is")

    def invoke(self, block, thread):
        wanted = numbers(block.string()) + numbers(thread.string())
        words = ", ".join(f"{n}L" for n in wanted)
        return called("simt_debug_is", "int", "long, long, long, long, long, long", words)


def behind_prologue(code):
    """Where the function that begins at `code` has its parameters in place, as for a breakpoint by name."""
    block = gdb.block_for_pc(code)
    while block is not None and block.function is None:
        block = block.superblock
    if block is None:
        return code
    places = sorted({entry.pc for entry in block.function.symtab.linetable() if block.start <= entry.pc < block.end})
    return places[1] if len(places) > 1 else code


class SimtStart(gdb.Command):
    """Runs the program up to the thread that SIMT_DEBUG_THREAD names, and stops in its kernel."""

    def __init__(self):
        super().__init__("simt start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        gdb.execute("set breakpoint pending on")
        gdb.execute(f"tbreak {REACHED}", to_string=True)
        gdb.execute("set breakpoint pending auto")
        # What gdb says of these stops is about the engine; the program's own output goes its own way.
        gdb.execute("set suppress-cli-notifications on")
        try:
            self.run_to_the_thread()
        except gdb.error as wrong:
            gdb.write(f"simrun debug: {wrong}\n")
            self.failed()
        finally:
            gdb.execute("set suppress-cli-notifications off")

    def run_to_the_thread(self):
        gdb.execute("run", to_string=True)
        wanted = os.environ.get("SIMT_DEBUG_THREAD", "").split(":")
        if gdb.selected_inferior().pid == 0:
            kernel = os.environ.get("SIMT_DEBUG_KERNEL", "")
            which = f"launch of {kernel}" if kernel else "launch"
            gdb.write(f"simrun debug: the program has ended, and no {which} had thread ({wanted[-1]}) of block "
                      f"({wanted[0]})\n")
            return self.failed()
        if gdb.newest_frame().name() != REACHED:
            gdb.write("simrun debug: the program stopped before it came to that thread\n")
            gdb.execute("frame")
            return self.failed()
        code = int(gdb.parse_and_eval("*(unsigned long *)&simt_debug_kernel"))
        if code == 0:
            for _ in range(2):
                gdb.execute("finish", to_string=True)
        else:
            gdb.execute(f"tbreak *{behind_prologue(code):#x}", to_string=True)
            gdb.execute("continue", to_string=True)
        gdb.write(engine_text("simt_debug_thread") + "\n")
        gdb.execute("frame")

    def failed(self):
        if os.environ.get("SIMT_DEBUG_BATCH"):
            gdb.execute("quit 1")


def is_engine(name):
    """Of a frame's function: one of the simulator's, below a kernel."""
    return name is None or name.startswith(("simt::", "simt_cuda::", "make_fcontext", "fiber_main"))


def without_parameters(name):
    """f of f(int, g(*)(int)): gdb writes the arguments behind it."""
    depth = 0
    for i in range(len(name) - 1, -1, -1):
        depth += (name[i] == ")") - (name[i] == "(")
        if depth == 0:
            return name[:i] if name[i] == "(" else name
    return name


class KernelFrame(FrameDecorator):
    """A kernel of CUDA source is the call of a lambda in the function that the user wrote."""

    def function(self):
        name = super().function()
        if not isinstance(name, str):
            return name
        return name.split("(")[0] if "(uint3, uint3, dim3, dim3)" in name else without_parameters(name)

    def frame_args(self):
        arguments = super().frame_args()
        return arguments and [a for a in arguments if str(a.symbol()) != "this"]


class DeviceFrames:
    """`backtrace` ends with the kernel: what is below it on a device thread's stack is the engine. `-no-filters` shows it."""

    name, priority, enabled = "simt", 100, True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        frames = list(frames)
        names = [frame.inferior_frame().name() for frame in frames]
        if "fiber_main" in names:  # else the host's stack
            user = [i for i, name in enumerate(names) if not is_engine(name)]
            frames = frames[: user[-1] + 1] if user else frames
        return iter([KernelFrame(frame) for frame in frames])


class Simt(gdb.Command):
    """Threads of the simulated device."""

    def __init__(self):
        super().__init__("simt", gdb.COMMAND_RUNNING, prefix=True)


InfoSimt()
InfoSimtThreads()
InfoSimtThread()
SimtIs()
Simt()
SimtStart()
DeviceFrames()
# The engine's clock: it suspends threads that run long, and one that somebody looks at runs very long.
gdb.execute("handle SIGURG nostop noprint nopass", to_string=True)
