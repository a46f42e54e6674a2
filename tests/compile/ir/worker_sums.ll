; RUN: simt-before-vectoriser
; Where a kernel's loops only add, the engine is asked for a copy when a block begins, about all that is accessed; of an
; address in it the worker's copy is updated by one instruction, and memory as before.
target triple = "x86_64-pc-linux-gnu"
define internal void @block(ptr %b, ptr noalias %args, ptr noalias %arrays, i64 %x, i64 %y, i64 %z, i64 %dx, i64 %dy, i64 %dz, i64 %bx, i64 %by, i64 %bz, i64 %gx, i64 %gy, i64 %gz) "simt.loops_of_block" {
; CHECK-LABEL: define internal void @block
entry:
  %from = load ptr, ptr %args, align 8
  br label %loop
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %args, i64 8
; CHECK: %[[BINS:.*]] = load ptr, ptr %[[AT]]
; CHECK-DAG: store ptr %from
; CHECK-DAG: store ptr %args
; CHECK: call void @simt_worker_sum(ptr %sum, ptr %[[BINS]], i32 0, ptr %others, i32 2)
; CHECK: %[[FIRST:.*]] = load i64
; CHECK: %[[WORDS:.*]] = load i64
; CHECK: %[[COPY:.*]] = load ptr
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %from, i64 %i
  %bin = load i32, ptr %at, align 4
  %wide = sext i32 %bin to i64
  %member = getelementptr inbounds i8, ptr %args, i64 8
  %bins = load ptr, ptr %member, align 8
  %slot = getelementptr inbounds i32, ptr %bins, i64 %wide
  %old = atomicrmw add ptr %slot, i32 %bin seq_cst, align 4
; CHECK: %[[OFFSET:.*]] = sub i64 %{{.*}}, %[[FIRST]]
; CHECK: %[[INDEX:.*]] = call i64 @llvm.fshr.i64(i64 %[[OFFSET]], i64 %[[OFFSET]], i64 2)
; CHECK: icmp ult i64 %[[INDEX]], %[[WORDS]]
; CHECK: getelementptr inbounds i32, ptr %[[COPY]], i64 %[[INDEX]]
; CHECK: call void asm sideeffect "addl $1, $0"
; CHECK: atomicrmw add ptr %slot, i32 %bin seq_cst, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %dx
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Of two kinds of updates each is asked about the other's array; the kernel's shared array is no device memory.
define internal void @two_kinds(ptr %b, ptr noalias %args, ptr noalias %arrays, ptr %sums, ptr %bits) "simt.loops_of_block" {
; CHECK-LABEL: define internal void @two_kinds
; CHECK: call void @simt_worker_sum(ptr %{{.*}}, ptr %sums, i32 1, ptr %{{.*}}, i32 1)
; CHECK: call void @simt_worker_sum(ptr %{{.*}}, ptr %bits, i32 2, ptr %{{.*}}, i32 1)
  %shared = call ptr @simt_shared_array(ptr %b, ptr null)
  store i32 1, ptr %shared, align 4
  %old = atomicrmw sub ptr %sums, i64 1 seq_cst, align 8
; CHECK: call i64 @llvm.fshr.i64(i64 %{{.*}}, i64 %{{.*}}, i64 3)
; CHECK: subq $1, $0
  %bit = atomicrmw or ptr %bits, i32 4 seq_cst, align 4
; CHECK: orl $1, $0
  ret void
}
declare ptr @simt_shared_array(ptr, ptr)
