; RUN: simt-before-vectoriser
; SPDX-License-Identifier: Apache-2.0
; ring[i * 5 & 63]: the vectoriser would take a distance of 5 for granted, and must not know the index.
define void @round(ptr noalias %ring, ptr noalias %to) {
; CHECK-LABEL: define void @round
; CHECK: [[AT:%.*]] = and i64
; CHECK: freeze i64 [[AT]]
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %five = mul nuw nsw i64 %i, 5
  %at = and i64 %five, 63
  %from = getelementptr inbounds i32, ptr %ring, i64 %at
  %x = load i32, ptr %from, align 4
  %mine = getelementptr inbounds i32, ptr %to, i64 %i
  store i32 %x, ptr %mine, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 200
  br i1 %more, label %loop, label %out
out:
  ret void
}
; Of neighbours it asks whether the index wraps.
define void @neighbours(ptr noalias %ring, ptr noalias %to, i64 %n) {
; CHECK-LABEL: define void @neighbours
; CHECK-NOT: freeze
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = and i64 %i, 63
  %from = getelementptr inbounds i32, ptr %ring, i64 %at
  %x = load i32, ptr %from, align 4
  %mine = getelementptr inbounds i32, ptr %to, i64 %i
  store i32 %x, ptr %mine, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
; CHECK: ret void
