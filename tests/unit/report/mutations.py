#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutations.py FOLDER [--only TEXT] [--sample N --seed S] [--jobs N] [--verify]: breaks what finds the place of a barrier,
or a read and its write, in the user's text in one way after the other, in copies of its sources, and expects the unit
tests to notice each. FOLDER: for objects."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "mutation"))
sys.dont_write_bytecode = True
import objects
import table

PLACE, NAMES, PARSER = "sim/report/barrier_place.cpp", "sim/report/varying_names.cpp", "sim/report/statements.cpp"
STEP, PLACES, COMBINING = "sim/report/one_step_places.cpp", "sim/report/race_places.cpp", "sim/report/combining.cpp"
CALLERS, CALLS, LOCK = "sim/report/callers.cpp", "sim/report/parting_lines.cpp", "sim/report/held_lock.cpp"
LOOPS = "sim/report/enclosing_loop.cpp"
WAITING = "sim/report/waiting_calls.cpp"
TURNS = "sim/report/turns_of_loop.cpp"
AWAITED, OCCUPANCY = "sim/report/awaited.cpp", "sim/report/occupancy.cpp"
SOURCES = [AWAITED, OCCUPANCY, WAITING, PLACE, NAMES, PARSER, STEP, PLACES, COMBINING, CALLERS, CALLS, LOCK, "sim/report/enclosing_loop.cpp",
           "sim/report/source_expression.cpp", "sim/report/source_excerpt.cpp", "sim/report/terminal_text.cpp",
           "tests/unit/report/awaited_test.cpp", "tests/unit/report/statements_test.cpp", "tests/unit/report/waiting_calls_test.cpp", "tests/unit/report/combining_test.cpp", "tests/unit/report/race_places_test.cpp",
           "tests/unit/doctest_main.cpp", "tests/unit/report/barrier_place_test.cpp",
           "tests/unit/report/enclosing_loop_test.cpp", "tests/unit/report/occupancy_test.cpp", "tests/unit/report/held_lock_test.cpp",
           *[f"sim/report/{name}.cpp" for name in (
               "counted", "names", "phrase_atomic", "phrase_copy", "phrase_flag", "phrase_index", "phrase_lock", "phrase_order", "phrase_sides", "phrasebook", "phrases_barriers",
               "phrases_faults", "phrases_gpu", "phrases_host", "phrases_memory", "phrases_races")]]
