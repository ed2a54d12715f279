// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every transport promises. A transport's test extends it and names the provider. */
public abstract class TransportContract extends TransportFailureContract {

  @ParameterizedTest
  @MethodSource("lengthsInBothKinds")
  void whatIsWrittenAndFlushedIsSeenAndReadBack(int length, TestMemory mine, TestMemory theirs)
      throws Exception {
    Random random = new Random(length);
    TestPeer here = peer(mine, 8 * MB + 100);
    TestPeer there = peer(theirs, 8 * MB + 100);
    Connection connection = here.connectTo(there, handler());
    int from = random.nextInt(100);
    int at = random.nextInt(100);
    byte[] bytes = randomBytes(random, length);
    here.fill(from, bytes);

    write(connection, here.region(), from, length, there.remote(), at);
    flush(connection);
    assertThat(there.bytes(at, length)).isEqualTo(bytes);
    assertThat(there.bytes(at + length, 1)).as("the byte behind").containsExactly(0);

    MemoryRegion back = region(here, mine, length + 2);
    read(connection, there.remote(), at, back, 1, length);
    byte[] read = new byte[length];
    back.memory().get(1, read);
    assertThat(read).isEqualTo(bytes);
    assertThat(back.memory().get(0)).as("the byte before").isZero();
    assertThat(back.memory().get(length + 1)).as("the byte behind").isZero();
  }

  static Stream<Arguments> lengthsInBothKinds() {
    return IntStream.of(1, 2, 7, 63, 4 * KB, 64 * KB + 1, MB, 8 * MB)
        .boxed()
        .flatMap(
            length ->
                Stream.of(
                    Arguments.of(length, TestMemory.FOREIGN, TestMemory.ALLOCATED),
                    Arguments.of(length, TestMemory.ALLOCATED, TestMemory.FOREIGN)));
  }

  @ParameterizedTest
  @EnumSource(TestMemory.class)
  void randomReadsAndWritesAreThoseOfAnArray(TestMemory memory) throws Exception {
    Random random = new Random(1);
    int size = 256 * KB;
    TestPeer here = peer(memory, size);
    TestPeer there = peer(memory, size);
    Connection connection = here.connectTo(there, handler());
    byte[] model = new byte[size];
    for (int i = 0; i < 200; i++) {
      int length = 1 + random.nextInt(random.nextBoolean() ? 200 : size);
      int at = random.nextInt(size - length + 1);
      int local = random.nextInt(size - length + 1);
      if (random.nextBoolean()) {
        byte[] bytes = randomBytes(random, length);
        here.fill(local, bytes);
        write(connection, here.region(), local, length, there.remote(), at);
        flush(connection);
        System.arraycopy(bytes, 0, model, at, length);
      } else {
        read(connection, there.remote(), at, here.region(), local, length);
        byte[] expected = new byte[length];
        System.arraycopy(model, at, expected, 0, length);
        assertThat(here.bytes(local, length)).as("step %d", i).isEqualTo(expected);
      }
    }
    assertThat(there.bytes(0, size)).isEqualTo(model);
  }

  /** A transport that has seen how such a write ends may begin the next ones in another way. */
  @ParameterizedTest
  @EnumSource(TestMemory.class)
  void memoryCanBeUsedAgainAsSoonAsItsWriteHasEnded(TestMemory memory) throws Exception {
    int length = 8 * MB;
    int writes = 5;
    TestPeer here = peer(memory, length);
    TestPeer there = peer(memory, writes * length);
    Connection connection = here.connectTo(there, handler());
    for (int i = 0; i < writes; i++) {
      here.fill(0, filled(length, i));
      write(connection, here.region(), 0, length, there.remote(), (long) i * length);
    }
    here.fill(0, filled(length, -1));
    flush(connection);
    for (int i = 0; i < writes; i++) {
      assertThat(there.bytes(i * length, length)).as("write %d", i).isEqualTo(filled(length, i));
    }
  }

