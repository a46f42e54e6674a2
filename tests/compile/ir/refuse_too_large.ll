; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; What a kernel calls becomes part of it, up to 40,000 instructions: here they would be 100,000.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"the kernel is too large with all that it calls
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
define internal void @some(ptr %p) {
REPEAT 100:   store volatile i32 #, ptr %p
  ret void
}
define internal void @more(ptr %p) {
REPEAT 100:   call void @some(ptr %p)
  ret void
}
KERNEL {
entry:
REPEAT 10:   call void @more(ptr %args)
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  ret void
}
