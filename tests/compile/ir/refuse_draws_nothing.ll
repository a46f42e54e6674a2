; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A number that is the same each time grows by what others do only.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a loop that may wait for another thread
BODY
@key = external constant i8
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr) memory(none)
KERNEL {
entry:
  %to = load ptr, ptr %args
  %tile = call ptr @simt.loops.shared(ptr %b, ptr @key)
  %first = icmp eq i64 %x, 0
  br label %loop
loop:
  call void @simt.loops.barrier()
  br i1 %first, label %draw, label %drawn
draw:
  %new = atomicrmw add ptr %to, i32 0 seq_cst
  store i32 %new, ptr %tile
  br label %drawn
drawn:
  call void @simt.loops.barrier()
  %mine = load i32, ptr %tile
  %more = icmp slt i32 %mine, 100
  br i1 %more, label %work, label %end
work:
  %wide = sext i32 %mine to i64
  %there = add i64 %wide, %x
  %at = getelementptr i32, ptr %to, i64 %there
  store i32 1, ptr %at
  br label %loop
end:
  ret void
}
