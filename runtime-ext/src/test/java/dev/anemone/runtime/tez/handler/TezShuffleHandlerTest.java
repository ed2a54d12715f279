// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static dev.anemone.runtime.tez.handler.FetchedBlocks.assertFetched;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.bytes;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.partitions;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fetches from Tez's own handler, which is built from Tez's sources ({@code
 * tez-plugins/tez-aux-services}) and is in no repository of artifacts: {@code
 * -Danemone.tez.aux.services=<jar or directory/>}. It listens at all addresses of the machine.
 */
@Timeout(30)
class TezShuffleHandlerTest {

  private static final String JAR = "anemone.tez.aux.services";
  private static final BlockId ID = new BlockId("attempt_1700000000000_0007_3_00_000003_0_10003");

  @TempDir static Path disks;
  private static TestNode node;

  @TempDir Path scratchRoot;
  private LocalFileStore scratch;

  @BeforeAll
  static void startNode() throws Exception {
    String jar = System.getProperty(JAR);
    if (jar == null) {
      return;
    }
    URL[] classes = {Path.of(jar).toUri().toURL()};
    // Open as long as the handler runs, which loads classes when it needs them.
    ClassLoader loader = new URLClassLoader(classes, TestNode.class.getClassLoader());
    AuxiliaryService handler =
        Class.forName("org.apache.tez.auxservices.ShuffleHandler", true, loader)
            .asSubclass(AuxiliaryService.class)
            .getConstructor()
            .newInstance();
    node = TestNode.startWithTez(disks, handler);
  }

  @AfterAll
  static void stopNode() throws IOException {
    if (node != null) {
      node.close();
    }
  }

  /** Not before all: reports say nothing of a class that is skipped as a whole. */
  @BeforeEach
  void openScratch() {
    Requirement.TEZ_SHUFFLE.check(node != null, "-D" + JAR + "=<jar> is not given");
    scratch = new LocalFileStore(scratchRoot);
  }

  @Test
  void partitionsOfABlockComeAsTheyWereWritten() throws IOException {
    byte[][] written = {bytes(1, 100), bytes(2, 0), bytes(3, 1 << 20), bytes(4, 7)};
    write(node.blocks(), ID, WriteOrder.BY_PARTITION, written);
    try (ShuffleHandlerBlocks remote = node.seenFromAfar(scratch, FetchSettings.DEFAULT);
        BlockReader all =
            remote.fetch(node.location(), ID, partitions(0, 2, 3), new ReadStatistics());
        BlockReader one = remote.fetch(node.location(), ID, partitions(2), new ReadStatistics())) {
      assertFetched(all, ID, partitions(0, 2, 3), written);
      assertFetched(one, ID, partitions(2), written);
    }
    assertThat(scratch.usedBytes()).isZero();
  }

  @Test
  void aBlockThatIsNotThereIsAnError() throws IOException {
    BlockId missing = new BlockId("attempt_1700000000000_0007_3_00_000009_0_10009");
    try (ShuffleHandlerBlocks remote = node.seenFromAfar(scratch, FetchSettings.DEFAULT)) {
      assertThatThrownBy(
              () -> remote.fetch(node.location(), missing, partitions(0), new ReadStatistics()))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("partition 0 of block " + missing)
          .hasMessageContaining("cannot read a block");
    }
  }

  @Test
  void anotherTokenIsRefused() throws IOException {
    try (ShuffleHandlerBlocks stranger =
        new ShuffleHandlerBlocks(
            node.job(), TestNode.newToken(), new BlockCopies(scratch), FetchSettings.DEFAULT)) {
      assertThatThrownBy(
              () -> stranger.fetch(node.location(), ID, partitions(0), new ReadStatistics()))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("it answers 401");
    }
  }
}
