// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static dev.anemone.runtime.tez.handler.FetchedBlocks.assertFetched;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.bytes;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.partitions;
import static dev.anemone.runtime.tez.handler.FetchedBlocks.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.pull.BlockServer;
import dev.anemone.runtime.pull.ServedBlocks;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.FetchWay;
import dev.anemone.runtime.transfer.fetch.FetchedBlock;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fetches from a server of the node by a transport, with YARN's own handler beside it. */
@Timeout(60)
abstract class ServedBlocksContract {

  private static final String JOB = "job_7";
  private static final BlockId NOTICE = new BlockId("attempt_1700000000000_0007_3_server");

  /** Of the server's pieces, as the package has them. */
  private static final int PIECE = 128 << 10;

  @TempDir private Path disks;
  @TempDir private Path scratchRoot;

  private final JobSecret secret = JobSecret.random();
  private final ReadStatistics statistics = new ReadStatistics();
  private TestNode node;
  private LocalFileStore scratch;
  private Transport transport;
  private BlockServer server;
  private Handlers handlers;
  private ServedBlocks remote;

  /** The name of the transport. */
  abstract String transport();

  /** The node's handler, and what it was asked for. */
  private static final class Handlers implements RemoteBlocks {

    private final ShuffleHandlerBlocks handler;
    private final List<BlockId> asked = new ArrayList<>();

    Handlers(ShuffleHandlerBlocks handler) {
      this.handler = handler;
    }

    @Override
    public BlockReader fetch(
        BlockLocation location, BlockId id, BitSet wanted, ReadStatistics statistics)
        throws IOException {
      asked.add(id);
      return handler.fetch(location, id, wanted, statistics);
    }

    @Override
    public void fetchAll(BlockLocation location, List<Wanted> blocks, Arrivals arrivals) {
      blocks.forEach(block -> asked.add(block.id()));
      handler.fetchAll(location, blocks, arrivals);
    }
  }

  /** What came of several blocks. */
  private static final class Outcomes implements RemoteBlocks.Arrivals {

