// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.largeshuffle;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.CompositePass;
import java.util.List;

/**
 * Batches the disk reads of large shuffles, as {@link LargeShufflePass} does those of all.
 *
 * <pre>
 * before:  words (2 TB) --SHUFFLE--> count --SHUFFLE (a few bytes)--> top
 *
 * after:   words --SHUFFLE PUSH MEMORY--> count-aggregation-0 --SHUFFLE PULL--> count
 *          count --SHUFFLE--> top
 * </pre>
 */
public final class ConditionalLargeShufflePass implements CompositePass {

  @Override
  public List<CompileTimePass> passes() {
    return List.of(new ConditionalLargeShuffleReshapingPass(), new LargeShuffleAnnotatingPass());
  }
}
