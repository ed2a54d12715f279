package dev.anemone.passes.policy;

import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.compiletime.AntiAffinityPass;
import dev.anemone.passes.compiletime.ClonedSchedulingPass;
import dev.anemone.passes.compiletime.CompressionPass;
import dev.anemone.passes.compiletime.DataFlowPass;
import dev.anemone.passes.compiletime.DataPersistencePass;
import dev.anemone.passes.compiletime.DataStorePass;
import dev.anemone.passes.compiletime.DecoderPass;
import dev.anemone.passes.compiletime.DecompressionPass;
import dev.anemone.passes.compiletime.EncoderPass;
import dev.anemone.passes.compiletime.ParallelismPass;
import dev.anemone.passes.compiletime.PartitionerPass;
import dev.anemone.passes.compiletime.ResourceLocalityPass;
import dev.anemone.passes.compiletime.ResourcePriorityPass;
import dev.anemone.passes.compiletime.ResourceSlotPass;
import dev.anemone.passes.compiletime.ScheduleGroupPass;
import dev.anemone.passes.compiletime.SharedOutputPass;
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
