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

# The versions of clang that make loops of kernels with barriers (docs/loops.md); those that are tested come first.
loop_compilers=(19 16 18 17 20)

# Prints $CXX, or else the first clang++ whose LLVM headers are there: its plugin can be built. Nothing where none is.
find_loop_compiler() {
  if [[ -n ${CXX:-} ]]; then
    echo "$CXX"
    return
  fi
  local major name
  for major in "${loop_compilers[@]}"; do
    [[ -e /usr/lib/llvm-$major/include/llvm/Passes/PassPlugin.h ]] || continue
    for name in "clang++-$major" clang++; do
      command -v "$name" >/dev/null && (($(compiler_major "$name") == major)) || continue
      echo "$name"
      return
    done
  done
}

# Prints the packages that bring one, of the first version that this distribution has; nothing where it has none.
loop_compiler_packages() {
  local major
  for major in "${loop_compilers[@]}"; do
    [[ $(apt-cache policy "clang-$major" "llvm-$major-dev" 2>/dev/null | grep -c '^ *Candidate: [0-9]') == 2 ]] || continue
    echo "clang-$major"
    echo "llvm-$major-dev"
    return
  done
}

# Prints the compiler to use: one that makes loops, else the first that is new enough; nothing where none is.
find_compiler() {
  local name
  name=$(find_loop_compiler)
  if [[ -n $name ]]; then
    echo "$name"
    return
  fi
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

# as_root COMMAND...: returns 2 where nobody may install here.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    return 2
  fi
}

# What apt-get knows, made new once a run: a fresh machine knows no packages.
update_packages() {
  [[ -z ${packages_updated:-} ]] || return 0
  as_root apt-get -o DPkg::Lock::Timeout=600 update </dev/null >>"$1" 2>&1 || return
  packages_updated=1
}

# install_packages LOG PACKAGE...: with apt-get. Returns 1 where that fails, and 2 where nobody may install here.
install_packages() {
  local log=$1
  shift
  as_root true || return 2
  say "installing $*"
  update_packages "$log" || return 1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
    --no-install-recommends "$@" </dev/null >>"$log" 2>&1 || return 1
  hash -r
}

# install_loop_compiler LOG: tries to. Where that cannot be, kernels run on fibers, so this never fails.
install_loop_compiler() {
  local log=$1 packages
  [[ -z $(find_loop_compiler) ]] && as_root true && update_packages "$log" || return 0
  mapfile -t packages < <(loop_compiler_packages)
  ((${#packages[@]} == 0)) || install_packages "$log" "${packages[@]}" ||
    say "${packages[*]} could not be installed: kernels with barriers run on fibers, much slower"
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
  # No compiler at all: clang comes below where there is one, and g++ is for where there is none.
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
    install_loop_compiler "$log"
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
