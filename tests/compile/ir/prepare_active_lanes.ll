; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; The lanes that come together are those that have not left: all others of the warp come, or there are no loops.
; CHECK-NOT: @simt.loops.reason
; CHECK: %[[said:.*]] = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 1, i32 1)
; CHECK: trunc i64 %[[said]] to i32
BODY
declare i32 @_ZN4simt3sim12active_lanesERNS0_13block_contextEilPKci(ptr, i32, i64, ptr, i32)
KERNEL {
entry:
  %m = call i32 @_ZN4simt3sim12active_lanesERNS0_13block_contextEilPKci(ptr %b, i32 0, i64 0, ptr null, i32 0)
  store i32 %m, ptr %args
  ret void
}
