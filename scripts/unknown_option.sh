# SPDX-License-Identifier: Apache-2.0
# A mistyped program, and a mistyped option behind a program's name, told before anything is built. Sourced by ./simrun.
#
# The tool and the program's module know the options, but here neither may be built. So their sources are read: an option
# is unknown where no file of cli/ has "--NAME in quotes and the program's source has no "NAME". What this takes for
# known and is not, the tool refuses later.

# quoted_names PATTERN FILE...: what PATTERN matches behind a quotation mark, one a line.
quoted_names() {
  local pattern=$1
  shift
  grep -ohE "\"$pattern" "$@" | tr -d '"' | sort -u
}

# nearest_option WORD: of the options on standard input the one that is fewest edits away, at most a third of the word's
# length and at least 2 (1 of up to three letters), else one that begins with the word, else nothing. As sim/report/nearest_name.cpp does it.
nearest_option() {
  awk -v word="$1" '
    function least(a, b) { return a < b ? a : b }
    function distance(a, b,   i, j, d) {
      for (i = 0; i <= length(a); ++i) d[i, 0] = i
      for (j = 0; j <= length(b); ++j) d[0, j] = j
      for (i = 1; i <= length(a); ++i)
        for (j = 1; j <= length(b); ++j) {
          d[i, j] = least(least(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
          if (i > 1 && j > 1 && substr(a, i, 1) == substr(b, j - 1, 1) && substr(a, i - 1, 1) == substr(b, j, 1))
            d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1)
        }
      return d[length(a), length(b)]
    }
    BEGIN {
      letters = word
      sub(/^-*/, "", letters)
      best = 1 + (length(letters) < 4 ? 1 : length(word) < 9 ? 2 : int(length(word) / 3))
    }
    { edits = distance(word, $0) }
    edits < best { best = edits; name = $0 }
    longer == "" && index($0, word) == 1 { longer = $0 }
    END { print name != "" ? name : longer }'
}

# refuse_unknown_option ROOT PROGRAM STEM ARGUMENT...: STEM.cpp in kernels/ is the program's source. Returns 2, and has
# said why, where one of the arguments is no option.
refuse_unknown_option() {
  local root=$1 program=$2 stem=$3 word name known near
  shift 3
  known=$(
    quoted_names '--[a-z][a-z-]*' "$root"/cli/*.cpp
    quoted_names '[a-z][a-z0-9-]*"' "$root/kernels/$stem.cpp" | sed 's/^/--/'
  )
  for word in "$@"; do
    [[ $word != -- ]] || return 0
    [[ $word == --[a-z]* ]] || continue
    name=${word%%=*}
    grep -qxF -e "$name" <<<"$known" && continue
    near=$(nearest_option "$name" <<<"$known")
    near=${near:+; did you mean $near?}
    say "unknown option $name for $program${near:-.} \`simrun $program --help\` lists them."
    return 2
  done
}

# refuse_unknown_program ROOT ARGUMENT...: of a line that runs a built-in program. Returns 2, and has said why, where the
# word that stands in its program's place is the name of none in kernels/.
refuse_unknown_program() {
  local root=$1 word near before=--detect-races
  shift
  for word in "$@"; do
    case $word in
      --) return 0 ;;
      -*) ;;
      run | bench | profile) ;;
      list | test | compare | replay | debug | campaign | merge | explain | devices | completion | help) return 0 ;;
      *)
        # Behind an option it may be the option's value.
        [[ ! $before == -* || $before =~ ^(--detect-races|--quiet|-q|--strict|--plot|--explain-execution)$ ]] || return 0
        [[ $word =~ ^[a-zA-Z0-9_-]+$ && ! -e $word ]] || return 0
        ! grep -qsF ".name = \"$word\"" "$root"/kernels/*.cpp || return 0
        near=$(program_sources "$root" | cut -d' ' -f1 | nearest_option "$word")
        near=${near:+; did you mean $near?}
        say "there is no program \"$word\"${near:-.} \`simrun list\` shows them all."
        return 2
        ;;
    esac
    before=$word
  done
}
