// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static dev.anemone.runtime.tez.handler.FetchedBlocks.assertFetched;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.bytes;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.partitions;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetches from YARN's own handler. */
@Timeout(30)
class ShuffleHandlerBlocksTest {

  private static final BlockId ID = new BlockId("attempt_1700000000000_0007_1_00_000003_0_10003");

  @TempDir static Path disks;
  private static TestNode node;

  @TempDir Path scratchRoot;
  private LocalFileStore scratch;
  private ShuffleHandlerBlocks remote;
  private final ReadStatistics statistics = new ReadStatistics();

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
    remote.close();
    node.listenDirectly();
    node.blocks().deleteAll("");
    assertThat(scratch.usedBytes()).isZero();
    try (Stream<Path> files = Files.list(scratchRoot)) {
      assertThat(files).isEmpty();
    }
  }

  /** The handler remembers the indexes of blocks, so each test has a block of its own. */
  private static BlockId block(String name) {
    return new BlockId(ID.path() + "_" + name);
  }

  @ParameterizedTest
  @EnumSource(WriteOrder.class)
  void fetchesWhatIsWanted(WriteOrder order) throws IOException {
    BlockId id = block("wanted_" + order);
    byte[][] partitions = {
      bytes(1, 100), bytes(2, 1), new byte[0], bytes(4, 700_001), bytes(5, 3000)
    };
    write(node.blocks(), id, order, partitions);
    BitSet wanted = partitions(1, 3);
    try (BlockReader reader = remote.fetch(node.location(), id, wanted, statistics)) {
      assertFetched(reader, id, wanted, partitions);
      assertThat(scratch.usedBytes()).isZero();
    }
    assertThat(statistics.reads()).isEqualTo(2);
    assertThat(statistics.seeks()).isEqualTo(2);
    assertThat(statistics.bytes()).isEqualTo(700_002);
  }

  @Test
  void theLastComponentNamesABlockToTheHandler() throws IOException {
    BlockId id = block("last");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    BlockId longer = new BlockId("dag_1/" + id.path());
    try (BlockReader reader = remote.fetch(node.location(), longer, partitions(0), statistics)) {
      assertFetched(reader, longer, partitions(0), bytes(1, 100));
    }
  }

  @Test
  void manyPartitionsComeOverOneConnection() throws IOException {
    BlockId id = block("many");
    byte[][] partitions =
        IntStream.range(0, 500).mapToObj(p -> bytes(p, 1 + p)).toArray(byte[][]::new);
    write(node.blocks(), id, WriteOrder.ANY, partitions);
    BitSet wanted = new BitSet();
    wanted.set(0, 500);
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.none());
        BlockReader reader = remote.fetch(proxy.location(), id, wanted, statistics)) {
      assertFetched(reader, id, wanted, partitions);
      assertThat(proxy.connections()).isEqualTo(1);
      assertThat(statistics.reads()).isEqualTo(500);
    }
  }

  @Test
  void laterFetchesUseTheConnectionAgain() throws IOException {
    BlockId id = block("again");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100), bytes(2, 200));
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.none())) {
      for (int p = 0; p < 2; p++) {
        remote.fetch(proxy.location(), id, partitions(p), statistics).close();
      }
      assertThat(proxy.connections()).isEqualTo(1);
    }
  }

  @Test
  void connectionsAreClosedWithTheirOwner() throws IOException {
    BlockId id = block("closed");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    try (TestProxy proxy = node.proxy(TestProxy.Meddling.none())) {
      remote.fetch(proxy.location(), id, partitions(0), statistics).close();
      remote.close();
      for (int connections = 2; connections < 4; connections++) {
        remote.fetch(proxy.location(), id, partitions(0), statistics).close();
        assertThat(proxy.connections()).isEqualTo(connections);
      }
    }
  }

  @Test
  void aReaderReadsFromTheCopy() throws IOException {
    BlockId id = block("copy");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100_000));
    try (BlockReader reader = remote.fetch(node.location(), id, partitions(0), statistics)) {
      node.blocks().delete(id);
      assertFetched(reader, id, partitions(0), bytes(1, 100_000));
      ByteBuffer target = ByteBuffer.allocate(10);
      reader.read(0, 99_995, target);
      assertThat(target.position()).isEqualTo(5);
      assertThat(statistics.reads()).isEqualTo(1);
    }
  }

  @Test
  void manyFetchAtTheSameTime() throws Exception {
    BlockId id = block("parallel");
    byte[][] partitions =
        IntStream.range(0, 4).mapToObj(p -> bytes(p, 150_000)).toArray(byte[][]::new);
    write(node.blocks(), id, WriteOrder.ANY, partitions);
    List<Callable<Void>> tasks =
        IntStream.range(0, 4)
            .<Callable<Void>>mapToObj(
                p ->
                    () -> {
                      for (int i = 0; i < 20; i++) {
                        try (BlockReader reader =
                            remote.fetch(
                                node.location(), id, partitions(p), new ReadStatistics())) {
                          assertFetched(reader, id, partitions(p), partitions);
                        }
                      }
                      return null;
                    })
            .toList();
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatAFetchAllocatesDoesNotGrowWithThePartition() throws IOException {
    BlockId id = block("large");
    write(node.blocks(), id, WriteOrder.BY_PARTITION, bytes(1, 100), bytes(2, 32 << 20));
    remote.fetch(node.location(), id, partitions(0), statistics).close();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    remote.fetch(node.location(), id, partitions(1), statistics).close();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(500_000);
  }

  @Test
  void aBlockThatIsNotThereIsNotAskedForAgain() {
    BlockId id = block("missing");
    assertThatThrownBy(() -> remote.fetch(node.location(), id, partitions(4), statistics))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "partition 4 of block " + id + " cannot be fetched from " + node.location())
        .hasMessageContaining("it answers 500")
        .hasMessageContaining("Could not find")
        .hasMessageContaining(id.path());
    assertThat(statistics.reads()).isZero();
  }

  @Test
  void anIndexThatIsDamagedIsNotAskedForAgain() throws IOException {
    BlockId id = block("damaged");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    Path index = file(id, "file.out.index");
    byte[] bytes = Files.readAllBytes(index);
    bytes[3] ^= 1;
    Files.write(index, bytes);
    assertThatThrownBy(() -> remote.fetch(node.location(), id, partitions(0), statistics))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("it answers 500")
        .hasMessageContaining("Error Reading IndexFile");
  }

  @Test
  void aPartitionThatTheBlockDoesNotHaveIsTold() throws IOException {
    BlockId id = block("less");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    assertThatThrownBy(() -> remote.fetch(node.location(), id, partitions(0, 1), statistics))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("partition 1 of block " + id)
        .hasMessageContaining("Reducer = 1");
  }

  @Test
  void aPartitionThatWasAnnouncedAndIsEmptyIsTold() throws IOException {
    BlockId id = block("empty");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100), new byte[0]);
    assertThatThrownBy(() -> remote.fetch(node.location(), id, partitions(0, 1), statistics))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("partition 1 of block " + id)
        .hasMessageContaining("is empty there");
  }

  @Test
  void aDataFileThatIsCutOffIsTold() throws IOException {
    BlockId id = block("truncated");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100_000));
    Files.write(file(id, "file.out"), bytes(1, 50_000));
    assertThatThrownBy(() -> remote.fetch(node.location(), id, partitions(0), statistics))
        .isInstanceOf(HostFailureException.class)
        .hasMessageContaining("bytes still to come");
  }

  private static Path file(BlockId id, String name) {
    return node.directories().stream()
        .map(directory -> directory.resolve("output").resolve(id.path()).resolve(name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anotherTokenIsRefused() throws IOException {
    BlockId id = block("token");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    try (ShuffleHandlerBlocks stranger =
        new ShuffleHandlerBlocks(
            node.job(), TestNode.newToken(), new BlockCopies(scratch), FetchSettings.DEFAULT)) {
      assertThatThrownBy(() -> stranger.fetch(node.location(), id, partitions(0), statistics))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("it answers 401");
    }
  }

  @Test
  void anApplicationThatTheHandlerDoesNotKnowIsRefused() throws IOException {
    try (ShuffleHandlerBlocks stranger =
        new ShuffleHandlerBlocks(
            ServedJob.of(HandlerKind.MAPREDUCE, "application_1700000000000_0008", 1),
            node.token(),
            new BlockCopies(scratch),
            FetchSettings.DEFAULT)) {
      assertThatThrownBy(() -> stranger.fetch(node.location(), ID, partitions(0), statistics))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageContaining("it answers 401")
          .hasMessageContaining("job_1700000000000_0008");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a&reduce=1", "a b", "ä", "a%20b", "a\r\nb: c"})
  void namesThatAHandlerCannotBeAskedForAreRefused(String name) {
    assertThatThrownBy(
            () -> remote.fetch(node.location(), new BlockId(name), partitions(0), statistics))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("letters, digits");
  }

  @Test
  void badArgumentsAreRefused() {
    assertThatThrownBy(() -> remote.fetch(node.location(), ID, new BitSet(), statistics))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no partition of block " + ID);
    assertThatThrownBy(() -> ServedJob.of(HandlerKind.MAPREDUCE, "job_1_1", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("job_1_1");
    assertThatThrownBy(
            () ->
                new ShuffleHandlerBlocks(
                    node.job(),
                    ByteBuffer.wrap(new byte[] {10, 1}),
                    new BlockCopies(scratch),
                    FetchSettings.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("these 2 bytes are no job token");
  }

  @Test
  void aFailureOfTheScratchStoreIsNotTheNodesFault() throws IOException {
    BlockId id = block("scratch");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    Path inTheWay = Files.createFile(scratchRoot.resolve(id.path()));
    assertThatThrownBy(() -> remote.fetch(node.location(), id, partitions(0), statistics))
        .isExactlyInstanceOf(ConsumerFaultException.class)
        .hasMessageStartingWith("no copy of block " + id + " can be kept here: ")
        .hasMessageContaining("cannot begin " + inTheWay);
    Files.delete(inTheWay);
  }
}
