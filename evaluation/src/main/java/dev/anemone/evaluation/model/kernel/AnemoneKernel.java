// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;

/** The runtime's shuffle over local files. */
final class AnemoneKernel implements ShuffleKernel {
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
