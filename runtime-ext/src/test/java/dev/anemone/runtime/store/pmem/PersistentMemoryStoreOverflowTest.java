// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

/** A persistent memory with so few chunks that many blocks leave it, some when they commit. */
class PersistentMemoryStoreOverflowTest extends PersistentMemoryStoreContract {

  @Override
  long fileBytes() {
    return 128 << 10;
  }

  @Override
  int chunkBytes() {
    return 4096;
  }
}
