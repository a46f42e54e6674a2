; RUN: simt-before-vectoriser
; What could tell when an addition is made keeps all of a kernel's where they are: a fence, an atomic whose value is
; read, a volatile access, a call of what is not known, an address that nobody knows when the block begins. And what is
; no kernel's.
; CHECK-NOT: simt_worker_sum
target triple = "x86_64-pc-linux-gnu"
define internal void @fence(ptr %b, ptr noalias %args, ptr %bins) "simt.loops_of_block" {
  %old = atomicrmw add ptr %bins, i32 1 seq_cst, align 4
  fence seq_cst
  ret void
}
define internal i32 @is_read(ptr %b, ptr noalias %args, ptr %bins) "simt.loops_of_block" {
  %old = atomicrmw add ptr %bins, i32 1 seq_cst, align 4
  ret i32 %old
}
define internal void @exchanges(ptr %b, ptr noalias %args, ptr %bins) "simt.loops_of_block" {
  %old = atomicrmw add ptr %bins, i32 1 seq_cst, align 4
  %other = atomicrmw xchg ptr %bins, i32 1 seq_cst, align 4
  ret void
}
define internal void @volatile(ptr %b, ptr noalias %args, ptr %bins, ptr %flag) "simt.loops_of_block" {
  %old = atomicrmw add ptr %bins, i32 1 seq_cst, align 4
  %seen = load volatile i32, ptr %flag, align 4
  ret void
}
declare void @somebody()
define internal void @calls(ptr %b, ptr noalias %args, ptr %bins) "simt.loops_of_block" {
  %old = atomicrmw add ptr %bins, i32 1 seq_cst, align 4
  call void @somebody()
  ret void
}
define internal void @follows(ptr %b, ptr noalias %args, ptr %bins, ptr %list, i64 %n) "simt.loops_of_block" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds ptr, ptr %list, i64 %i
  %element = load ptr, ptr %at, align 8
  store i32 1, ptr %element, align 4
  %old = atomicrmw add ptr %bins, i32 1 seq_cst, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @of_host(ptr %count) {
  %old = atomicrmw add ptr %count, i32 1 seq_cst, align 4
  ret void
}
