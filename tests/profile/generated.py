# SPDX-License-Identifier: Apache-2.0
"""Programs that are made of a seed, as records name them: "random: 7" is what random_kernels.py makes of 7, "forms: 7" what
random_forms.py does, "idioms: 7" random_idioms.py. Not committed themselves: the same seed gives the same text."""
import pathlib

import random_forms
import random_idioms
import random_kernels

MAKERS = {"random": random_kernels.source, "forms": random_forms.source, "idioms": random_idioms.source}


def text_of(name):
    """The program's source; None: it is no generated one."""
    kind, _, seed = name.partition(": ")
    return MAKERS[kind](int(seed)) if kind in MAKERS else None


def write(name, folder):
    """Writes it to a file of `folder`; its path."""
    made = pathlib.Path(folder) / (name.replace(": ", "_") + ".cu")
    made.write_text(text_of(name))
    return made
