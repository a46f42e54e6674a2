; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Others are to run in between.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a yield, which loops do not know
BODY
declare void @_ZN4simt3sim12yield_threadERNS0_13block_contextEil(ptr, i32, i64)
KERNEL {
entry:
  call void @_ZN4simt3sim12yield_threadERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  ret void
}
