#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutations.py FOLDER [--only TEXT] [--sample N --seed S] [--jobs N] [--verify]: breaks the counting of loops that are told in
short, of pieces that come again, and of updates' turns, in one way after the other, in copies of its sources, and expects the unit tests to notice each. FOLDER: for objects."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "mutation"))
sys.dont_write_bytecode = True
import objects
import table

TRACE, COUNTS, HEADER = "sim/profile/warp_trace.cpp", "sim/profile/block_counts.cpp", "sim/profile/warp_trace.hpp"
PIECES, MODEL = "sim/profile/known_pieces.cpp", "sim/profile/memory_model.cpp"
SOURCES = [TRACE, COUNTS, PIECES, MODEL, "tests/unit/doctest_main.cpp",
           "tests/unit/profile/joined_pieces_test.cpp", "tests/unit/profile/known_pieces_test.cpp", "tests/unit/profile/memory_model_test.cpp", "tests/unit/profile/short_loops_test.cpp",
           "tests/unit/profile/update_turns_test.cpp", "tests/unit/profile/warp_trace_test.cpp"]
OF_HEADER = [s for s in SOURCES if not any(word in s for word in ("memory_model", "update_turns", "main"))]
MUTATIONS = [  # what breaks, file, text, its replacement
    ("sectors come again like words", TRACE, "in_words ? kBankBytes : kSectorBytes", "kBankBytes"),
    ("neighbours are never one instruction", TRACE, "bool joins = k + 1 < l.length && may_join(s, first(one, k + 1));",
     "bool joins = false;"),
    ("neighbours that move apart are not asked", TRACE, "      if (alike) return 0;\n", ""),
    ("lanes that move apart are overlooked", TRACE, "moves(*c.of, k) != moves(one, k) || ", ""),
    ("strides that change are overlooked", TRACE, " || second(*c.of, k).stride != first(*c.of, k).stride", ""),
    ("every turn costs the same", TRACE, "longest = std::max(longest,", "std::max(longest,"),
    ("addresses stay where they were", TRACE, "now.address += turn * (second.address - now.address);", ""),
    ("strides stay as they were", TRACE,
     "now.stride += static_cast<std::intptr_t>(turn) * (second.stride - now.stride);", ""),
    ("ideal sectors and conflicts are counted once", COUNTS, "t.other += times_ * other;", "t.other += other;"),
    ("costs are counted once", COUNTS, "t.cost += times_ * cost;", "t.cost += cost;"),
    ("instructions go on from turn to turn", COUNTS, "        end_run(warp);  // each turn begins with a marker\n", ""),
    ("the last turn is counted with the others", HEADER, "        repeat(std::uint64_t{1});\n", ""),
    ("one kind of turn too few", HEADER, "t < different; ++t", "t + 1 < different; ++t"),
    ("a lane that has left its loop goes on in it", HEADER, "if (++turn == turns)", "if (++turn > turns)"),
    ("all turns are the first", HEADER, "step_of_turn(*of, in, at - in.first, turn)", "step_of_turn(*of, in, at - in.first, 0)"),
    ("pieces move by parts of sectors", PIECES, "moved % kUnit != 0 || ", ""),
    ("every step of a piece moves by itself", PIECES,
     " || moved != steps_[like].did.address - p.steps[like].did.address", ""),
    ("lanes of one instruction move apart", PIECES, "if (s.what < operation::marker) bind(", "if (false) bind("),
    ("neighbours that may be one move apart", PIECES, "for (const auto& [a, b] : together) bind(a, b);", ""),
    ("blocks of code are all alike", PIECES, "if (a.address != b.address) return false;", ""),
    ("strides are not compared", PIECES, " || a.stride != b.stride", ""),
    ("threads are not compared", PIECES, " || now.first != then.first ||\n        now.count != then.count", ""),
    ("pieces that do not come again are kept", PIECES, "rests_ = true;", ";"),
    ("accesses side by side move apart", HEADER,
     "        default:\n          if (last != nullptr && may_join(*last, now)) together(last->told, now.told);", "        default:"),
    ("a loop without a second turn is as any", HEADER, "if (!loop_at(s, k).moves) return false;", "if (!loop_at(s, k).moves) break;"),
    ("what known pieces do side by side is left out", COUNTS, "t.whole += added.whole;", ""),
    ("its parts are left out", COUNTS, "t.apart[i] += added.apart[i];", ";"),
    ("lanes that wait do not end a piece", COUNTS, "  if (pieces_.follows()) give_up_piece();\n  if (warp < warps_used_)",
     "  if (warp < warps_used_)"),
    ("steps before a wait are forgotten", COUNTS, "for (const told_step& t : pieces_.steps()) give_to_warps(t);", ";"),
    ("pieces move although they update", PIECES, "    if (moved != 0 && is_global_update(a.what)) return false;\n", ""),
    ("a turn looks up any lines", MODEL, "(s.taken == 0 || s.line == line) && ", ""),
    ("lanes overtake those that wait", MODEL, "      s.passed |= word;\n", "      if (s.line == line) s.passed |= word;\n"),
    ("lanes of one word go together", MODEL, " && (s.passed & word) == 0", ""),
    ("lines lie in sets by their last bits", MODEL, "1 | kThirds << 2 | kThirds << 4", "1"),
    ("bits of a line belong to one set bit each", MODEL, "2 | kThirds << 3 | kThirds << 4", "2 | kThirds << 3"),
    ("a swap in shared memory is as any update", MODEL, "2 * once.wavefronts", "once.wavefronts"),
    ("conflicts of swaps are counted twice", MODEL, "2 * once.wavefronts, once.conflicts", "2 * once.wavefronts, 2 * once.conflicts"),
    ("a swap is no update", COUNTS, "o >= operation::shared_increment && o <=", "o > operation::shared_swap && o <="),
    ("turns of a swap's words are those of a store", COUNTS, "return cost_of_shared_swap(a);", "return cost_of_shared_store(a);"),
    ("words that are no half of a vector are loaded at once", COUNTS, " || are_two_words_apart(first, end, whole)", ""),
    ("a store may leave out members", COUNTS, "(whole.size != bytes && !loads) || ", ""),
    ("pieces are one at any address", COUNTS, "if (suits) return end - first;", "return end - first;"),
    ("all pieces are one, or none", COUNTS, "end > first + 1; --end)", "end > first + 1; end = first)"),
    ("what is left of joined pieces is forgotten", COUNTS, "    i += pieces;\n", "    i = r.pieces;\n"),
    ("pieces with gaps between them are stored at once", COUNTS, "(loads ? behind < end : behind != end)", "behind < end"),
    ("one lane does what only a whole warp adds up", HEADER, "return if_full ? lanes == ~0U\n                 :", "return if_full ||"),
    ("every lane does what one does for all", HEADER, "o == operation::global_reduction_of_warp || o == operation::global_atomic_of_warp ||\n                       o == operation::shared_atomic_of_warp;", "false;"),
    ("two sets are one", MODEL, "sets[set_of(line)]", "sets[set_of(line) & 2]"),
]


def bench(arguments, number):
    return objects.bench(arguments.build / str(number), "clang++-19", ["-O1"], SOURCES, TRACE, {HEADER: OF_HEADER})


if __name__ == "__main__":
    sys.exit(table.main(table.table(MUTATIONS), bench, __doc__))
