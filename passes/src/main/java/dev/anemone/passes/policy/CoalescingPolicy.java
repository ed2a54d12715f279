// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.RunTimePass;
import dev.anemone.passes.pushdown.FilterFromBuildSidePass;
import dev.anemone.passes.rewrite.BuildSidePass;
import dev.anemone.passes.rewrite.ColumnarFusionPass;
import dev.anemone.passes.rewrite.CommonSubexpressionEliminationPass;
import dev.anemone.passes.rewrite.ExchangeEliminationPass;
import dev.anemone.passes.rewrite.MeasuredBuildSidePass;
import dev.anemone.passes.rewrite.MeasuredBuildSideRunTimePass;
import dev.anemone.passes.skew.CoalescingPass;
import dev.anemone.passes.skew.CoalescingRunTimePass;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy whose stages run as fewer tasks when they turn out to read little, and read the small
 * side of a join whole when it turns out to be small, since no other pass of it draws ranges while
 * the job runs.
 */
interface CoalescingPolicy extends Policy {

  /** The passes that make the policy what it is. */
  List<CompileTimePass> rewrites();

  /**
   * What is computed once, and joined where it is made; these passes; then what needs no shuffle,
   * what need not be read, what prepares for fewer tasks and small sides, and the default
   * annotations.
   */
  @Override
  default List<CompileTimePass> passes() {
    List<CompileTimePass> passes = new ArrayList<>();
    passes.add(new CommonSubexpressionEliminationPass());
    passes.add(new BuildSidePass());
    passes.addAll(rewrites());
    passes.add(new ExchangeEliminationPass());
    passes.add(new ColumnarFusionPass());
    passes.add(new FilterFromBuildSidePass());
    passes.add(new CoalescingPass());
    passes.add(new MeasuredBuildSidePass());
    return DefaultAnnotations.after(passes);
  }

  @Override
  default List<RunTimePass<?>> runTimePasses() {
    return List.of(new CoalescingRunTimePass(), new MeasuredBuildSideRunTimePass());
  }
}
