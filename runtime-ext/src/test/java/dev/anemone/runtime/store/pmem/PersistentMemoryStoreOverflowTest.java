// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

/** A persistent memory with so few pages that many blocks leave it, some when they commit. */
class PersistentMemoryStoreOverflowTest extends PersistentMemoryStoreContract {

  @Override
  long fileBytes() {
    return 128 << 10;
  }

  @Override
  int pageBytes() {
    return 4096;
  }
}