  private static byte[] filled(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void threadsShareAConnection(int threads) throws Exception {
    TestPeer here = peer(threads * MB);
    TestPeer there = peer(threads * MB);
    Connection connection = here.connectTo(there, handler());
    onThreads(threads, thread -> writeAndReadBack(connection, here, there, thread));
  }

  @Test
  void threadsHaveConnectionsOfTheirOwn() throws Exception {
    TestPeer here = peer(4 * MB);
    TestPeer there = peer(4 * MB);
    onThreads(4, thread -> writeAndReadBack(here.connectTo(there, handler()), here, there, thread));
  }

  /** Moves random pieces within a thread's MB of each side's memory, several at a time. */
  private static void writeAndReadBack(
      Connection connection, TestPeer here, TestPeer there, int thread) throws IOException {
    Random random = new Random(thread);
    int base = thread * MB;
    for (int round = 0; round < 20; round++) {
      int length = 1 + random.nextInt(64 * KB);
      byte[] bytes = randomBytes(random, 4 * length);
      here.fill(base, bytes);
      Outcomes outcomes = new Outcomes();
      for (int i = 0; i < 4; i++) {
        int at = base + i * length;
        connection.write(here.region(), at, length, there.remote(), at, outcomes);
      }
      connection.flush(outcomes);
      outcomes.awaitDone(5);
      here.fill(base, new byte[4 * length]);
      for (int i = 0; i < 4; i++) {
        int at = base + i * length;
        connection.read(there.remote(), at, here.region(), at, length, outcomes);
      }
      outcomes.awaitDone(9);
      assertThat(here.bytes(base, 4 * length)).isEqualTo(bytes);
    }
  }

  @Test
  void callsBeyondTheLimitWait() throws Exception {
    TestPeer here = peer(64 * KB);
    TestPeer there = peer(64 * KB);
    Connection connection = here.connectTo(there, handler());
    assertThat(connection.maxOutstanding()).isPositive();
    int operations = 20 * connection.maxOutstanding();
    here.fill(0, randomBytes(new Random(1), 64 * KB));
    Outcomes outcomes = new Outcomes();
    int most = 0;
    for (int i = 0; i < operations; i++) {
      int at = i * 16 % (64 * KB);
      connection.write(here.region(), at, 16, there.remote(), at, outcomes);
      connection.read(there.remote(), at, here.region(), at, 16, new Outcomes());
      most = Math.max(most, i + 1 - outcomes.ended());
    }
    connection.flush(outcomes);
    outcomes.awaitDone(operations + 1);
    assertThat(most).isLessThanOrEqualTo(connection.maxOutstanding());
    int written = Math.min(operations * 16, 64 * KB);
    assertThat(there.bytes(0, written)).isEqualTo(here.bytes(0, written));
  }

  @Test
  void completionsBeginOperationsBeyondTheLimit() throws Exception {
    TestPeer here = peer(KB);
    TestPeer there = peer(KB);
    Connection connection = here.connectTo(there, handler());
    int wanted = 10 * connection.maxOutstanding();
    AtomicInteger begun = new AtomicInteger(1);
    Outcomes outcomes = new Outcomes();
    Completion[] next = new Completion[1];
    next[0] =
        failure -> {
          // Three for one: they soon exceed what can be under way.
          for (int i = 0; i < 3 && begun.incrementAndGet() <= wanted; i++) {
            connection.read(there.remote(), 8L * i, here.region(), 8 * i, 8, next[0]);
          }
          outcomes.completed(failure);
        };
    connection.read(there.remote(), 0, here.region(), 0, 8, next[0]);
    outcomes.awaitDone(wanted);
  }

  /** Were a completion called from within the call that it makes, the stack would not do. */
  @Test
  void completionsBeginOperationsOneAfterTheOther() throws Exception {
    TestPeer here = peer(TestMemory.ALLOCATED, KB);
    TestPeer there = peer(TestMemory.ALLOCATED, KB);
    Connection connection = here.connectTo(there, handler());
    int wanted = 30_000;
    AtomicInteger begun = new AtomicInteger(1);
    Outcomes outcomes = new Outcomes();
    Completion[] next = new Completion[1];
    next[0] =
        failure -> {
          if (begun.incrementAndGet() <= wanted) {
            connection.read(there.remote(), 0, here.region(), 0, 8, next[0]);
          }
          outcomes.completed(failure);
        };
    connection.read(there.remote(), 0, here.region(), 0, 8, next[0]);
    outcomes.awaitDone(wanted);
  }

  @Test
  void messagesKeepTheirOrder() throws Exception {
    RecordingHandler receiving = handler();
    TestPeer here = peer(KB);
    TestPeer there = peer(KB, () -> receiving);
    Connection connection = here.connectTo(there, handler());
    assertThat(connection.maxMessageBytes()).isGreaterThanOrEqualTo(4 * KB);
    Random random = new Random(5);
    List<Integer> lengths = new ArrayList<>(List.of(0, 1, connection.maxMessageBytes()));
    for (int i = 0; i < 500; i++) {
      lengths.add(random.nextInt(random.nextInt(connection.maxMessageBytes()) + 1));
    }
    Outcomes outcomes = new Outcomes();
    for (int i = 0; i < lengths.size(); i++) {
      ByteBuffer message = message(i, lengths.get(i));
      connection.send(message, outcomes);
      // It was copied: what happens to it now is of no account.
      message.clear().put(new byte[message.capacity()]);
    }
    outcomes.awaitDone(lengths.size());
    for (int i = 0; i < lengths.size(); i++) {
      assertThat(receiving.next())
          .as("message %d", i)
          .isEqualTo(message(i, lengths.get(i)).array());
    }
  }

  @Test
  void onlyWhatRemainsOfABufferIsSent() throws Exception {
    RecordingHandler receiving = handler();
    TestPeer there = peer(KB, () -> receiving);
    Connection connection = peer(KB).connectTo(there, handler());
    ByteBuffer direct = ByteBuffer.allocateDirect(100);
    direct.put(40, new byte[] {7, 8, 9}).position(40).limit(43);
    send(connection, direct.asReadOnlyBuffer());
    assertThat(receiving.next()).containsExactly(7, 8, 9);
  }

  @Test
  void aHandlerAnswersFromWithin() throws Exception {
    RecordingHandler receiving = handler();
    TestPeer there = peer(KB, EchoHandler::new);
    Connection connection = peer(KB).connectTo(there, receiving);
    Outcomes outcomes = new Outcomes();
    int messages = 5 * connection.maxOutstanding();
    for (int i = 0; i < messages; i++) {
      connection.send(message(i, 1 + i % 1000), outcomes);
    }
    outcomes.awaitDone(messages);
    for (int i = 0; i < messages; i++) {
      assertThat(receiving.next()).as("answer %d", i).isEqualTo(message(i, 1 + i % 1000).array());
    }
  }

  @Test
  void aMessageAfterAFlushComesAfterWhatWasFlushed() throws Exception {
    RecordingHandler receiving = handler();
    TestPeer here = peer(MB);
    TestPeer there = peer(MB, () -> receiving);
    Connection connection = here.connectTo(there, handler());
    for (int i = 1; i <= 20; i++) {
      byte[] bytes = new byte[MB];
      Arrays.fill(bytes, (byte) i);
      here.fill(0, bytes);
      write(connection, here.region(), 0, MB, there.remote(), 0);
      flush(connection);
      send(connection, message(i, 1));
      receiving.next();
      assertThat(there.bytes(0, MB)).isEqualTo(bytes);
    }
  }

  @Test
  void bothSidesOperateAtOnce() throws Exception {
    TestPeer here = peer(4 * MB);
    TestPeer there = peer(4 * MB);
    Connection to = here.connectTo(there, handler());
    Connection fro = there.accepted(0);
    assertThat(fro.remoteAddress()).isNotNull();
    assertThat(to.remoteAddress()).isEqualTo(there.address());
    onThreads(
        4,
        thread -> {
          boolean mine = thread % 2 == 0;
          writeAndReadBack(mine ? to : fro, mine ? here : there, mine ? there : here, thread);
        });
  }

  @Test
  void twoTransportsOfAProcessServeEachOther() throws Exception {
    TestPeer here = peer(2 * MB);
    TestPeer there = peer(2 * MB);
    Connection to = here.connectTo(there, handler());
    Connection fro = there.connectTo(here, handler());
    writeAndReadBack(to, here, there, 0);
    writeAndReadBack(fro, there, here, 1);
  }

  @Test
  void transportsOfAProcessComeAndGoBesideEachOther() throws Exception {
    onThreads(
        4,
        thread -> {
          for (int round = 0; round < 50; round++) {
            try (TestPeer here = new TestPeer(provider(), KB, RecordingHandler::new);
                TestPeer there = new TestPeer(provider(), KB, RecordingHandler::new);
                Connection one = here.connectTo(there, new RecordingHandler());
                Connection other = here.connectTo(there, new RecordingHandler())) {
              byte[] bytes = {(byte) thread, (byte) round};
              here.fill(0, bytes);
              write(one, here.region(), 0, 2, there.remote(), 0);
              flush(one);
              read(other, there.remote(), 0, here.region(), 2, 2);
              assertThat(here.bytes(2, 2)).isEqualTo(bytes);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(TestMemory.class)
  void aProcessOfItsOwnIsReadAndWritten(TestMemory memory) throws Exception {
    PeerProcess there = process(memory, MB);
    TestPeer here = peer(MB);
    RecordingHandler receiving = handler();
    Connection connection = here.connectTo(there.address(), receiving);
    byte[] bytes = randomBytes(new Random(3), MB);
    here.fill(0, bytes);
    write(connection, here.region(), 0, MB, there.remote(), 0);
    flush(connection);
    here.fill(0, new byte[MB]);
    read(connection, there.remote(), 0, here.region(), 0, MB);
    assertThat(here.bytes(0, MB)).isEqualTo(bytes);
    send(connection, message(1, 50));
    assertThat(receiving.next()).isEqualTo(message(1, 50).array());
  }

  @Test
  void rangesOutsideTheMemoryAreRefusedAtOnce() throws Exception {
    TestPeer here = peer(100);
    TestPeer there = peer(200);
    Connection connection = here.connectTo(there, handler());
    MemoryRegion mine = here.region();
    RemoteRegion theirs = there.remote();
    Outcomes none = new Outcomes();
    assertThat(theirs.length()).isEqualTo(200);
    for (int[] range : new int[][] {{-1, 0, 1}, {0, -1, 1}, {0, 0, 0}, {0, 0, -1}, {0, 0, 101}}) {
      assertRefused(connection, mine, range[0], range[2], theirs, range[1]);
    }
    for (int[] range : new int[][] {{100, 0, 1}, {1, 0, 100}, {0, 200, 1}, {0, 101, 100}}) {
      assertRefused(connection, mine, range[0], range[2], theirs, range[1]);
    }
    assertRefused(connection, mine, 0, 100, theirs, Long.MAX_VALUE);
    assertRefused(connection, mine, Integer.MAX_VALUE, 100, theirs, 0);
    assertThatThrownBy(
            () -> connection.send(ByteBuffer.allocate(connection.maxMessageBytes() + 1), none))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(none.ended()).isZero();
    assertThat(connection.isOpen()).isTrue();
    write(connection, mine, 0, 100, theirs, 100);
    flush(connection);
  }

  private static void assertRefused(
      Connection connection,
      MemoryRegion local,
      int position,
      int length,
      RemoteRegion remote,
      long offset) {
    Outcomes none = new Outcomes();
    assertThatThrownBy(() -> connection.write(local, position, length, remote, offset, none))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> connection.read(remote, offset, local, position, length, none))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(none.ended()).isZero();
  }

  /** What a thread does. */
  private interface Task {
    void run(int thread) throws Exception;
  }

  private static void onThreads(int threads, Task task) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        futures.add(
            executor.submit(
                () -> {
                  task.run(thread);
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        future.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
      assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
