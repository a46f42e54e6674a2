; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; In blocks of 16 x 16 threads, what asks for a rank alone runs as one row of 256; what asks for rows that lie 18 apart
; runs row by row.
; CHECK-LABEL: define internal void @kernel.loops.16x16(
; CHECK: store i32 1,
; CHECK: icmp ult i64 %{{.*}}, 255
; CHECK: store i32 2,
; CHECK: icmp ult i64 %{{.*}}, 15
; CHECK: icmp ult i64 %{{.*}}, 15
BODY
declare void @simt.loops.barrier() convergent
declare void @_ZN9simt_cuda9configureE4dim3S0_m(i64, i32, i64, i32, i64)
declare void @launch(ptr)
define void @host() {
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 68719476752, i32 1, i64 0)
  call void @launch(ptr @body)
  ret void
}
KERNEL {
entry:
  %to = load ptr, ptr %args
  %row = trunc i64 %y to i32
  %column = trunc i64 %x to i32
  %wide = trunc i64 %dx to i32
  %before = mul i32 %row, %wide
  %rank = add i32 %before, %column
  %third = udiv i32 %rank, 3
  %place = zext i32 %third to i64
  %at = getelementptr i32, ptr %to, i64 %place
  store i32 1, ptr %at
  call void @simt.loops.barrier()
  %further = mul i32 %row, 18
  %near = add i32 %further, %column
  %near.place = zext i32 %near to i64
  %there = getelementptr i32, ptr %to, i64 %near.place
  store i32 2, ptr %there
  ret void
}
