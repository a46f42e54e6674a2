# SPDX-License-Identifier: Apache-2.0
# call.py LIBRARY
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.sum_of_ones.restype = ctypes.c_float
print("sums", library.sum_of_ones(1000), library.sum_of_ones(10), "calls", library.calls_so_far())
