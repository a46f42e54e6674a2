; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Without optimisation nothing is cut.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"the kernels were compiled without optimisation
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
KERNEL noinline optnone {
entry:
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  ret void
}
