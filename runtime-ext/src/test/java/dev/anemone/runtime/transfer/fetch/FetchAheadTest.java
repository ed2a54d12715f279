// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.FetchOutcome;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How much is fetched before it is asked for. */
@Timeout(20)
class FetchAheadTest {

  private static final int BYTES = 1000;
  private static final BlockId BLOCK = new BlockId("block");

  @TempDir private Path directory;
  private BlockStore store;

  private final SourceFeed feed =
      new SourceFeed(
          (source, version, loss, reason) -> {
            throw new IllegalStateException(source + " is lost: " + reason);
          });
  private final Deque<Begun> begun = new ArrayDeque<>();
  private final List<BlockReader> open = new ArrayList<>();
  private FetchQueue queue;

  /** A request that has no answer yet. */
  private record Begun(BlockLocation location, List<InputEvent.Announced> blocks) {}

  @BeforeEach
  void write() throws IOException {
    store = new LocalFileStore(directory);
    try (BlockWriter writer = store.create(BLOCK, 1, WriteOrder.ANY)) {
      writer.append(0, ByteBuffer.allocate(BYTES), BYTES);
      writer.commit();
    }
  }

  /** Answers come when the test says so, or when the queue waits for one. */
  private final class Answers implements BlockFetcher {

    @Override
    public void begin(BlockLocation location, List<InputEvent.Announced> blocks) {
      begun.add(new Begun(location, blocks));
    }

    @Override
    public void close() {}
  }

  private void use(int nodesAtOnce, int blocksAtOnce, long aheadBytes) {
    Duration second = Duration.ofSeconds(1);
    queue =
        new FetchQueue(
            feed,
            new HostLedger(
                new FetchSettings(
                    second, second, second, second, nodesAtOnce, blocksAtOnce, aheadBytes)),
            location -> true,
            announced -> announced.announcement().location(),
            new Answers(),
            false);
  }

  private void announce(int index, String host) {
    BitSet filled = new BitSet();
    filled.set(0);
    feed.add(
        new InputEvent.Announced(
            new Source("p", index),
            0,
            BlockAnnouncement.ofBlock(
                new Producer(index, 0),
                BLOCK,
                DataStore.LOCAL_FILE,
                Optional.ofNullable(host).map(name -> new BlockLocation(name, 1)),
                filled,
                true,
                0)));
  }

  /** Announces one that lies here, and takes it: whatever can be begun is begun. */
  private void look(int index) throws Exception {
    announce(index, null);
    assertThat(((InputEvent.Announced) queue.take()).source().index()).isEqualTo(index);
    assertThat(queue.fetched()).isEmpty();
  }

  private void answer() throws IOException {
    for (InputEvent.Announced block : begun.remove().blocks()) {
      BlockReader reader = store.open(BLOCK, new ReadStatistics());
      open.add(reader);
      feed.add(new InputEvent.Fetched(block, new FetchOutcome.Arrived(reader)));
    }
  }

  private void takeFetched(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      queue.take();
      try (BlockReader reader = queue.fetched().orElseThrow()) {
        assertThat(open).contains(reader);
      }
    }
  }

  private List<Integer> sizes() {
    return begun.stream().map(each -> each.blocks().size()).toList();
  }

  @Test
  void blocksOfANodeAreAskedForTogetherAndNodesAtOnce() throws Exception {
    use(3, 20, Long.MAX_VALUE);
    IntStream.range(0, 100).forEach(i -> announce(i, "node" + i % 4));
    look(100);
    assertThat(sizes()).as("three of four nodes").containsExactly(20, 20, 20);
    assertThat(begun.stream().map(Begun::location).distinct()).hasSize(3);
    answer();
    takeFetched(1);
    assertThat(begun).as("enough waits").hasSize(2);
    takeFetched(19);
    look(101);
    assertThat(sizes()).containsExactly(20, 20, 20);
    assertThat(begun.getLast().location().host()).as("their turns").isEqualTo("node3");
  }

  @Test
  void noMoreIsAskedForThanFits() throws Exception {
    use(1, 20, 3 * BYTES);
    IntStream.range(0, 40).forEach(i -> announce(i, "node"));
    look(40);
    assertThat(sizes()).as("nothing is known of their sizes").containsExactly(20);
    answer();
    takeFetched(17);
    assertThat(begun).as("three wait").isEmpty();
    takeFetched(1);
    look(41);
    assertThat(sizes()).containsExactly(3);
  }

  @Test
  void whatWasNotTriedIsAskedForAgain() throws Exception {
    use(1, 20, Long.MAX_VALUE);
    IntStream.range(0, 5).forEach(i -> announce(i, "node"));
    look(5);
    begun
        .remove()
        .blocks()
        .forEach(block -> feed.add(new InputEvent.Fetched(block, new FetchOutcome.NotTried())));
    look(6);
    assertThat(sizes()).containsExactly(5);
  }

  @Test
  void whatIsWithdrawnWhileItIsFetchedIsLetGo() throws Exception {
    use(1, 20, Long.MAX_VALUE);
    announce(0, "node");
    announce(1, "node");
    look(2);
    feed.add(new InputEvent.Withdrawn(new Source("p", 0), 0));
    assertThat(queue.take()).isInstanceOf(InputEvent.Withdrawn.class);
    answer();
    assertThat(((InputEvent.Announced) queue.take()).source().index()).isEqualTo(1);
    queue.fetched().orElseThrow().close();
    assertClosed();
  }

  @Test
  void whatNobodyTakesIsLetGo() throws Exception {
    use(1, 20, Long.MAX_VALUE);
    IntStream.range(0, 4).forEach(i -> announce(i, "node"));
    look(4);
    answer();
    queue.take();
    queue.take();
    queue.close();
    assertClosed();
  }

  private void assertClosed() {
    assertThat(open)
        .isNotEmpty()
        .allSatisfy(
            reader ->
                assertThatThrownBy(() -> reader.read(0, 0, ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class));
  }
}
