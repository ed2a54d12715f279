// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.CompositePass;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.List;
import java.util.Set;

/**
 * Prepares for skew: partitions shuffles by key finely, and measures a sample of their producers'
 * tasks while the job runs, so that {@code SkewRunTimePass} can give each consumer task about as
 * much to read.
 *
 * <pre>
 * before:  lines --> words --SHUFFLE--> count
 *
 * after:   lines --> words --SHUFFLE Hash(256)--> count (2 tasks)
 *          lines-sampled --> words-sampled --> collection --> aggregation ..> lines
 * </pre>
 *
 * <p>It comes after the parallelism, which says how many tasks a sample has, and after combiners
 * and relays are put in, since those cannot be under shuffles that are measured; and before all
 * else that annotates edges.
 */
public final class SkewSamplingPass implements CompositePass {

  @Override
  public List<CompileTimePass> passes() {
    return List.of(new SkewSamplingReshapingPass(), new SkewSamplingAnnotatingPass());
  }

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }
}
