// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.CompositePass;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.List;
import java.util.Set;

/**
 * Makes use of containers that may be taken away at any time: runs on them what is cheap to repeat,
 * and brings what it makes to containers that stay as soon as it is made. When a transient
 * container goes, only its running tasks, and what they could not push yet, are done again.
 *
 * <pre>
 * before:  lines --> words --SHUFFLE--> count
 *
 * after:   lines (TRANSIENT) --> words (TRANSIENT) --SHUFFLE PUSH MEMORY DISCARD-->
 *          count-aggregation-0 (RESERVED) --SHUFFLE PULL--> count (RESERVED)
 * </pre>
 *
 * <p>It comes after the parallelism, so that a relay has no more tasks than there are partitions,
 * after combiners are lifted, since these belong to the producers, and before all else that
 * annotates edges.
 */
public final class TransientResourcePass implements CompositePass {

  @Override
  public List<CompileTimePass> passes() {
    return List.of(
        new TransientResourcePriorityPass(),
        new TransientResourceReshapingPass(),
        new LargeShuffleAnnotatingPass());
  }

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }
}
