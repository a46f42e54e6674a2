; RUN: simt-mark
; SPDX-License-Identifier: Apache-2.0
; What a thread keeps from piece to piece, and its private arrays, are not announced by watched loops, whoever has made
; the loads and stores; what lies behind the kernel's pointers is.
define void @kernel.loops(ptr %block, ptr %args, ptr %arrays, i64 %x, i64 %y, i64 %z, i64 %ex, i64 %ey, i64 %ez, i64 %px, i64 %py, i64 %pz, i64 %gx, i64 %gy, i64 %gz) "simt.watched_loops" {
entry:
  %own = alloca [4 x i32]
  %kept = getelementptr inbounds float, ptr %arrays, i64 %x
; CHECK: load i32, ptr %kept, align 4, !nosanitize
  %number = load i32, ptr %kept, align 4
  %element = getelementptr inbounds i32, ptr %own, i64 %x
; CHECK: store i32 %number, ptr %element, align 4, !nosanitize
  store i32 %number, ptr %element, align 4
; CHECK: load ptr, ptr %args, align 8, !nosanitize
  %given = load ptr, ptr %args, align 8
; CHECK: store i32 %number, ptr %given, align 4{{$}}
  store i32 %number, ptr %given, align 4
  ret void
}
