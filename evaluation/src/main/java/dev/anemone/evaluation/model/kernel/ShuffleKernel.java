// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.model.kernel.KernelRecords.KernelCheck;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.nio.file.Path;

/** Sorts records into partitions on disk, with some memory, and reads them back in order. */
interface ShuffleKernel {
  /** Shuffles all {@link KernelRecords} once, one task after the other; leaves no files. */
  KernelCheck shuffle(KernelShape shape) throws Exception;

  /** What a kernel shuffles, with memory for the writer and each reader, and perhaps LZ4. */
  record KernelShape(
      long records, int partitions, long memoryBytes, boolean compressed, Path directory) {}

  static final class AnemoneKernel implements ShuffleKernel {
    /** Kept, as a session keeps its pages from task to task. */
    private final PagePool pool;

    AnemoneKernel(long memoryBytes) {
      this.pool = new PagePool(memoryBytes);
    }

    @Override
    public KernelCheck shuffle(KernelShape shape) throws IOException, InterruptedException {
      LocalFileStore store = new LocalFileStore(shape.directory());
      try {
        return new StoreShuffle(pool, store).shuffle(shape);
      } finally {
        store.deleteAll("");
      }
    }
  }
}
