; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; An atomic in shared memory is a plain operation in loops, and its threads still run one after the other; one in other
; memory stays atomic.
; CHECK: @body = constant {{.*}} i64 1, i64 0, i64 0 }
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-NOT: atomicrmw
; CHECK-NOT: cmpxchg
; CHECK: load i32, ptr %bin, align 4{{$}}
; CHECK-NEXT: add i32
; CHECK-NEXT: store i32 %{{.*}}, ptr %bin, align 4{{$}}
; CHECK-NOT: atomicrmw
; CHECK-NOT: cmpxchg
; CHECK: icmp eq i32 %{{.*}}, 7
; CHECK-NEXT: select i1
; CHECK-NEXT: store i32 %{{.*}}, ptr %shared, align 4{{$}}
; CHECK: br
; CHECK: atomicrmw add ptr
; CHECK: ret void
BODY
@slot = external global i8
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr) readnone
KERNEL {
entry:
  %from = load ptr, ptr %args
  %shared = call ptr @simt.loops.shared(ptr %b, ptr @slot)
  %at = getelementptr i32, ptr %from, i64 %x
  %which = load i32, ptr %at
  %bin = getelementptr i32, ptr %shared, i32 %which
  %before = atomicrmw add ptr %bin, i32 1 monotonic
  %swapped = cmpxchg ptr %shared, i32 7, i32 9 monotonic monotonic
  call void @simt.loops.barrier()
  %to = load ptr, ptr %from
  %old = atomicrmw add ptr %to, i32 %before monotonic
  ret void
}
