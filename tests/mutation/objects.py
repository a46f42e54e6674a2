# SPDX-License-Identifier: Apache-2.0
"""A bench for table.py: unit tests of a few sources, compiled one by one. Of a broken source the object is made anew and
linked with those of all others."""
import pathlib
import subprocess
import sys
import tempfile

import table


class bench:
    def __init__(self, folder, compiler, options, sources, first, included={}):
        """folder: for objects, of this bench alone. first: the file that passes() takes as it is. included: of a header
        that may be broken, which of the sources include it."""
        self.folder, self.compiler, self.options = folder, compiler, options
        self.sources, self.first, self.included = sources, first, included

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for source in self.sources:
            self.compile(table.ROOT / source, self.object_of(source))
        return self

    def __exit__(self, *_):
        pass

    def object_of(self, source):
        return self.folder / (pathlib.Path(source).stem + ".o")

    def compile(self, source, to, *before):
        done = subprocess.run([self.compiler, "-std=c++20", *before, *self.options, "-I", table.ROOT, "-c", source, "-o", to],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit("does not build:\n" + done.stderr[-3000:])

    def passes(self, file=None, text=None):
        file = file or self.first
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            broken = folder / file
            broken.parent.mkdir(parents=True)
            broken.write_text((table.ROOT / file).read_text() if text is None else text)
            objects = {s: self.object_of(s) for s in self.sources}
            for source in self.included.get(file, [file]):
                objects[source] = folder / (pathlib.Path(source).stem + ".o")
                self.compile(broken if source == file else table.ROOT / source, objects[source], "-I", folder)
            test = folder / "test"
            subprocess.run([self.compiler, *objects.values(), "-o", test], check=True)
            return table.test_passes(test)
