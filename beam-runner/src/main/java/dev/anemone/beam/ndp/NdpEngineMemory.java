// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.options.NemoPipelineOptions;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * The memory of the engine that runs a read's operators in a task.
 *
 * @param bytes that its tables and its tuples may take; beyond that they go to disk
 */
public record NdpEngineMemory(long bytes) {

  private static final int MEMORY_MB = 256;
  private static final int CONTAINER_MEMORY_MB = 64;

  /**
   * What a process has more with the engine than without, beside what the engine counts: the
   * library itself, what its allocator keeps, batches of Arrow.
   */
  private static final long UNCOUNTED_BYTES = 96L << 20;

  /** What is said, or what a task has. */
  public static NdpEngineMemory of(PipelineOptions options) {
    int given = options.as(NemoPipelineOptions.class).getNdpEngineMemoryMb();
    boolean container =
        options.as(NemoPipelineOptions.class).getDeployMode().equalsIgnoreCase("yarn");
    int megabytes = given > 0 ? given : container ? CONTAINER_MEMORY_MB : MEMORY_MB;
    return new NdpEngineMemory((long) megabytes << 20);
  }

  /** What a task has to have room for, outside of its heap. */
  public long nativeBytes() {
    return bytes + UNCOUNTED_BYTES;
  }
}
