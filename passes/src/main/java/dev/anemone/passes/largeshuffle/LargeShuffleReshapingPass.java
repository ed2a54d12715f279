// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Reshaped;
import dev.anemone.passes.ReshapingPass;
import java.util.List;

/**
 * Puts an aggregation relay on every shuffle. Its tasks take what all producer tasks make for a
 * consumer task and write it one after the other, so that the consumer task reads one sequential
 * run where it would read a small block of every producer. Known from Sailfish (Rao et al., 2012),
 * Riffle (Zhang et al., 2018) and Apache Nemo (Lee, 2019).
 *
 * <pre>
 * before:  orders --SHUFFLE--> join                  after:  orders --SHUFFLE--> join-aggregation-0
 *          lines  --SHUFFLE--> join                          lines  --SHUFFLE--> join-aggregation-0
 *                                                            join-aggregation-0 ==SHUFFLE==> join
 * </pre>
 *
 * <p>A relay runs beside its producers. Shuffles into one vertex therefore share one only where
 * their producers can run at the same time, and where they are ordered and partitioned alike; here
 * {@code totals} waits for {@code lines}, so that each shuffle into {@code join} has its own:
 *
 * <pre>
 * before:  lines --SHUFFLE--> totals --SHUFFLE--> join, lines --SHUFFLE--> join
 *
 * after:   lines --> totals-aggregation-0 --> totals --> join-aggregation-1 --> join
 *          lines --> join-aggregation-0 --> join
 * </pre>
 *
 * <p>A shuffle is left alone when it touches a relay, when a sampling reads it too, or when it was
 * decided already how its data moves, lies or is coded.
 */
public final class LargeShuffleReshapingPass implements ReshapingPass {

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    return aggregated(dag).result();
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    return aggregated(dag).notes();
  }

  @Override
  public Reshaped reshape(IRDag dag, PassContext context) {
    return aggregated(dag).reshaped();
  }

  private ShuffleAggregation aggregated(IRDag dag) {
    return ShuffleAggregation.of(dag, name(), edge -> new ShuffleAggregation.Verdict(true, ""));
  }
}
