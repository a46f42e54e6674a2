#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""known_counts.py SIMRUN: `simrun profile` of the programs here against counts that follow from their sources.

Each expectation is written down as arithmetic: warps, rounds, sectors of an instruction. None comes from a run.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHORT = {"gl": "global_load", "gs": "global_store", "gr": "global_reduction", "ga": "global_atomic"}
W = 512  # warps of 16,384 threads


def touched(op, requests, sectors):
    return {f"{SHORT[op]}_requests": requests, f"{SHORT[op]}_sectors": sectors}


def loads(requests, each):
    return touched("gl", requests, requests * each)


def stores(requests, each):
    return touched("gs", requests, requests * each)


def reductions(requests, each):
    return {**touched("gr", requests, requests * each), **touched("ga", 0, 0)}


def shared(op, instructions, wavefronts, conflicts=0):
    return {f"shared_{op}_wavefronts": instructions * wavefronts, f"shared_{op}_bank_conflicts": instructions * conflicts}


def arithmetic(adds=0, multiplies=0, fmas=0, width=32, threads=32 * W):
    return {f"float{width}_{name}": each * threads
            for name, each in (("adds", adds), ("multiplies", multiplies), ("fmas", fmas))}


EXPECTED = {
    # Of a block 51 threads turn once, twice, three and four times each.
    "moved": {"rounds": arithmetic(adds=1, fmas=2, threads=64 * 51 * (1 + 2 + 3 + 4))},
    # Each is what nvcc 13.0 -O3 has in its machine code for sm_90 (cuobjdump -sass).
    "arithmetic": {
        "one_add": arithmetic(adds=1),
        "one_product": arithmetic(multiplies=1),
        "twice": arithmetic(adds=1),  # x + x
        "multiply_add": arithmetic(fmas=1),
        "multiply_subtract": arithmetic(fmas=1),
        "two_products": arithmetic(multiplies=1, fmas=1),
        "product_used_twice": arithmetic(fmas=2),  # both additions take it in
        "product_kept": arithmetic(multiplies=1, adds=1),  # it is stored, too
        "polynomial": arithmetic(fmas=3),
        "dot_product": arithmetic(fmas=16),
        "where_even": {**arithmetic(fmas=1, threads=16 * W), "float32_adds": 2 * 16 * W},
        "doubles": {**arithmetic(1, 1, 1, width=64), **arithmetic()},
        "asked_for": arithmetic(fmas=1, multiplies=1),
        "distance": {**arithmetic(adds=3, multiplies=1, fmas=2, threads=16 * W), **loads(W, 16)},  # whole float4
        "stencil": arithmetic(adds=1, multiplies=1, fmas=1),
        "divisions": {**arithmetic(adds=1), "special_operations": 2 * 32 * W},
    },
    "global_loads": {
        "copy_neighbours": {**loads(W, 4), **stores(W, 4)},
        "saxpy": {**loads(2 * W, 4), **stores(W, 4)},
        "load_stride_2": loads(W, 8),
        "load_stride_3": loads(W, 12),
        "load_stride_8": loads(W, 32),
        "load_stride_33": loads(W, 32),
        "store_stride_4": stores(W, 16),
        "load_offset_1": loads(W, 5),
        "store_offset_5": stores(W, 5),
        "load_backwards": loads(W, 4),
        "load_same": loads(W, 1),
        "copy_bytes": {**loads(W, 1), **stores(W, 1)},
        "copy_shorts": {**loads(W, 2), **stores(W, 2)},
        "copy_doubles": {**loads(W, 8), **stores(W, 8)},
        "load_doubles_stride_2": {**loads(W, 16), **stores(W, 8)},
        "copy_float2": {**loads(W, 8), **stores(W, 8)},
        "copy_float4": {**loads(W, 16), **stores(W, 16)},
        "scale_float4": {**loads(W, 16), **stores(W, 16)},  # members are touched one by one, in one statement
        "load_float4_stride_2": {**loads(W, 32), **stores(W, 4)},
        "load_members": {**loads(3 * W, 12), **stores(W, 4)},  # three loads, each of every third word
    },
    "shared_banks": {
        "transpose_plain": {**loads(2048, 4), **stores(2048, 32)},
        "transpose_unpadded": {**stores(2048, 4), **shared("load", 2048, 32, 31), **shared("store", 2048, 1)},
        "transpose_padded": {**stores(2048, 4), **shared("load", 2048, 1), **shared("store", 2048, 1)},
        "shared_stride_2": {**shared("load", W, 2, 1), **shared("store", W, 2, 1)},
        "shared_stride_3": {**shared("load", W, 1), **shared("store", W, 1)},
        "shared_stride_8": {**shared("load", W, 8, 7), **shared("store", W, 8, 7)},
        "shared_broadcast": {**shared("load", W, 1), **shared("store", W, 1)},
        "shared_two_words_a_bank": shared("load", W, 2, 1),
        "shared_doubles": {**shared("load", W, 2), **shared("store", W, 2)},
        "shared_doubles_same": {**shared("load", W, 1), **shared("store", W, 2)},  # one word for all
        "shared_float4": {**shared("load", W, 4), **shared("store", W, 4)},
        # In each round half of the threads before; 4, 2, 1 whole warps, then five rounds of one: two loads, one store.
        "reduce_tree": {"shared_load_wavefronts": 64 * (2 * (4 + 2 + 1 + 5) + 1), "shared_load_bank_conflicts": 0,
                        "shared_store_wavefronts": 64 * (8 + 4 + 2 + 1 + 5)},
        # 16 tiles; a warp has two rows of 16: each loads a row of `right` and a word of `left`, in other banks.
        "matmul_tiled": {**loads(256 * 8 * 16 * 2, 4), **shared("load", 256 * 8 * 16 * 16 * 2, 1)},
    },
    "updates": {
        "add_neighbours": touched("gr", W, 4 * W),
        "add_floats": touched("gr", W, 4 * W),
        "max_stride_2": touched("gr", W, 8 * W),
        "add_and_keep": {**touched("ga", W, 4 * W), **touched("gr", 0, 0)},
        "exchange_stride_4": touched("ga", W, 16 * W),
        "swap_where_even": {**touched("ga", W, 4 * W), **loads(0, 0)},  # also where it does not write
        "histogram_wide": {"global_reduction_requests": 2048},
        "shared_max_neighbours": {"shared_atomic_wavefronts": W},
        "shared_max_stride_2": {"shared_atomic_wavefronts": 2 * W},
    },
    "updates_in_place": {
        "add_rows": {**loads(2 * 8 * W, 4), **stores(8 * W, 4)},
        "scale_every_other": {**loads(4 * W, 8), **stores(4 * W, 8)},
        "add_in_shared": {**shared("store", 2 * 8 * W, 1), **stores(W, 4)},
    },
    "ways": {
        "lower_half": {**loads(W, 2), **stores(W, 2)},
        "every_other": {**loads(W, 4), **stores(W, 4)},
        "two_sides": {**loads(2 * W, 4), **touched("gs", 2 * W, W * (4 + 8))},
        "nested_sides": {**touched("gl", 3 * W, W * (4 + 8 + 8)), **stores(3 * W, 4)},
        "lengths_by_lane": {**loads(7 * W, 4), **stores(W, 4)},  # the store is done once, by all
        "loop_in_loop": {**loads(3 * 3 * W, 4), **stores(3 * W, 4)},
        "rounds_with_a_branch": {**loads(4 * W, 4), **stores(4 * W, 4)},
        "turns_without_a_common_access": stores(4 * W, 8),
        "ends_early": {**loads(W, 4), **stores(W, 4)},
        # 64 blocks of 3 warps and 4 threads; a block begins at 400 bytes times its number.
        "odd_block": {"global_load_requests": 64 * 4, "global_load_sectors": 64 * (4 * 3 + 1) + 32 * 3},
        "small_rows": {**loads(2048, 4), **stores(2048, 4)},
    },
    "structures": {
        "copy_points": {**loads(3 * W, 12), **stores(3 * W, 12)},  # three instructions, each of every third word
        "copy_float3": {**loads(3 * W, 12), **stores(3 * W, 12)},
        "two_of_five_members": {**loads(2 * W, 20), **stores(W, 4)},
        "move_frames": {**loads(3 * W, 32), **stores(3 * W, 32)},
        "rows_of_25": {**loads(W, 4), **stores(W, 4)},
        "bytes_stride_3": {**loads(W, 3), **stores(W, 1)},
        "shorts_backwards": {**loads(W, 3), **stores(W, 2)},
        "doubles_stride_3": {**loads(W, 24), **stores(W, 8)},
        "add_half2": {**loads(2 * W, 4), **stores(W, 4)},
        "read_volatile_twice": {**loads(2 * W, 8), **stores(W, 4)},
        "read_only_path": {**touched("gl", 2 * W, W * (5 + 4)), **stores(W, 4)},
        "own_array": {**touched("gl", 18 * W, W * (16 * 4 + 4 + 5)), **stores(W, 4)},
    },
    # As many instructions as nvcc 13.0 -O3 makes for sm_90 (-ptx).
    "members": {
        "first_changed<float4>": {**loads(W, 16), **stores(W, 16)},
        "second_changed<float4>": {**loads(W, 16), **stores(W, 16)},
        "last_changed<float4>": {**loads(W, 16), **stores(W, 16)},
        "first_changed<float3>": {**loads(3 * W, 12), **stores(3 * W, 12)},
        "first_changed<uchar4>": {**loads(W, 4), **stores(W, 4)},
        "last_changed<short4>": {**loads(W, 8), **stores(W, 8)},
        "second_changed<short2>": {**loads(W, 4), **stores(W, 4)},
        "in_place": {**loads(W, 16), **stores(W, 16)},
        "to_grey": {**loads(W, 4), **stores(W, 1)},
        "two_of_four": {**loads(2 * W, 16), **stores(W, 4)},
        "unaligned_pair": {**loads(2 * W, 8), **stores(2 * W, 8)},
        "middle_of_five": {**loads(5 * W, 20), **stores(5 * W, 20)},
        "last_of_five": {**loads(5 * W, 20), **stores(5 * W, 20)},
        "product_of_neighbours": {**loads(2 * W, 16), **stores(W, 8)},
        "in_shared": {**loads(W, 16), **stores(W, 16), **shared("load", W, 4), **shared("store", W, 4)},
        "changed_in_turns": {**loads(4 * W, 4), **stores(4 * W, 4)},
    },
    "odd_shared": {
        "shared_bytes": {**shared("store", W, 1), **shared("load", W, 1)},
        "shared_bytes_in_a_row": {**shared("store", W, 1), **shared("load", W, 1)},
        "shared_shorts_stride_33": {**shared("store", W, 1), **shared("load", W, 2, 1)},  # lanes 0 and 31 read one bank
        "shared_doubles_stride_3": {**shared("store", W, 2), **shared("load", W, 2)},
        "shared_doubles_stride_4": {**shared("store", W, 8, 6), **shared("load", W, 8, 6)},
        "shared_points": {**shared("store", W, 1), **shared("load", W, 1)},
        "shared_pairs": {**shared("store", W, 4 + 4, 2 + 3), **shared("load", W, 4 + 4, 2 + 3)},
        "shared_rows_of_17": {**shared("store", W, 2, 1), **shared("load", W, 2, 1)},
        "shared_rows_of_24": {**shared("store", W, 2, 1), **shared("load", W, 4, 3)},
        "shuffles_between": {**touched("gl", 2 * W, W * (8 + 12)), **stores(W, 1)},
        "sum_of_warps": {**loads(W, 4), **touched("gs", 64, 64), **shared("store", W, 1), **shared("load", 64, 1)},
    },
    "calls": {
        "update_in_one_line": reductions(W, 4),
        "update_in_a_template": reductions(W, 4),
        "update_by_a_macro": reductions(W, 8),
        "update_in_a_lambda": {**touched("gr", 2 * W, W * (4 + 5)), **touched("ga", 0, 0)},
        "update_behind_a_label": reductions(W, 4),
        "result_that_nobody_reads": reductions(W, 4),
        "result_of_a_function_not_read": reductions(W, 4),
        "result_of_a_function_read": {**touched("ga", W, 4 * W), **touched("gr", 0, 0)},
        "one_function_both_ways": {**touched("gr", W, 4 * W), **touched("ga", W, 5 * W)},
        "update_of_an_atomic_ref": {**touched("ga", 2 * W, W * (4 + 8)), **touched("gr", 0, 0)},
        "chosen_update": {"global_reduction_requests": 2 * W, "global_atomic_requests": 0},
        "result_used_by_some": {**touched("ga", W, 4 * W), **touched("gr", 0, 0)},
        "call_from_both_sides": {"global_load_requests": 2 * W, "global_store_requests": 2 * W},
        "recursion": {"global_load_requests": 5 * W},  # five of its calls are leaves
        "switch_by_lane": {"global_load_requests": 4 * W, "global_store_requests": 4 * W},
        "skips_some": {**loads(6 * W, 4), "global_store_requests": 6 * W},
    },
    "known": {
        "saxpy_16m": {"global_load_requests": 1048576, "global_load_sectors": 4194304},
        "transpose_1024": {"shared_load_bank_conflicts": 1015808},
        "histogram_1m": {"global_reduction_requests": 32768},
    },
}


def main():
    simrun = os.path.abspath(sys.argv[1])
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for source, kernels in EXPECTED.items():
            out = os.path.join(folder, source + ".json")
            done = subprocess.run([simrun, "profile", str(HERE / (source + ".cu")), "--json", out, "-q"],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{source}: ended with {done.returncode}\n{done.stdout}{done.stderr}")
            found = {k["kernel"]: k for k in json.load(open(out))["kernels"]}
            for kernel, counters in kernels.items():
                for counter, value in counters.items():
                    is_now = found[kernel]["counters"][counter] if kernel in found else "not there"
                    if is_now != value:
                        wrong.append(f"{source}: {kernel}: {counter} is {is_now}, not {value}")
            for name, k in found.items():  # each line's counts add up to the kernel's
                for counter, value in k["counters"].items():
                    of_lines = sum(line["counters"][counter] for line in k["lines"])
                    if of_lines != value:
                        wrong.append(f"{source}: {name}: {counter} is {value}, of its lines {of_lines}")
    print("\n".join(wrong) if wrong else f"{sum(len(k) for k in EXPECTED.values())} kernels as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
