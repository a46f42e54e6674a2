# SPDX-License-Identifier: Apache-2.0
"""What the checks of this folder and of tests/documents have in common: the project's files, and tools of one version."""
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77


def files_of(root):
    """Paths of the project's files below root: those that git tracks, and new ones that it does not ignore. Where there is
    no git, or no checkout of it, the check ends as skipped."""
    listed = None
    if shutil.which("git"):
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"],
                                capture_output=True, text=True)
    if listed is None or listed.returncode != 0:
        print("no git, or not a checkout of it: which files are the project's is not known here")
        sys.exit(SKIPPED)
    return [name for name in listed.stdout.splitlines() if (pathlib.Path(root) / name).is_file()]


def tool_of_version(name, version):
    """NAME-VERSION, or NAME where that is of this version. Where there is neither, the check ends as skipped."""
    for candidate in (f"{name}-{version}", name):
        if shutil.which(candidate):
            said = subprocess.run([candidate, "--version"], capture_output=True, text=True).stdout
            if f"version {version}." in said:
                return candidate
    print(f"{name} {version} is not installed: nothing was checked (Debian and Ubuntu: {name}-{version})")
    sys.exit(SKIPPED)
