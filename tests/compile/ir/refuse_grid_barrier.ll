; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; It waits beyond the block.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a barrier of the grid, which loops do not know
BODY
declare void @_ZN4simt3sim12grid_barrierERNS0_13block_contextEilm(ptr, i32, i64, i64)
KERNEL {
entry:
  call void @_ZN4simt3sim12grid_barrierERNS0_13block_contextEilm(ptr %b, i32 0, i64 0, i64 0)
  ret void
}
