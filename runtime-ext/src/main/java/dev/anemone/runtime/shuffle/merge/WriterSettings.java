// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.spi.RecordCombiner;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * How a link is written.
 *
 * @param partitions number of partitions, at least one
 * @param sorted whether a partition is in the order of the keys, compared as unsigned bytes; else
 *     it is in the order in which its records were written
 * @param codec compresses the chunks
 * @param producer the task attempt that writes
 * @param combiners the combiner of a tag, the first byte of a key, or null where the tag has none;
 *     null when no tag has one. Unused where records are not sorted
 */
public record WriterSettings(
    int partitions,
    boolean sorted,
    Codec codec,
    Producer producer,
    IntFunction<RecordCombiner> combiners) {

  public WriterSettings {
    if (partitions < 1) {
      throw new IllegalArgumentException("a link has at least one partition, not " + partitions);
    }
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(producer, "producer");
  }

  boolean combines() {
    return sorted && combiners != null;
  }
}
