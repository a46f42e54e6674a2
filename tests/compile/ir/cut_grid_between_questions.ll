; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What all blocks read decides whether there is another round, which begins with a barrier of the grid: between the read
; and what changes it, each block waits. Behind it stands a loop whose turns are put outside of the threads, for which
; blocks in which nothing happens are dropped: not the one that waits.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-COUNT-4: call void @simt_grid_barrier(ptr %b)
; CHECK-LABEL: define internal void @kernel.loops.
BODY
declare void @simt.loops.grid_barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %number = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %number
  %mine = getelementptr i32, ptr %to, i64 %x
  %value = load i32, ptr %mine
  %fifth = urem i32 %n, 5
  %low = and i32 %value, 15
  %start = uitofp nneg i32 %low to float
  call void @simt.loops.grid_barrier()
  %sum = load i32, ptr %to
  %ends = icmp eq i32 %sum, 5
  br i1 %ends, label %end, label %round
round:
  call void @simt.loops.grid_barrier()
  %old = atomicrmw add ptr %to, i32 2 seq_cst
  call void @simt.loops.grid_barrier()
  br label %end
end:
  call void @simt.loops.grid_barrier()
  %high = shl i32 %value, 24
  %byte = ashr exact i32 %high, 24
  %signed = icmp sgt i32 %byte, -1
  %none = icmp eq i32 %fifth, 0
  %past = select i1 %signed, i1 true, i1 %none
  br i1 %past, label %done, label %first
first:
  %turns = mul nuw nsw i32 %fifth, 3
  %count = zext nneg i32 %turns to i64
  br label %turn
turn:
  %j = phi i64 [ 0, %first ], [ %following, %turn ]
  %all = phi float [ %start, %first ], [ %more, %turn ]
  %from = getelementptr i32, ptr %to, i64 %j
  %v = load i32, ptr %from
  %f = uitofp i32 %v to float
  %more = fadd float %all, %f
  %following = add nuw nsw i64 %j, 1
  %stop = icmp eq i64 %following, %count
  br i1 %stop, label %done, label %turn
done:
  %result = phi float [ %start, %end ], [ %more, %turn ]
  %back = getelementptr float, ptr %mine, i64 64
  store float %result, ptr %back
  ret void
}