MUTATIONS = [  # what breaks, file, text, its replacement
    ("the last branch of an #if is there whatever was", PARSER, "b.is_there = !b.taken && holds.value_or(true);", "b.is_there = holds.value_or(true);"),
    ("what is undefined stays defined", PARSER, "if (word == \"undef\" && !left_out()) set(next(line), false);", ""),
    ("every wait has its batch", WAITING, "found.unbatched = found.batched == 0;", ""),
    ("a fence of who tells is the writer's", WAITING, "told.of_writer = enclosing_branch(source, {w.line, w.column}, from) == 0;", "told.of_writer = true;"),
    ("a barrier in front of the fence is one behind it", WAITING, "met_behind = false; } else if (w.text == \"sync\"", "} else if (w.text == \"sync\""),
    ("x = x + n is no update beside an atomic operation", PLACES, "  if (update.target.empty() || how.operation.empty()) return {};", "  return {};"),
    ("a member and the whole are two names", PLACES, "const bool within = a == b || a.starts_with(b + '.') || b.starts_with(a + '.');",
     "const bool within = a == b;"),
    ("a cast is another name", PLACES, "if (c == '(') return {};", ""),
    ("subscripts are names", PLACES, "depth += c == '[' ? 1 : 0;", ""),
    ("a flag is whatever an atomic operation changes", STEP, " || !sources.sets_atomically_at(set)) return", ") return"),
    ("a flag is read anywhere", STEP, " || condition_at(sources.statements_of(read), at) == nullptr) return", ") return"),
    ("within a block, too, a flag is read atomically", PLACES, "if (is_between_blocks(f.cause) && v.step", "if (v.step"),
    ("a barrier object's name is not looked for", WAITING, "std::ranges::find(calls, words[i].text) == calls.end())", "true)"),
    ("every memcpy_async is a group's", WAITING, "const bool of_group = ", "const bool of_group = true || "),
    ("lanes that meet go on in one turn", WAITING, "if ((of_warp || w.text ==", "if (false && (w.text =="),
    ("a tree's turn reads what others write", TURNS, "if (below || above ||", "if ("),
    ("a copy's last argument is its size", WAITING, "const std::string& by = arguments.back();", "const std::string& by = arguments[1];"),
    ("barrier objects order blocks", PLACES, "if (in_block) find_barrier_object", "find_barrier_object"),
    ("registers lie in one part", OCCUPANCY, "kRegistersOfPart / of_warp * kParts", "kParts * kRegistersOfPart / of_warp"),
    ("shared memory is given by the byte", OCCUPANCY, "rounded_up(k.static_shared + k.dynamic_shared + kReserved, kSharedUnit)",
     "(k.static_shared + k.dynamic_shared + kReserved)"),
    ("advice on shared memory forgets the driver's share", OCCUPANCY, "kSharedUnit * kSharedUnit - kReserved", "kSharedUnit * kSharedUnit"),
    ("advice on registers is for fewer warps", OCCUPANCY, "(wanted * r.threads_of_block / kWarp + kParts - 1) / kParts",
     "wanted * r.threads_of_block / kWarp / kParts"),
    ("every block is small", OCCUPANCY, "kBlocks * r.threads_of_block <= kEnough", "true"),
    ("spilled registers are arrays", OCCUPANCY, "if (k.spilled > 0)", "if (k.spilled > 1000)"),
    ("shared memory varies", NAMES, "if (!shared_.contains(name)) changed_", "changed_"),
    ("a branch's own names vary in it", NAMES, "return depth > (known", "return depth >= (known"),
    ("what a branch changes does not vary", NAMES, "return depth > (known == declared_.end() ? 0 : known->second);",
     "return false;"),
    ("elements of arrays vary", NAMES, "if (open == 0 || !(is(w, open - 1, \"auto\") || is(w, open - 1, \"&\"))) return;", ""),
    ("values do not flow on", NAMES, "} while (changed_);", "} while (false);"),
    ("blocks of a grid are alike", NAMES, "(whose_ == threads_of::grid && name == \"blockIdx\")", "false"),
    ("what a barrier gives varies", NAMES, "w[i].text.starts_with(\"__syncthreads_\")", "false"),
    ("macros hide the index", NAMES, "names_.insert(line.substr(begin, end - begin));", ";"),
    ("a branch of one warp is as any", PLACE, "v.lanes = lanes;", "v.lanes = 0;"),
    ("lanes of any branch are one warp's", PLACE, "lanes < 1 || lanes > kWarpSize", "lanes < 1"),
    ("loops whose turns differ have turns alike", PLACE, "if (i >= open) continue;", ""),
    ("a loop's last statement is not looked for", PLACE, "v.turn_behind = std::max(v.turn_behind, last_line(*to[at]));", ";"),
    ("every return is one that some take", PLACE, "if (varies && (word", "if ((word"),
    ("a break of another loop counts", PLACE, "if (s.kind == statement_kind::loop) of_turn = holds_place;",
     "if (s.kind == statement_kind::loop) of_turn = true;"),
    ("what stands behind the place counts", PLACE, "found != 0 || line_of(s) >= place", "found != 0"),
    ("a guard around both counts", PLACE, "holds(source_, s->first, s->end, other) || ", ""),
    ("the inner place is not left for the statement around it", PLACE, "v.before = line_of(*second);",
     "v.before = line_of(*second) + 1;"),
    ("a body without braces has some", PLACE, "v.turn_is_bare = both[i]", "v.turn_is_bare = false && both[i]"),
    ("every loop's condition is read last", PLACE, "source_.words[s->first].text == \"do\" && ", ""),
    ("statements of one line have no text", PLACE, "if (v.after == v.before) v.upper", "if (false) v.upper"),
    ("two branches are one place", PLACE, "v.in_two_branches = open + 1 == common", "v.in_two_branches = false && open + 1 == common"),
    ("a read of another statement is one of the update", PLACES, "sources.is_in_statement(read, write)",
     "!sources.reads_behind(read, write)"),
    ("a loop's barrier parts what stands behind it from a next turn", PLACES,
     "v.next_turn = !v.next_call && v.place.after == 0;", "v.next_turn = !v.next_call;"),
    ("writers are not those who read", STEP, "return read_is_asked && write_is_free && !apart;",
     "return read_is_asked && !apart;"),
    ("readers are not those who write", STEP, "return read_is_asked && write_is_free && !apart;",
     "return write_is_free && !apart;"),
    ("a barrier between them is none", STEP, "write_is_free && !apart", "write_is_free"),
    ("a condition on what was read lets others write", STEP, "|| names(source, *s, result);", ";"),
    ("a wait is taken for a look in front of the atomic operation", STEP,
     "if (by_atomic && (step.result.empty() || condition != nullptr)) return;", ""),
    ("a read below the write", STEP, "if (!in_operand && std::tie", "if (false && std::tie"),
    ("another word", STEP, "if (held.empty() || !names_same_word", "if (held.empty() || false && !names_same_word"),
    ("a branch of several statements has one", STEP, "body.parts.size() > 1", "false"),
    ("another element of the operand is the same", STEP, "!sources.reads_another_element(write)", "true"),
    ("a read stands where the compiler tells it", STEP, "found.column = static_cast<int>(at) + 1;", ";"),
    ("what is assigned is read", STEP, "before[behind] == '='", "false"),
    ("names that begin alike are one word", STEP, "if (!is_whole || (behind", "if ((behind"),
    ("two statements are one", STEP, "step.two_statements = !in_operand", "step.two_statements = false && !in_operand"),
    ("a barrier that some turns meet orders all", LOOPS, "s.parts.size() == 2 &&", "s.parts.size() >= 1 ||"),
    ("a barrier in both branches orders no turns", LOOPS, "s.parts.size() == 2 &&", "false &&"),
    ("any value makes a flag", STEP, "|| !is_constant(given.operand)", ""),
    ("two sections of a lock are one", LOCK, "if (!apart) return held_at(a, b);", "return held_at(a, b);"),
    ("the order of a failure counts", LOCK, "is_among(kStrong, order)) return 2;", "is_among(kStrong, order)) named = 2;"),
    ("any lock is the one", LOCK, "&& is_among(names, first_argument(at + 1))) return g;", ") return g;"),
    ("fences are not seen", LOCK, "word(i).find(\"fence\") != std::string_view::npos || ", ""),
    ("a lock that lacks nothing lacks something", LOCK, "lock->fence_behind && lock->fence_in_front ?", "false ?"),
    ("every loop waits for a lock", LOCK, "compares && std::ranges::all_of(s.parts, is_empty)", "compares"),
    ("a branch holds its lock behind itself", LOCK, "&& last < s->parts.front().end", ""),
    ("who takes in a loop need not leave it", LOCK, " || !leaves) return false;", ") return false;"),
    ("a barrier of the block is a fence", LOCK, "(is(i, \"sync\") && is(i + 1, \"(\"))", "word(i).find(\"sync\") != std::string_view::npos"),
    ("a plain store gives back as an atomic operation does", LOCK, "g.column = source_.words[sign].column;", ""),
    ("updates are looked at before locks", PLACES, "if (find_lock(sources, f)) return;", ""),
    ("turns that use elements of their own share them", TURNS, "if (is_assigned(source, i) &&", "if (false &&"),
    ("what begins a loop's count changes in it", TURNS, "if (is_assigned(source, i) &&", "if ("),
    ("turns of a loop are steps", PLACES, "  v.step = {};", ""),
    ("a fence for what is updated", PLACES, "f.cause = cause::race_blocks;\n", ""),
    ("one of two updates is not named", PLACES, "} else if (later.line != earlier.line) {", "} else if (false) {"),
    ("guards around calls keep nobody", PLACES, "if (p.call_guard == 0) p.call_guard = around.guard;", ""),
    ("turns that exchange two arrays leave them", PLACES, "return of_one_function(later, earlier) && stays_in_loops(sources, later, a) && stays_in_loops(sources, later, b);",
     "return of_one_function(later, earlier);"),
    ("a step of a tree is an array in place", PLACES, "|| f.facts.place.turn != 0) return false;", ") return false;"),
    ("a compare-and-swap takes a lock", AWAITED, "if (of.size() != 3 || !is_same(of[1], of[2])) return true;", "return true;"),
    ("what reads a count counts", AWAITED, "if ((loop.first <= i && i < loop.end) || word", "if (word"),
    ("an addition of nothing counts", AWAITED, "      if (is_zero(of, member ? 0 : 1)) continue;", ""),
    ("one loop speaks for all", AWAITED, "count = count && !counted.empty() && counted == name;", ""),
    ("a difference is taken apart", COMBINING, "{'-', \"-=\", \"*/%\", false}", "{'-', \"-=\", \"+-*/%\", false}"),
    ("subtraction commutes", COMBINING, "\"*/%\", false}", "\"*/%\", true}"),
    ("names that begin alike are one", COMBINING, "rest[0] == s.symbol && ", ""),
    ("*p is not p[0]", COMBINING, "if (out.ends_with(\"[0]\")) out", "if (false) out"),
    ("a part of a name is an atomic function", COMBINING, "return at == 0 || !in_identifier(line[at - 1]);", "return true;"),
    ("a declaration is a call", CALLERS, "if (function_around(source, i).empty()) continue;", ""),
    ("a label ends what ?: is in", PARSER, "asked == 0;", "true;"),
    ("a scope ends a statement", PARSER, "words_[at_ + 1].text == \":\"", "false"),
    ("an else is a statement of its own", PARSER, "if (!is(\"else\")) return;", "return;"),
]


def bench(arguments, number):
    return objects.bench(arguments.build / str(number), "c++", ["-O0", "-DFMT_HEADER_ONLY", "-I", table.ROOT / "sim/report"], SOURCES, PLACE)


if __name__ == "__main__":
    sys.exit(table.main(table.table(MUTATIONS), bench, __doc__))
