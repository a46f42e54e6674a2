# SPDX-License-Identifier: Apache-2.0
"""Rows of mutations.py: the ways that threads go past barriers, out of the kernel and out of loops; values of lanes."""

OF_WAYS = [  # what breaks, file, text, its replacement
    ("ways past different barriers share code", "regions.cpp", "for (BasicBlock* head : first.shared) {", "for (BasicBlock* head : ArrayRef<BasicBlock*>()) {"),
    ("what leads out of shared code brings one value", "shared_code.cpp", "phi.addIncoming(mine != nullptr ? mine : v, ", "phi.addIncoming(v, "),
    ("behind shared code is what the first way has left", "shared_code.cpp", "updater.AddAvailableValue(copy.getParent(), &copy);", "updater.AddAvailableValue(copy.getParent(), &i);"),
    ("a loop is shared but for its header", "shared_code.cpp", "l != nullptr && l->getHeader() == head)", "l != nullptr && false)"),
    ("shared code may be large", "shared_code.cpp", "kMostSharedCode = 1000", "kMostSharedCode = 100000"),
    ("what is counted may stand twice", "shared_code.cpp", "(call->isConvergent() || call->cannotDuplicate())", "call->isConvergent()"),
    ("what is called beside destructors is an exception", "waiting.cpp", "if (auto* invoke = dyn_cast<InvokeInst>(&i))", "if (auto* invoke = dyn_cast<InvokeInst>(&i); invoke != nullptr && false)"),
    ("who leaves past two questions is asked one by one", "regions.cpp", "if (one_leaves(waits) || one_leaves(", "if (one_leaves("),
    ("what is drawn need not grow", "ends_by_itself.cpp", "number->getValue().isStrictlyPositive() : is_extent(by);", "true : is_extent(by);"),
    ("a flag decides who draws", "ends_by_itself.cpp", " && !seen_.decides_alike(bb)) return false;", " && false) return false;"),
    ("what else is stored where draws lie has been drawn", "ends_by_itself.cpp", " && !may_be(store->getValueOperand()))", " && false)"),
    ("loops that draw numbers wait", "ends_by_itself.cpp", "return bound && numbers.may_be(bound->number) && numbers.any();", "return false;"),
    ("who prints waits", "waiting.cpp", " || is_output(*callee)", ""),
    ("products of all members are made for each", "whole_products.cpp", "operation->replaceAllUsesWith(*same);", "continue;"),
    ("products of all members need not stay whole", "whole_products.cpp", "if (operation->hasOneUse()) continue;", "continue;"),
    ("what is computed anew elsewhere needs no value there", "values.cpp", "cheap_.count(u) != 0 && !stays_in_group(*cast<Instruction>(u));", "false;"),
    ("others take the way of an alternative, too", "side_steps.cpp", "side->getSinglePredecessor() != &bb ||", "false ||"),
    ("windows that nothing counts wait for nobody", "waiting.cpp", "(l.isInnermost() || counts_turns(l, dominators))", "(l.isInnermost() || true)"),
    ("a count that is asked at times ends a loop", "ends_by_itself.cpp", " || !dominators.dominates(bb, latch)) return false;", ") return false;"),
]
