# SPDX-License-Identifier: Apache-2.0
# Reads what ctest printed, then its LastTest.log; prints the output of each test that failed and the sum of all.
# A test's status comes from the first file: the log of CMake 3.25 says "passed" of a skipped one.

FNR == NR {
  if (match($0, /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: [^ ]+/)) {
    name = substr($0, RSTART, RLENGTH)
    sub(/.*: /, "", name)
    status[name] = /\*\*\*Skipped/ ? "skipped" : (/ Passed +[0-9.]+ sec/ ? "passed" : "failed")
    order[++tests] = name
  }
  next
}

match($0, /^[0-9]+\/[0-9]+ Testing: /) {
  current = substr($0, RLENGTH + 1)
  reading = 0
  next
}
/^Output:$/ { reading = 1; next }
/^<end of output>$/ { reading = 0; next }
!reading { next }
{ output[current] = output[current] $0 "\n" }
# [doctest] test cases: 2 | 2 passed | 0 failed | 0 skipped
/^\[doctest\] test cases:/ {
  split($0, part, "|")
  passed[current] += part[2]
  failed[current] += part[3]
  skipped[current] += part[4]
  next
}
/^([a-z]+: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
  line = $0
  sub(/^[a-z]+: /, "", line)
  split(line, part, ", ")
  passed[current] += part[1]
  failed[current] += part[2]
  skipped[current] += part[3]
}

END {
  for (i = 1; i <= tests; ++i) {
    name = order[i]
    if (status[name] == "skipped") {
      ++all_skipped
      continue
    }
    if (!(name in passed)) passed[name] = status[name] == "passed"
    if (status[name] == "failed" && failed[name] + 0 == 0) failed[name] = 1
    all_passed += passed[name]
    all_failed += failed[name]
    all_skipped += skipped[name]
    if (status[name] == "failed") failures[++broken] = name
  }
  for (i = 1; i <= broken; ++i) {
    name = failures[i]
    printf "\n--- FAILED: %s\n", name
    lines = split(output[name], line_of, "\n") - 1
    from = lines > 80 ? lines - 79 : 1
    if (from > 1) printf "    (%d lines before these are in LastTest.log)\n", from - 1
    for (j = from; j <= lines; ++j) print "    " line_of[j]
    if (lines < 1) print "    (no output: it could not be started)"
  }
  if (broken) {
    printf "\nfailed: %d of %d\n", broken, tests
    for (i = 1; i <= broken; ++i) print "  " failures[i]
  }
  printf "%d passed, %d failed", all_passed, all_failed
  if (all_skipped) printf ", %d skipped", all_skipped
  print ""
  exit (all_failed > 0 || all_passed == 0) ? 1 : 0
}
