# SPDX-License-Identifier: Apache-2.0
"""Every name that the toolkit's headers of the runtime API and of device code declare is there or is refused by name.

    run_names.py SIMRUN FOLDER [SET ...]      77: there is no toolkit

A source that uses each name once (`using ::name;`) and each function with the parameters that the toolkit declares is
built; each line that the tool refuses must be refused with a reason (frontends/cuda/translate/refusals.cpp).
"""
import collections
import functools
import pathlib
import re
import subprocess
import sys

import toolkit_names

TOOLKIT = pathlib.Path("/usr/local/cuda/include")
NVCC = ["-D__CUDACC__", "-D__NVCC__", "-D__CUDA_ARCH__=900", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
        "-D__CUDACC_VER_BUILD__=88", "-D__CUDA_ARCH_LIST__=900", "-D__CUDACC_EXTENDED_LAMBDA__"]
SETS = {
    "runtime": ["cuda_runtime.h", "cuda_profiler_api.h", "cuComplex.h", "math_constants.h", "cuda_occupancy.h",
                "cuda_pipeline.h", "cuda_awbarrier.h", "mma.h", "cooperative_groups.h", "cooperative_groups/reduce.h",
                "cooperative_groups/scan.h", "cooperative_groups/memcpy_async.h", "library_types.h", "cuda_fp16.h", "cuda_bf16.h",
                "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h"],
    "nvrtc": ["nvrtc.h"],
    "driver": ["cuda.h", "cudaProfiler.h", "cudaTypedefs.h"],
    "thrust": ["thrust/*.h", "thrust/iterator/*.h", "thrust/random/*.h", "thrust/mr/*.h"],
    "cub": ["cub/cub.cuh"],
}
# Of CCCL the names in these namespaces, less what it is made of.
CCCL = ("thrust", "cub")
INNER = re.compile(r".*(detail|internal|dispatch|cuda_cub|_V_|__).*|(thrust::)?(system|random)(::.*)?|thrust::placeholders.*")
INNER_NAMES = {"validator", "validator2", "new_delete_resource_base", "value", "has_difference_type"}
INNER_HEADERS = re.compile(r"thrust/(mr/validator|iterator/retag|per_device_resource)\.h")
# Not a program's: what NVIDIA's headers are made of, tags of structures that have another name, numbers that are kept free.
PRIVATE = re.compile(
    r"__(nvvm|nv_|hmma|imma|bmma|dmma|wmma|mma_|cuda|internal|NV|CUDA|float_simpl|hsin_i|hcos_i|DEF|TEXTURE|SURFACE|"
    r"DEVICE|HOST|align|builtin|specialization|no_sc|no_return|forceinline|location|launch|maxnreg|block_size|"
    r"cluster_dims|annotate|thread__|import__|export__|inline|cdecl)|.*(_st|_enum|_union)$|.*[rR]eserved\d*|.*Max$|"
    r".*_H(PP)?_*$|_.*_H_*$|threadIdx|blockIdx|blockDim|gridDim|any|all|ballot|nvcuda_|.*ApiFailureBase|"
    r"(CUDART|NV|_?_?CG|_CUDA|_NV|MMA|EXCLUDE|IF_DEVICE|CUDAAPI|VECTOR|_WCHAR|FP|GRAPH|USE_|NVRTC_)[A-Z_]*.*|"
    r"(CCCL|LIBCUDACXX|STD|THROW|LOAD_ENVREG)\w*|__cccl\w*|OCC_.*|PARTITIONED_GC.*|SHAREDMEM_CARVEOUT.*|CUDA_EMULATION.*|cudaEmulation.*|CU_UUID.*|CU_TENSOR_MAP_NUM_QWORDS|RESOURCE_ABI.*|cl_\w+|[A-Z_]*_IPC_HANDLE_SIZE")
SCOPES_OF_OTHERS = ("std", "nv", "cuda", "__")  # the standard library's and NVIDIA's own
KEYWORDS = {"int", "float", "double", "char", "long", "short", "unsigned", "signed", "bool", "void", "const", "volatile",
            "size_t"}


def headers_of(title):
    """Of lists by patterns those that the toolkit has."""
    found = []
    for pattern in SETS[title]:
        found += sorted(str(f.relative_to(TOOLKIT / "cccl")) for f in (TOOLKIT / "cccl").glob(pattern)) if title in CCCL else [pattern]
    return tuple(h for h in found if not INNER_HEADERS.fullmatch(h))


@functools.cache
def declared(headers):
    """What a tuple of headers declares: names and macros. Asked three times of each set; an answer takes two seconds."""
    text = "".join(f"#include <{h}>\n" for h in headers)
    r = subprocess.run(["g++", "-std=c++17", "-E", "-dD", "-x", "c++", *NVCC, "-I", str(TOOLKIT), "-I",
                        str(TOOLKIT / "cccl"), "-"], input=text, capture_output=True, text=True)
    folder = str(TOOLKIT.resolve().parent)
    found, macros = toolkit_names.names_in(r.stdout, lambda f: f.startswith((folder, "/usr/local/cuda")))
    return found, macros


def is_private(scope, name):
    return bool(PRIVATE.fullmatch(name) or PRIVATE.match(name) and name.startswith("__")) or any(
        p.startswith(SCOPES_OF_OTHERS) or p.endswith(("_st", "_union")) or "detail" in p or "<" in p or "internal" in p for p in scope.split("::") if p)


