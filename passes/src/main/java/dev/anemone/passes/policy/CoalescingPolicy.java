// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.RunTimePass;
import dev.anemone.passes.pushdown.FilterFromBuildSidePass;
import dev.anemone.passes.rewrite.ColumnarFusionPass;
import dev.anemone.passes.rewrite.ExchangeEliminationPass;
import dev.anemone.passes.skew.CoalescingPass;
import dev.anemone.passes.skew.CoalescingRunTimePass;
import java.util.List;
import java.util.stream.Stream;

/**
 * A policy whose stages run as fewer tasks when they turn out to read little, since no other pass
 * of it draws ranges while the job runs.
 */
interface CoalescingPolicy extends Policy {

  /** The passes that make the policy what it is. */
  List<CompileTimePass> rewrites();

  /**
   * These passes, then what needs no shuffle, what need not be read, what prepares for fewer tasks,
   * and the default annotations.
   */
  @Override
  default List<CompileTimePass> passes() {
    return DefaultAnnotations.after(
        Stream.concat(
                rewrites().stream(),
                Stream.of(
                    new ExchangeEliminationPass(),
                    new ColumnarFusionPass(),
                    new FilterFromBuildSidePass(),
                    new CoalescingPass()))
            .toList());
  }

  @Override
  default List<RunTimePass<?>> runTimePasses() {
    return List.of(new CoalescingRunTimePass());
  }
}
