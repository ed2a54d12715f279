// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.CompositePass;
import dev.anemone.passes.defaults.ParallelismPass;
import java.util.List;
import java.util.Set;

/**
 * Batches the disk reads of every shuffle: puts aggregation relays on them, and lets producers push
 * into the relays.
 *
 * <pre>
 * before:  words --SHUFFLE--> count
 *
 * after:   words --SHUFFLE PUSH MEMORY--> count-aggregation-0 --SHUFFLE PULL--> count
 * </pre>
 *
 * <p>It comes after the parallelism, so that a relay has no more tasks than there are partitions,
 * and before all else that annotates edges.
 */
public final class LargeShufflePass implements CompositePass {

  @Override
  public List<CompileTimePass> passes() {
    return List.of(new LargeShuffleReshapingPass(), new LargeShuffleAnnotatingPass());
  }

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }
}