def parameters_of(words):
    """Declarations with names of their own; None: one that this does not read."""
    parts, current, depth = [], [], 0
    for w in words:
        depth += (w in "([{<") - (w in ")]}>")
        if w == "," and depth == 0:
            parts.append(current)
            current = []
        else:
            current.append(w)
    parts += [current] if current else []
    if parts == [["void"]]:
        return []
    declarations = []
    for i, p in enumerate(parts):
        p = [w for w in (p[:p.index("=")] if "=" in p else p) if w not in ("__restrict__", "__restrict")]
        # Modes of rounding as arguments are of CUDA's first versions.
        if not p or {"(", "[", "...", "cudaRoundMode"} & set(p) or p[-1].startswith("__half") and len(p) == 1:
            return None
        words_of_type = [w for w in p if w not in ("const", "volatile", "struct", "enum", "union")]
        if re.fullmatch(r"[A-Za-z_]\w*", p[-1]) and p[-1] not in KEYWORDS and len(words_of_type) > 1:
            p = p[:-1]
        declarations.append(" ".join(p) + f" a{i}")
    return declarations


def uses(title, headers, known):
    found, macros = declared(headers)
    seen = set()
    if title in CCCL:
        found = [x for x in found if x[1].split("::")[0] == title and not INNER.match(x[1])
                 and not INNER_NAMES & {x[2], x[1].split("::")[-1]}]
        macros = []
    classes = {(x[1] + "::" if x[1] else "") + x[2] for x in found if x[0] == "type"}
    for kind, scope, name, parameters, template in found:
        if title in CCCL and "<" in scope:  # of a template
            continue
        if (name.startswith("_") if title in CCCL else is_private(scope, name)) or (kind, scope, name) in known:
            continue
        known_key = (kind, scope, name, tuple(parameters or ()))
        if known_key in seen:
            continue
        seen.add(known_key)
        whole = "::" + (scope + "::" if scope else "") + name
        first = (kind, scope, name) not in {s[:3] for s in seen if s != known_key} if kind != "function" else True
        if kind in ("type", "alias") and scope in classes:
            yield f"{scope}::{name}", f"using t{len(seen)} = {whole};"
        elif kind in ("type", "alias", "variable", "function"):
            # Names of two scopes are not brought into one.
            yield name, f"namespace n{len(seen) if title in CCCL else ''} {{ using {whole}; }}"
        elif kind == "enumerator":
            yield name, f"const auto e{len(seen)} = {whole};"
        elif kind == "field" and first:
            yield f"{scope}::{name}", f"using f{len(seen)} = decltype({whole});"
        elif kind == "member" and title in CCCL and name != scope.split("::")[-1]:
            yield f"{scope}::{name}", f"struct m{len(seen)} : ::{scope} {{ using ::{scope}::{name}; }};"
        if kind == "function" and not template and parameters is not None and not scope and name != "__half":
            declarations = parameters_of(parameters)
            if declarations is not None:
                arguments = ", ".join(f"a{i}" for i in range(len(declarations)))
                yield name, (f"__host__ __device__ inline void c{len(seen)}({', '.join(declarations)}) "
                             f"{{ {whole}({arguments}); }}")
    for name in dict.fromkeys(macros):
        if not is_private("", name) and not name.startswith("_") and ("macro", "", name) not in known:
            yield name, f"namespace n {{ using ::{name}; }}"


def main():
    simrun, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not (TOOLKIT / "cuda_runtime_api.h").exists():
        print("there is no CUDA Toolkit")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    known, silent = set(), []
    for title in SETS if len(sys.argv) < 4 else sys.argv[3:]:
        headers = headers_of(title)
        lines, names = [], {}
        for h in headers:
            names[len(lines) + 4] = h
            lines += [f"#if __has_include(<{h}>)", f"#include <{h}>", "#else", "using ::header_that_is_not_there;", "#endif"]
        for name, use in uses(title, headers, known):
            short = name.split("::")[-1]
            names[len(lines) + 2] = name
            lines += [f"#ifndef {short}", use, "#endif"]
        source = folder / f"{title}.cu"
        source.write_text("\n".join([*lines, "int main() {}", ""]))
        r = subprocess.run([simrun, str(source), "-o", str(folder / title), "-ferror-limit=0"], capture_output=True, text=True)
        said = collections.defaultdict(list)
        for m in re.finditer(re.escape(str(source)) + r":(\d+)(?::\d+)?: (?:fatal )?(?:error: )?(.*)", r.stderr):
            said[int(m.group(1))].append(m.group(2))
        without = {names[at]: texts[0] for at, texts in said.items()
                   if at in names and not any("is not supported: " in t for t in texts)}
        print(f"{title}: {len(names)} uses, {len(said)} refused, {len(without)} of them without a reason")
        silent += [f"{title}: {name}: {text}" for name, text in without.items()]
        known |= {x[:3] for x in declared(headers)[0]} | {("macro", "", m) for m in declared(headers)[1]}
        if not names or (r.returncode != 0 and not said):
            silent.append(f"{title}: not built: {r.stderr[:2000]}")
    print("\n".join(silent))
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
