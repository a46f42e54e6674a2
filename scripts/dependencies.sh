# SPDX-License-Identifier: Apache-2.0
# Installs what a build or a test needs and is not there. Sourced by scripts/build.sh; sets SIMT_CXX.
#
# Installs with apt-get as root, or with sudo where that asks for no password. Otherwise it prints the command to type
# and returns 2. Where there is no apt-get it installs nothing, and CMake says which libraries are missing.

# Version of a compiler's first digits, 0 where it does not run.
compiler_major() {
  local version
  version=$("$1" -dumpversion 2>/dev/null) || version=0
  echo "${version%%.*}"
}

# Prints the compiler to use: $CXX, else the first that is new enough; nothing where none is.
find_compiler() {
  if [[ -n ${CXX:-} ]]; then
    echo "$CXX"
    return
  fi
  local name
  for name in c++ g++ g++-15 g++-14 g++-13 g++-12 clang++ clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 \
    clang++-15 clang++-14; do
    command -v "$name" >/dev/null || continue
    if "$name" --version 2>/dev/null | grep -qi clang; then
      (($(compiler_major "$name") >= 14)) || continue
    else
      (($(compiler_major "$name") >= 12)) || continue
    fi
    echo "$name"
    return
  done
}

# Whether cmake is there and at least 3.25.
cmake_is_new_enough() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n '1s/^cmake version //p')
  [[ -n $version && $(printf '%s\n3.25\n' "$version" | sort -V | head -n 1) == 3.25 ]]
}

# The package of the distribution that brings a new enough g++.
compiler_package() {
  local candidate
  candidate=$(apt-cache policy g++ 2>/dev/null | sed -n 's/^ *Candidate: [0-9]*:\?\([0-9]*\).*/\1/p')
  if [[ -n $candidate ]] && ((candidate < 12)); then echo g++-12; else echo g++; fi
}

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# install_packages LOG PACKAGE...: with apt-get. Returns 1 where that fails, and 2 where nobody may install here.
install_packages() {
  local log=$1 as_root=()
  shift
  if ((EUID != 0)); then
    command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 2
    as_root=(sudo -n)
  fi
  say "installing $*"
  {
    "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
        --no-install-recommends "$@"
  } </dev/null >>"$log" 2>&1 || return 1
  hash -r
}

# Prints the packages that are not installed, one a line.
missing_packages() {
  local root=$1 name
  while read -r name; do
    case $name in
      '' | '#'*) continue ;;
      python3) command -v python3 >/dev/null && continue ;;
      cmake) cmake_is_new_enough && continue ;;
      ninja-build) command -v ninja >/dev/null && continue ;;
    esac
    is_installed "$name" || echo "$name"
  done <"$root/scripts/packages.txt"
  [[ -n $(find_compiler) ]] || compiler_package
}

# ensure_dependencies ROOT LOG: afterwards a build can start, or this returns 2 and has said why.
ensure_dependencies() {
  local root=$1 log=$2 missing
  if [[ -z ${SIMT_NO_INSTALL:-} ]] && command -v apt-get dpkg-query >/dev/null; then
    mapfile -t missing < <(missing_packages "$root")
    if ((${#missing[@]} > 0)); then
      install_packages "$log" "${missing[@]}"
      case $? in
        1)
          say "apt-get failed; its last lines (all of them: $log):"
          tail -n 15 "$log" >&2
          echo "  by hand: sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
          return 2
          ;;
        2)
          say "packages are missing, and installing them needs root. Run this, then try again:"
          echo "  sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
          return 2
          ;;
      esac
    fi
  fi
  SIMT_CXX=$(find_compiler)
  if [[ -z $SIMT_CXX ]]; then
    say "no C++ compiler that is new enough was found: g++ 12 or clang 14 is needed (or name one in CXX)"
    return 2
  fi
  if ! cmake_is_new_enough; then
    say "CMake 3.25 or newer is needed, and $(cmake --version 2>/dev/null | head -n 1 || true) is here." \
      "This brings it: python3 -m pip install cmake"
    return 2
  fi
  if ! command -v ninja >/dev/null; then
    say "ninja was not found (Debian and Ubuntu: ninja-build)"
    return 2
  fi
}

# install_for_tests ROOT LOG: the packages of scripts/packages_of_tests.txt that apt knows. Without them some tests are
# skipped, so this never fails.
install_for_tests() {
  local root=$1 log=$2 name missing=()
  [[ -z ${SIMT_NO_INSTALL:-} ]] && command -v apt-get dpkg-query >/dev/null || return 0
  while read -r name; do
    [[ $name == '' || $name == '#'* ]] && continue
    is_installed "$name" || [[ -z $(apt-cache policy "$name" 2>/dev/null) ]] || missing+=("$name")
  done <"$root/scripts/packages_of_tests.txt"
  ((${#missing[@]} == 0)) || install_packages "$log" "${missing[@]}" ||
    say "without ${missing[*]} some tests are skipped"
}
