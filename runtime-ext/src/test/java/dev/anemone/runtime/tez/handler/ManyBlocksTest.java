// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static dev.anemone.runtime.tez.handler.FetchedBlocks.assertFetched;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.bytes;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.partitions;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.RemoteBlocks.Arrivals;
import dev.anemone.runtime.transfer.RemoteBlocks.Wanted;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fetches many blocks of one node together, from YARN's own handler. */
@Timeout(60)
class ManyBlocksTest {

  private static final int BLOCKS = 15;

  /** One that is in the middle of an answer. */
  private static final int BAD = 7;

  private static final int BYTES = 10_000;

  @TempDir static Path disks;
  private static TestNode node;
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir Path scratchRoot;
  private LocalFileStore scratch;
  private ShuffleHandlerBlocks remote;
  private final Came came = new Came();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<BlockId> ids = new ArrayList<>();

  /** What has come of each block. */
  private static final class Came implements Arrivals, AutoCloseable {

    final Map<Integer, BlockReader> arrived = new TreeMap<>();
    final Map<Integer, IOException> failed = new TreeMap<>();
    final BitSet notTried = new BitSet();

    @Override
    public void arrived(int number, BlockReader block) {
      assertThat(arrived.put(number, block)).isNull();
    }

    @Override
    public void failed(int number, IOException failure) {
      assertThat(failed.put(number, failure)).isNull();
    }

    @Override
    public void notTried(int number) {
      assertThat(notTried.get(number)).isFalse();
      notTried.set(number);
    }

    @Override
    public void close() throws IOException {
      for (BlockReader reader : arrived.values()) {
        reader.close();
      }
    }
  }

  @BeforeAll
  static void start() throws IOException {
    node = TestNode.start(disks);
  }

  @AfterAll
  static void stop() throws IOException {
    node.close();
  }

  @BeforeEach
  void open() {
    scratch = new LocalFileStore(scratchRoot);
    remote = node.seenFromAfar(scratch, FetchSettings.DEFAULT);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    came.close();
    remote.close();
    node.listenDirectly();
    node.blocks().deleteAll("");
    assertThat(scratch.usedBytes()).isZero();
    try (Stream<Path> files = Files.list(scratchRoot)) {
      assertThat(files).isEmpty();
    }
  }

  /** Blocks of these partitions; the handler remembers indexes, so names are never used again. */
  private void writeBlocks(int count, int partitions) throws IOException {
    for (int block = 0; block < count; block++) {
      BlockId id = new BlockId("attempt_1700000000000_0007_1_00_0000_" + NAMES.getAndIncrement());
      write(node.blocks(), id, WriteOrder.ANY, content(block, partitions));
      ids.add(id);
    }
  }

  private static byte[][] content(int block, int partitions) {
    return IntStream.range(0, partitions)
        .mapToObj(partition -> bytes(100L * block + partition, BYTES + block))
        .toArray(byte[][]::new);
  }

  private List<Wanted> wanted(int... partitions) {
    return ids.stream().map(id -> new Wanted(id, partitions(partitions))).toList();
  }

  private TestProxy countingProxy(TestProxy.Edit edit) throws IOException {
    return node.proxy(
        TestProxy.Meddling.edit(
            (head, body, edited) -> {
              requests.incrementAndGet();
              edit.edit(head, body, edited);
            }));
  }

  private TestProxy countingProxy() throws IOException {
    return countingProxy(
        (head, body, edited) -> {
          edited.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
          edited.writeBytes(body);
        });
  }

  private void assertArrived(int block, int partitions, BitSet wanted) throws IOException {
    assertThat(came.arrived).containsKey(block);
    assertFetched(came.arrived.get(block), ids.get(block), wanted, content(block, partitions));
  }

  private void assertAllArrivedBut(int bad) throws IOException {
    for (int block = 0; block < ids.size(); block++) {
      if (block != bad) {
        assertArrived(block, 1, partitions(0));
      }
    }
    assertThat(came.arrived).doesNotContainKey(bad);
  }

  @Test
  void manyProducersOfANodeAreOneRequest() throws IOException {
    writeBlocks(BLOCKS, 1);
    try (TestProxy proxy = countingProxy()) {
      remote.fetchAll(proxy.location(), wanted(0), came);
      assertAllArrivedBut(-1);
      assertThat(requests).hasValue(1);
      assertThat(proxy.connections()).isEqualTo(1);
    }
  }