    private final Map<Integer, BlockReader> arrived = new TreeMap<>();
    private final Map<Integer, IOException> failed = new TreeMap<>();

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
      throw new AssertionError("block " + number + " was not tried");
    }
  }

  @BeforeEach
  void open() throws Exception {
    try {
      transport = Transports.found().open(transport());
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
    node = TestNode.start(disks);
    scratch = new LocalFileStore(scratchRoot);
    server = server(FetchSettings.DEFAULT);
    server.serve(JOB, node.blocks(), NOTICE);
    handlers = new Handlers(node.seenFromAfar(scratch, FetchSettings.DEFAULT));
    remote = seenFromAfar(JOB, secret);
  }

  private BlockServer server(FetchSettings settings) throws IOException {
    return new BlockServer(transport, InetAddress.getLoopbackAddress(), secret, settings);
  }

  private ServedBlocks seenFromAfar(String job, JobSecret known) {
    return new ServedBlocks(
        handlers, transport, job, known, NOTICE, new BlockCopies(scratch), FetchSettings.DEFAULT);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    if (transport == null) {
      return;
    }
    remote.close();
    handlers.handler.close();
    server.close();
    transport.close();
    node.close();
    assertThat(scratch.usedBytes()).isZero();
    try (Stream<Path> files = Files.list(scratchRoot)) {
      assertThat(files).isEmpty();
    }
  }

  private static BlockId block(String name) {
    return new BlockId("attempt_1700000000000_0007_3_00_000003_0_10003_" + name);
  }

  private void assertServed(BlockId id, BitSet wanted, byte[]... partitions) throws IOException {
    assertCame(FetchWay.TRANSPORT, id, wanted, partitions);
  }

  private void assertCame(FetchWay way, BlockId id, BitSet wanted, byte[]... partitions)
      throws IOException {
    try (BlockReader reader = remote.fetch(node.location(), id, wanted, statistics)) {
      assertFetched(reader, id, wanted, partitions);
      assertThat(((FetchedBlock) reader).way()).isEqualTo(way);
    }
  }

  @Test
  void whatIsWantedComesFromTheServer() throws IOException {
    BlockId id = block("wanted");
    byte[][] partitions = {
      bytes(1, 100),
      bytes(2, 1),
      new byte[0],
      bytes(4, PIECE - 1),
      bytes(5, PIECE),
      bytes(6, PIECE + 1),
      bytes(7, 7 * PIECE + 3)
    };
    write(node.blocks(), id, WriteOrder.ANY, partitions);

    assertServed(id, partitions(0, 1, 3, 4, 5, 6), partitions);
    assertServed(id, partitions(6), partitions);
    assertServed(id, partitions(1, 4), partitions);

    assertThat(handlers.asked).as("where the server is, once").containsExactly(NOTICE);
    assertThat(statistics.reads()).isEqualTo(9);
  }

  @Test
  void anyPartsOfManyBlocksCome() throws IOException {
    Random random = new Random(7);
    for (int round = 0; round < 20; round++) {
      byte[][] partitions = new byte[1 + random.nextInt(300)][];
      BitSet wanted = new BitSet();
      for (int p = 0; p < partitions.length; p++) {
        partitions[p] = bytes(random.nextLong(), random.nextInt(10_000));
        wanted.set(p, partitions[p].length > 0 && random.nextInt(4) == 0);
      }
      if (!wanted.isEmpty()) {
        BlockId id = block("any" + round);
        write(node.blocks(), id, WriteOrder.BY_PARTITION, partitions);
        assertServed(id, wanted, partitions);
      }
    }
  }

  @Test
  void whatCannotBeAskedForInOneMessageComesFromTheHandler() throws IOException {
    byte[][] partitions = new byte[40_000][];
    Arrays.setAll(partitions, p -> p == 0 || p == 39_999 ? bytes(p, 9) : new byte[0]);
    BlockId id = block("wide");
    write(node.blocks(), id, WriteOrder.BY_PARTITION, partitions);

    assertCame(FetchWay.HTTP, id, partitions(0, 39_999), partitions);
    assertServed(id, partitions(39_999), partitions);
  }

  @Test
  void severalBlocksComeFromTheServerAndWhatItLacksIsAskedOfTheHandler() throws IOException {
    List<RemoteBlocks.Wanted> wanted = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      BlockId id = block("of" + number);
      if (number != 2) {
        write(node.blocks(), id, WriteOrder.ANY, bytes(number, 1000));
      }
      wanted.add(new RemoteBlocks.Wanted(id, partitions(0)));
    }

    Outcomes outcomes = new Outcomes();
    remote.fetchAll(node.location(), wanted, outcomes);

    assertThat(outcomes.arrived.keySet()).containsExactly(0, 1, 3, 4);
    for (Map.Entry<Integer, BlockReader> each : outcomes.arrived.entrySet()) {
      try (BlockReader reader = each.getValue()) {
        assertFetched(
            reader, wanted.get(each.getKey()).id(), partitions(0), bytes(each.getKey(), 1000));
      }
    }
    assertThat(outcomes.failed.keySet()).containsExactly(2);
    assertThat(handlers.asked).containsExactly(NOTICE, block("of2"));
  }

  @Test
  void whenTheServerEndsTheHandlerIsAsked() throws IOException {
    BlockId id = block("ends");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 3 * PIECE));
    assertServed(id, partitions(0), bytes(1, 3 * PIECE));

    server.close();

    assertCame(FetchWay.HTTP, id, partitions(0), bytes(1, 3 * PIECE));
    Outcomes outcomes = new Outcomes();
    remote.fetchAll(node.location(), List.of(new RemoteBlocks.Wanted(id, partitions(0))), outcomes);
    outcomes.arrived.get(0).close();
    assertThat(handlers.asked).containsExactly(NOTICE, id, id);
  }

  @Test
  void aNodeWithoutServerIsAskedOnce() throws IOException {
    BlockId id = block("none");
    node.blocks().delete(NOTICE);
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));

    assertCame(FetchWay.HTTP, id, partitions(0), bytes(1, 100));
    assertCame(FetchWay.HTTP, id, partitions(0), bytes(1, 100));

    assertThat(handlers.asked).containsExactly(NOTICE, id, id);
  }

  @Test
  void theLastServerThatHasStartedOnANodeServes() throws IOException {
    BlockId id = block("second");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    try (BlockServer second = server(FetchSettings.DEFAULT)) {
      second.serve(JOB, node.blocks(), NOTICE);
      server.close();

      assertServed(id, partitions(0), bytes(1, 100));
    }
  }

  @Test
  void whoDoesNotKnowTheSecretIsNotServed() throws IOException {
    BlockId id = block("secret");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    remote.close();
    remote = seenFromAfar(JOB, JobSecret.random());

    assertCame(FetchWay.HTTP, id, partitions(0), bytes(1, 100));
  }

  @Test
  void anotherJobIsNotServed() throws IOException {
    BlockId id = block("job");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 100));
    assertServed(id, partitions(0), bytes(1, 100));

    server.serve("job_8", node.blocks(), NOTICE);

    assertCame(FetchWay.HTTP, id, partitions(0), bytes(1, 100));
  }

  @Test
  void severalThreadsReadAtATime() throws Exception {
    byte[][] contents = new byte[12][];
    for (int number = 0; number < contents.length; number++) {
      contents[number] = bytes(number, 5 * PIECE + number);
      write(node.blocks(), block("thread" + number), WriteOrder.ANY, contents[number]);
    }
    remote.fetch(node.location(), block("thread0"), partitions(0), statistics).close();
    ExecutorService threads = Executors.newFixedThreadPool(contents.length);
    try {
      List<Callable<Void>> reads =
          IntStream.range(0, contents.length)
              .mapToObj(
                  number ->
                      (Callable<Void>)
                          () -> {
                            BlockId id = block("thread" + number);
                            try (BlockReader reader =
                                remote.fetch(
                                    node.location(), id, partitions(0), new ReadStatistics())) {
                              assertFetched(reader, id, partitions(0), contents[number]);
                            }
                            return null;
                          })
              .toList();
      for (Future<Void> read : threads.invokeAll(reads)) {
        read.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(handlers.asked).containsExactly(NOTICE);
  }

  @Test
  void anInterruptedReaderEndsAndTheNextOneIsServed() throws IOException {
    BlockId id = block("interrupted");
    write(node.blocks(), id, WriteOrder.ANY, bytes(1, 5 * PIECE));
    assertServed(id, partitions(0), bytes(1, 5 * PIECE));

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> remote.fetch(node.location(), id, partitions(0), statistics))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();

    assertServed(id, partitions(0), bytes(1, 5 * PIECE));
  }
}
