// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static dev.anemone.runtime.tez.handler.FetchedBlocks.assertFetched;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.bytes;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.store.paged.MemoryStore;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever a block is like, what is fetched of it is what was written; and what no answer is. */
class FetchPropertyTest {

  private static final AtomicInteger BLOCKS = new AtomicInteger();
  private static Path root;
  private static TestNode node;
  private static ShuffleHandlerBlocks toFiles;
  private static ShuffleHandlerBlocks toMemory;
  private static BlockStore files;
  private static BlockStore memory;

  @BeforeContainer
  static void start() throws IOException {
    root = Files.createTempDirectory("fetch-property");
    node = TestNode.start(root);
    files = new LocalFileStore(root.resolve("scratch"));
    memory = new MemoryStore(new PagePool(4 << 20), 2 << 20, files);
    toFiles = node.seenFromAfar(files, FetchSettings.DEFAULT);
    toMemory = node.seenFromAfar(memory, FetchSettings.DEFAULT);
  }

  @AfterContainer
  static void stop() throws IOException {
    toFiles.close();
    toMemory.close();
    node.close();
    node.blocks().deleteAll("");
    try (var left = Files.walk(root)) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Property(tries = 40)
  void whatIsFetchedIsWhatWasWritten(
      @ForAll @Size(min = 1, max = 25) List<@IntRange(max = 2500) Integer> sizes,
      @ForAll @IntRange(min = 1) int wantedSeed,
      @ForAll WriteOrder order,
      @ForAll boolean large,
      @ForAll boolean inMemory)
      throws IOException {
    BlockId id =
        new BlockId("attempt_1700000000000_0007_1_00_000000_0_" + BLOCKS.getAndIncrement());
    byte[][] partitions = new byte[sizes.size()][];
    BitSet wanted = new BitSet();
    for (int p = 0; p < partitions.length; p++) {
      partitions[p] = bytes(p + 1, large ? sizes.get(p) * 61 : sizes.get(p));
      wanted.set(p, partitions[p].length > 0 && Integer.rotateRight(wantedSeed, p) % 3 != 0);
    }
    if (wanted.isEmpty()) {
      partitions[0] = bytes(0, 5);
      wanted.set(0);
    }
    write(node.blocks(), id, order, partitions);
    ReadStatistics statistics = new ReadStatistics();
    try (BlockReader reader =
        (inMemory ? toMemory : toFiles).fetch(node.location(), id, wanted, statistics)) {
      node.blocks().delete(id);
      assertFetched(reader, id, wanted, partitions);
    }
    assertThat(statistics.reads()).isEqualTo(wanted.cardinality());
    assertThat(statistics.bytes())
        .isEqualTo(wanted.stream().mapToLong(p -> partitions[p].length).sum());
    assertThat(memory.usedBytes() + files.usedBytes()).isZero();
  }

  @Property(tries = 200)
  void anyBytesAreAHeadOrAreRefused(@ForAll byte[] garbage, @ForAll boolean afterStatusLine) {
    byte[] start =
        (afterStatusLine ? "HTTP/1.1 200 OK\r\n" : "").getBytes(StandardCharsets.ISO_8859_1);
    byte[] sent = new byte[start.length + garbage.length];
    System.arraycopy(start, 0, sent, 0, start.length);
    System.arraycopy(garbage, 0, sent, start.length, garbage.length);
    AnswerBytes bytes =
        new AnswerBytes(
            Channels.newChannel(new ByteArrayInputStream(sent)), 1000, ByteBuffer.allocate(64));
    try {
      AnswerHead head = AnswerHead.read(bytes);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.keptAlive().isNegative()).isFalse();
      assertThat(head.contentLength()).isNotNegative();
    } catch (IOException e) {
      assertThat(e).hasMessageMatching("[\\x20-\\x7e]+");
    }
  }
}
