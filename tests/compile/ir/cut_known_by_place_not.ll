; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The first thread has another element than the one that its index says; what is asked of data says nothing of a place; and
; some of those that are not the first have the first one's element: three addresses are kept for each thread. (The second number of the loop_body's are bytes for
; each thread.)
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null, {{.*}}, i64 24, i64 1, i64 0, i64 1 }
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %is.first = icmp eq i64 %x, 0
  br i1 %is.first, label %first, label %meet
first:
  %second = getelementptr i8, ptr %to, i64 4
  br label %meet
meet:
  %place = phi ptr [ %at, %entry ], [ %second, %first ]
  %data = load i64, ptr %at
  %is.zero = icmp eq i64 %data, 0
  br i1 %is.zero, label %zero, label %meet.again
zero:
  store i64 1, ptr %at
  br label %meet.again
meet.again:
  %place.again = phi ptr [ %at, %meet ], [ %to, %zero ]
  br i1 %is.first, label %again, label %others
again:
  store i64 2, ptr %at
  br label %end
others:
  %large = icmp sgt i64 %data, 9
  br i1 %large, label %end, label %small
small:
  store i64 3, ptr %at
  br label %end
end:
  %of.first = phi ptr [ %at, %again ], [ %to, %others ], [ %at, %small ]
  call void @simt.loops.barrier()
  store i32 1, ptr %place
  store i32 2, ptr %place.again
  store i32 3, ptr %of.first
  ret void
}
