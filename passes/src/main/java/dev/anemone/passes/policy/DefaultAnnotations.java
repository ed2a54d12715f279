// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.defaults.AntiAffinityPass;
import dev.anemone.passes.defaults.ClonedSchedulingPass;
import dev.anemone.passes.defaults.CompressionPass;
import dev.anemone.passes.defaults.DataFlowPass;
import dev.anemone.passes.defaults.DataPersistencePass;
import dev.anemone.passes.defaults.DataStorePass;
import dev.anemone.passes.defaults.DecoderPass;
import dev.anemone.passes.defaults.DecompressionPass;
import dev.anemone.passes.defaults.EncoderPass;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.defaults.PartitionerPass;
import dev.anemone.passes.defaults.ResourceLocalityPass;
import dev.anemone.passes.defaults.ResourcePriorityPass;
import dev.anemone.passes.defaults.ResourceSlotPass;
import dev.anemone.passes.defaults.ScheduleGroupPass;
import dev.anemone.passes.rewrite.SharedOutputPass;
import java.util.List;
import java.util.stream.Stream;

/**
 * The passes that decide everything that the engine needs and that was not decided before. They end
 * every policy.
 */
public final class DefaultAnnotations {

  private DefaultAnnotations() {}

  /** The default annotating passes alone. */
  public static List<CompileTimePass> passes() {
    return List.of(
        new ParallelismPass(),
        new EncoderPass(),
        new DecoderPass(),
        new PartitionerPass(),
        new DataFlowPass(),
        new ScheduleGroupPass(),
        new DataStorePass(),
        new DataPersistencePass(),
        new CompressionPass(),
        new DecompressionPass(),
        new SharedOutputPass(),
        new ResourceSlotPass(),
        new ResourceLocalityPass(),
        new ResourcePriorityPass(),
        new AntiAffinityPass(),
        new ClonedSchedulingPass());
  }

  /** These passes, and then the default ones for what they leave open. */
  public static List<CompileTimePass> after(CompileTimePass... passes) {
    return after(List.of(passes));
  }

  /** These passes, and then the default ones for what they leave open. */
  public static List<CompileTimePass> after(List<CompileTimePass> passes) {
    return Stream.concat(passes.stream(), passes().stream()).toList();
  }
}
