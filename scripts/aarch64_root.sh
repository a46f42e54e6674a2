#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# aarch64_root.sh FOLDER: unpacks the arm64 libraries that the simulator needs, with all that they need, into
# FOLDER/root. Nothing is installed: apt works in FOLDER with a state of its own. Done before: does nothing.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
wanted="libboost-context-dev libboost-dev libtbb-dev libdw-dev libfmt-dev nlohmann-json3-dev libcli11-dev doctest-dev libtomlplusplus-dev libstdc++6 libc6"
[ -e "$folder/root/.done" ] && exit 0
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/root"
: > "$folder/apt/status"
own="-q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State=$folder/apt
     -o Dir::State::Lists=$folder/apt/lists -o Dir::State::status=$folder/apt/status -o Dir::Cache=$folder/apt/cache
     -o Debug::NoLocking=1"
# shellcheck disable=SC2086
apt-get $own update
# shellcheck disable=SC2086
apt-get $own --yes --no-install-recommends --download-only install $wanted
for package in "$folder"/apt/cache/archives/*.deb; do
  dpkg -x "$package" "$folder/root"
done
# Absolute links would lead into the system of this machine.
find "$folder/root" -type l | while read -r link; do
  target=$(readlink "$link")
  case $target in /*) ln -sfn "$folder/root$target" "$link" ;; esac
done
rm -rf "$folder/apt/cache/archives"
touch "$folder/root/.done"
