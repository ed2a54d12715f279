// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A new store for each test, and a check that each test leaves nothing behind. */
abstract class BlockStoreFixture {

  protected static final BlockId ID = new BlockId("dag_1/attempt_1");
  protected static final BlockId OTHER = new BlockId("dag_1/attempt_2");

  @TempDir protected Path root;

  protected BlockStore store;

  /** A new store; if it uses files, below a directory. */
  protected abstract BlockStore newStore(Path directory) throws IOException;

  /** Checks that the store, whose blocks are all deleted, has no memory and no files. */
  protected abstract void assertNothingLeft(Path directory) throws IOException;

  @BeforeEach
  void open() throws IOException {
    store = newStore(root);
  }

  @AfterEach
  public void deletedBlocksLeaveNothing() throws IOException {
    store.delete(ID);
    store.delete(OTHER);
    assertThat(store.usedBytes()).isZero();
    assertNothingLeft(root);
  }

  protected final void assertMissing(BlockId id) {
    assertThatThrownBy(() -> store.open(id, new ReadStatistics()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(id.path());
  }
}
