#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bare_root.sh SUITE FOLDER [COMMAND...]: the README's first command on a bare system. Makes a root of SUITE (bookworm,
# trixie, noble, ...) in FOLDER with debootstrap, unless one is there, puts a clone of this commit into it, and runs
# `./simrun --detect-races hist` twice: from nothing, and again without the build, where the packages are installed.
# Prints wall and processor time of both. With COMMAND: runs that in the clone instead, as it was left.
#
# Environment: CXX, SIMT_NO_INSTALL as for ./simrun; MIRROR for debootstrap. Needs root, debootstrap and the keyring of
# the distribution. Exit codes: the command's; 77 where something is missing.
set -euo pipefail
tree=$(cd "$(dirname "$0")/.." && pwd)
(($# >= 2)) || {
  sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
suite=$1 folder=$2
shift 2
if ((EUID != 0)) || ! command -v debootstrap >/dev/null; then
  echo "bare_root.sh: must run as root and needs debootstrap (Debian, Ubuntu: apt-get install debootstrap)" >&2
  exit 77
fi

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if [[ ! -e $folder/root/.made ]]; then
  debootstrap --variant=minbase "$suite" "$folder" ${MIRROR:+"$MIRROR"} >"$folder.log" 2>&1 || {
    echo "bare_root.sh: debootstrap could not make $suite; its last lines (all of them: $folder.log):" >&2
    tail -n 5 "$folder.log" >&2
    exit 77
  }
  touch "$folder/root/.made"
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"

# inside COMMAND...: runs it in the clone, with processes and mounts of its own.
inside() {
  unshare --mount --pid --fork --mount-proc="$folder/proc" chroot "$folder" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    ${CXX:+CXX="$CXX"} ${SIMT_NO_INSTALL:+SIMT_NO_INSTALL="$SIMT_NO_INSTALL"} \
    bash -c 'cd /root/simt && "$@"' bash "$@"
}

# measured WHAT: the README's first command. Races of hist would be the exit code 3; it has none.
measured() {
  local TIMEFORMAT="$1 ($suite): %0R s, %0U s + %0S s of processor time; load $(cut -d ' ' -f 1 /proc/loadavg) before"
  time inside ./simrun --detect-races hist
}

if [[ ! -e $folder/root/simt ]]; then git clone --quiet "$tree" "$folder/root/simt"; fi
if (($# > 0)); then
  inside "$@"
  exit
fi
measured "with the installation of packages"
rm -rf "$folder/root/simt/build"
measured "packages installed"
