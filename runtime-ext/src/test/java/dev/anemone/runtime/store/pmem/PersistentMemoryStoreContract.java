// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockStoreContract;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.file.LocalFileStoreTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.lifecycle.AfterTry;
import org.junit.jupiter.api.AfterEach;

/** The contract, with blocks in a real file, which has no name any more once it is open. */
abstract class PersistentMemoryStoreContract extends BlockStoreContract {

  private final List<PersistentMemoryStore> stores = new ArrayList<>();

  abstract long fileBytes();

  abstract int pageBytes();

  @Override
  protected final BlockStore newStore(Path directory) throws IOException {
    Path file = Files.createTempDirectory("persistent-memory").resolve("blocks");
    PersistentMemoryStore made =
        PersistentMemoryStore.open(file, fileBytes(), pageBytes(), new LocalFileStore(directory));
    Files.delete(file);
    Files.delete(file.getParent());
    stores.add(made);
    return made;
  }

  @Override
  protected final void assertNothingLeft(Path directory) throws IOException {
    for (PersistentMemoryStore used : stores) {
      assertThat(used.freeBytes()).isEqualTo(used.capacityBytes());
    }
    LocalFileStoreTest.assertEmpty(directory);
  }

  @Override
  @AfterEach
  public final void deletedBlocksLeaveNothing() throws IOException {
    super.deletedBlocksLeaveNothing();
    closeStores();
  }

  @AfterTry
  final void closeStores() throws IOException {
    for (PersistentMemoryStore used : stores) {
      used.close();
    }
    stores.clear();
  }
}
