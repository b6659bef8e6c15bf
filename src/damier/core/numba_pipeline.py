"""Compilation of an engine by Numba: each function is typed and translated once, and only the whole
is optimised and made machine code.

Numba makes each function machine code of its own, and optimises what it calls again at every level
of calls. But the functions of an engine are called by nobody else: they are linked into the engine,
and the optimiser sees everything there, once. With that, and without the passes that no engine
needs, an engine compiles in 0.7 of the time.
"""

from __future__ import annotations

import functools
from typing import Any

UNRESOLVED = ".numba.unresolved$"
"""How the names of functions begin that are to be looked up when the code runs, as mutual recursion
needs it.
"""


@functools.cache
def compilers() -> tuple[type, type]:
    """Return what `numba.njit(pipeline_class=…)` takes: for the engine itself, and for the functions that
    are linked into it.
    """
    from numba.core import compiler, typed_passes, untyped_passes
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler_machinery import PassManager

    unneeded = {
        untyped_passes.WithLifting,  # `with`
        untyped_passes.LiteralUnroll,
        untyped_passes.LiteralPropagationSubPipelinePass,  # again `literal_unroll`
        typed_passes.AnnotateTypes,  # for people
        compiler.DumpParforDiagnostics,
    }
    once = {untyped_passes.DeadBranchPrune}

    class Unoptimised(JITCodeLibrary):  # type: ignore[misc]
        """The code of a function that is only linked into others."""

        @property
        def codegen(self) -> Any:
            return _WithoutEnvironments(self._codegen)

        def add_ir_module(self, module: Any) -> None:
            """A function that calls itself does so by its address: by default it is looked up, once
            it is loaded.
            """
            for name, place in module.globals.items():
                function = (
                    module.globals.get(name.removeprefix(UNRESOLVED)) if name.startswith(UNRESOLVED) else None
                )
                if function is not None:
                    place.initializer, place.linkage, place.global_constant = (
                        function.bitcast(place.value_type),
                        "internal",
                        True,
                    )
            super().add_ir_module(module)

        def _optimize_final_module(self) -> None:
            """Left to the engine into which it is linked."""

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0  # as for any function without a wrapper for Python

    class OptimisedTwice(JITCodeLibrary):  # type: ignore[misc]
        """The code of an engine: what is inlined the first time is simplified the second. Learners
        are half as fast again as after once, for a fifth more time to compile.
        """

        def _optimize_final_module(self) -> None:
            super()._optimize_final_module()
            super()._optimize_final_module()

    class Whole(compiler.CompilerBase):  # type: ignore[misc]
        library = OptimisedTwice

        def define_pipelines(self) -> list[Any]:
            self.state.library = self.library(
                self.state.targetctx.codegen(), self.state.func_id.func_qualname
            )
            self.state.library.enable_object_caching()
            complete = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            chosen, visited = PassManager("engine"), set()
            for step, description in complete.passes:
                if step not in unneeded and not (step in once and step in visited):
                    chosen.add_pass(step, description)
                    visited.add(step)
            chosen.finalize()
            return [chosen]

    class Part(Whole):
        library = Unoptimised

    return Whole, Part


def defaults() -> tuple[type, type]:
    """Numba's own way, twice: for functions that call each other, which it looks up while they run."""
    from numba.core.compiler import Compiler

    return Compiler, Compiler


class _WithoutEnvironments:
    """A code generator that notes no environment (constants for Python) of a function that is not
    loaded by itself.
    """

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def set_env(self, name: str, environment: Any) -> None:
        """The environment is set where the function is linked in."""