  @Test
  void eachPartitionIsARequestForTheBlocksThatHaveIt() throws IOException {
    writeBlocks(BLOCKS, 3);
    List<Wanted> wanted = new ArrayList<>(wanted(0, 2));
    wanted.set(BAD, new Wanted(ids.get(BAD), partitions(1)));
    try (TestProxy proxy = countingProxy()) {
      remote.fetchAll(proxy.location(), wanted, came);
      for (int block = 0; block < BLOCKS; block++) {
        assertArrived(block, 3, wanted.get(block).partitions());
      }
      assertThat(requests).hasValue(3);
    }
  }

  @Test
  void namesThatDoNotFitIntoALineAreAskedForInSeveral() throws IOException {
    writeBlocks(200, 1);
    try (TestProxy proxy = countingProxy()) {
      remote.fetchAll(proxy.location(), wanted(0), came);
      assertAllArrivedBut(-1);
      assertThat(requests.get()).isBetween(2, 10);
    }
  }

  @Test
  void aBlockThatIsNotThereDoesNotConcernTheOthers() throws IOException {
    writeBlocks(BLOCKS, 1);
    node.blocks().delete(ids.get(BAD));
    remote.fetchAll(node.location(), wanted(0), came);
    assertAllArrivedBut(BAD);
    assertThat(came.failed).containsOnlyKeys(BAD);
    assertThat(came.failed.get(BAD))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("partition 0 of block " + ids.get(BAD));
  }

  /** The handler finds this when it has sent those before, and cuts the connection. */
  @Test
  void aFileThatEndsEarlyIsTheOnlyOneThatFails() throws IOException {
    writeBlocks(BLOCKS, 1);
    truncate(ids.get(BAD));
    remote.fetchAll(node.location(), wanted(0), came);
    assertThat(came.failed).containsOnlyKeys(BAD);
    assertThat(came.failed.get(BAD))
        .isInstanceOf(HostFailureException.class)
        .hasMessageContaining("partition 0 of block " + ids.get(BAD));
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(came.arrived.containsKey(block)).as("block %s", block).isEqualTo(block < BAD);
      assertThat(came.notTried.get(block)).as("block %s", block).isEqualTo(block > BAD);
    }
  }

  private void truncate(BlockId id) throws IOException {
    try (Stream<Path> files = Files.walk(disks)) {
      Path file =
          files.filter(path -> path.endsWith(id.path() + "/file.out")).findFirst().orElseThrow();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(BYTES / 2);
      }
    }
  }

  @Test
  void aConnectionThatIsCutConcernsTheBlockThatWasComing() throws IOException {
    writeBlocks(BLOCKS, 1);
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.cutAfter(BAD * BYTES + BYTES / 2 + 600))) {
      remote.fetchAll(proxy.location(), wanted(0), came);
    }
    assertThat(came.arrived.keySet())
        .containsExactlyElementsOf(IntStream.range(0, BAD).boxed().toList());
    assertThat(came.failed).containsOnlyKeys(BAD);
    assertThat(came.failed.get(BAD)).isInstanceOf(HostFailureException.class);
    assertThat(came.notTried.cardinality()).isEqualTo(BLOCKS - BAD - 1);
  }

  @Test
  void anAnswerThatIsWrongInTheMiddleIsAskedForAgainOneByOne() throws IOException {
    writeBlocks(BLOCKS, 1);
    try (TestProxy proxy = countingProxy(this::spoilNameOfBad)) {
      remote.fetchAll(proxy.location(), wanted(0), came);
    }
    assertAllArrivedBut(BAD);
    assertThat(came.failed).containsOnlyKeys(BAD);
    assertThat(came.failed.get(BAD))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("it answers with partition 0 of");
    assertThat(requests).as("together, then those that were left").hasValue(1 + BLOCKS - BAD);
  }

  private void spoilNameOfBad(String head, byte[] body, ByteArrayOutputStream edited) {
    edited.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    String text = new String(body, StandardCharsets.ISO_8859_1);
    String name = ids.get(BAD).path();
    edited.writeBytes(
        text.replace(name, "x" + name.substring(1)).getBytes(StandardCharsets.ISO_8859_1));
  }
}
