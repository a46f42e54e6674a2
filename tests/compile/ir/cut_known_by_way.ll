; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Where ways meet of which one knows what a condition gives, it is asked again: nothing is kept for each thread. The limit
; has been computed twice. (The second number of the loop_body's are bytes for each thread.)
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null, {{.*}}, i64 0, i64 1, i64 0, i64 1 }
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %also = getelementptr i8, ptr %args, i64 8
  %n = load i64, ptr %also
  %at = getelementptr i32, ptr %to, i64 %x
  %is.odd = trunc i64 %x to i1
  br i1 %is.odd, label %odd, label %even
odd:
  %limit = add i64 %n, -1
  %below = icmp slt i64 %x, %limit
  br i1 %below, label %in, label %meet
in:
  store i32 1, ptr %at
  br label %meet
even:
  %same.limit = add i64 %n, -1
  %same.below = icmp slt i64 %x, %same.limit
  br label %meet
meet:
  %may = phi i1 [ true, %in ], [ %below, %odd ], [ %same.below, %even ]
  call void @simt.loops.barrier()
  br i1 %may, label %write, label %end
write:
  %back = sub i64 63, %x
  %other = getelementptr i32, ptr %to, i64 %back
  %v = load i32, ptr %other
  %next = getelementptr i32, ptr %at, i64 64
  store i32 %v, ptr %next
  br label %end
end:
  ret void
}
