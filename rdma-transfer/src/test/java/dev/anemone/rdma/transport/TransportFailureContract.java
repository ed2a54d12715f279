// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every transport promises for when something goes wrong, and for the end. */
abstract class TransportFailureContract extends TransportMemoryContract {

  private static final Duration SHORT = Duration.ofSeconds(1);

  /** Is reached by a test, but not while a busy machine connects. */
  private static final Duration REACHED = Duration.ofSeconds(5);

  @ParameterizedTest
  @EnumSource(TestMemory.class)
  void aRegionThatThePeerClosedCannotBeRead(TestMemory memory) throws Exception {
    TestPeer here = peer(KB);
    TestPeer there = peer(KB);
    RecordingHandler handler = handler();
    MemoryRegion region = region(there, memory, KB);
    Connection connection = here.connectTo(there, handler);
    read(connection, region.remote(), 0, here.region(), 0, KB);
    region.close();
    Outcomes outcomes = new Outcomes();
    connection.read(region.remote(), 0, here.region(), 0, KB, outcomes);
    outcomes.awaitEnded(1);
    assertThat(outcomes.failure()).isNotNull();
    assertEnded(connection, handler);
    assertThat(handler.cause()).isNotNull();
    assertServes(there, here);
  }

  @ParameterizedTest
  @EnumSource(TestMemory.class)
  void aRegionThatThePeerClosedCannotBeWritten(TestMemory kind) throws Exception {
    TestPeer here = peer(KB);
    TestPeer there = peer(KB);
    RecordingHandler handler = handler();
    MemoryRegion region = region(there, kind, KB);
    Connection connection = here.connectTo(there, handler);
    region.close();
    here.fill(0, new byte[] {1});
    Outcomes outcomes = new Outcomes();
    connection.write(here.region(), 0, KB, region.remote(), 0, outcomes);
    connection.flush(outcomes);
    outcomes.awaitEnded(2);
    assertThat(outcomes.failed()).isPositive();
    assertThat(region.memory().get(0)).isZero();
    assertEnded(connection, handler);
    assertServes(there, here);
  }

  @Test
  void aPeerThatClosesIsNoticed() throws Exception {
    TestPeer here = peer(KB);
    RecordingHandler theirs = handler();
    TestPeer there = peer(KB, new ArrayDeque<MessageHandler>(List.of(theirs, handler()))::remove);
    RecordingHandler handler = handler();
    Connection connection = here.connectTo(there, handler);
    there.accepted(0).close();
    assertEnded(connection, handler);
    assertThat(handler.cause()).isNull();
    assertEnded(there.accepted(0), theirs);
    assertThat(theirs.cause()).isNull();
    assertServes(there, here);
  }

  @Test
  void aPeerThatIsKilledIsNoticed() throws Exception {
    PeerProcess there = process(MB);
    TestPeer here = peer(MB);
    RecordingHandler handler = handler();
    Connection connection = here.connectTo(there.address(), handler);
    AtomicInteger begun = new AtomicInteger();
    Outcomes outcomes = new Outcomes();
    Completion[] again = new Completion[1];
    again[0] =
        failure -> {
          if (failure == null) {
            begun.incrementAndGet();
            connection.read(there.remote(), 0, here.region(), 0, 64 * KB, again[0]);
          }
          outcomes.completed(failure);
        };
    for (int i = 0; i < 4; i++) {
      begun.incrementAndGet();
      connection.read(there.remote(), 0, here.region(), 0, 64 * KB, again[0]);
    }
    outcomes.awaitDone(50);
    there.kill();
    assertEnded(connection, handler);
    assertThat(handler.cause()).as("a cause, since nobody closed the connection").isNotNull();
    assertThat(outcomes.ended()).as("completed before onClosed").isEqualTo(begun.get());
  }

  @Test
  void aPeerThatIsKilledIsNoticedWithoutOperations() throws Exception {
    PeerProcess there = process(KB);
    RecordingHandler handler = handler();
    Connection connection = peer(KB).connectTo(there.address(), handler);
    there.kill();
    assertEnded(connection, handler);
    assertThat(handler.cause()).isNotNull();
  }

  @Test
  void operationsEndAtTheDeadline() throws Exception {
    // Memory of the transport's own may be reached without the peer.
    PeerProcess there = process(TestMemory.FOREIGN, MB);
    TestPeer here = peer(MB);
    RecordingHandler handler = handler();
    Connection connection = here.transport().connect(there.address(), handler, REACHED);
    read(connection, there.remote(), 0, here.region(), 0, MB);
    there.stop();
    long begin = System.nanoTime();
    Outcomes outcomes = new Outcomes();
    int operations = 3 * connection.maxOutstanding();
    for (int i = 0; i < operations; i++) {
      connection.read(there.remote(), 0, here.region(), 0, MB, outcomes);
    }
    outcomes.awaitEnded(operations);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    if (needsThePeersThreads()) {
      assertThat(outcomes.failed()).isEqualTo(operations);
      assertThat(outcomes.failure()).hasMessageContaining("5000 ms");
      assertEnded(connection, handler);
      assertThat(handler.cause()).isNotNull();
    }
  }

  @Test
  void nobodyListens() throws Exception {
    TestPeer here = peer(KB);
    InetSocketAddress address;
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(TestPeer.freePort());
      address = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    assertThatThrownBy(() -> here.transport().connect(address, handler(), SHORT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Integer.toString(address.getPort()));
  }

  @Test
  void aListenerThatIsNoneOfOursIsNamed() throws Exception {
    TestPeer here = peer(KB);
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(TestPeer.freePort());
      InetSocketAddress address = (InetSocketAddress) socket.getLocalSocketAddress();
      // It takes the connection into its backlog, and says nothing.
      assertThatThrownBy(() -> here.transport().connect(address, handler(), SHORT))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(Integer.toString(address.getPort()));
    }
  }

  @Test
  void garbageDoesNotEndAListener() throws Exception {
    TestPeer here = peer(KB);
    TestPeer there = peer(KB);
    Random random = new Random(11);
    for (int i = 0; i < 20; i++) {
      try (Socket socket = new Socket()) {
        socket.connect(there.address(), (int) SHORT.toMillis());
        socket.getOutputStream().write(randomBytes(random, 1 + random.nextInt(10_000)));
      } catch (SocketException e) {
        // It hung up: it may.
        assertThat(e).isNotNull();
      }
    }
    assertServes(there, here);
  }

  @Test
  void aListenerThatIsClosedTakesNoMore() throws Exception {
    TestPeer here = peer(KB);
    TestPeer there = peer(KB);
    Connection before = here.connectTo(there, handler());
    there.listener().close();
    there.listener().close();
    assertThatThrownBy(() -> here.transport().connect(there.address(), handler(), SHORT))
        .isInstanceOf(IOException.class);
    write(before, here.region(), 0, KB, there.remote(), 0);
    flush(before);
  }

  @Test
  void anAddressIsListenedToOnce() throws Exception {
    TestPeer there = peer(KB);
    assertThatThrownBy(() -> there.transport().listen(there.address(), c -> handler()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Integer.toString(there.address().getPort()));
  }

  @Test
  void operationsUnderWayFailAtClose() throws Exception {
    TestPeer here = peer(MB);
    TestPeer there = peer(MB);
    for (int round = 0; round < 10; round++) {
      RecordingHandler handler = handler();
      Connection connection = here.connectTo(there, handler);
      AtomicBoolean afterTheEnd = new AtomicBoolean();
      Outcomes outcomes = new Outcomes();
      int operations = connection.maxOutstanding();
      for (int i = 0; i < operations; i++) {
        connection.read(
            there.remote(),
            0,
            here.region(),
            0,
            MB,
            failure -> {
              afterTheEnd.compareAndSet(false, handler.isClosed());
              outcomes.completed(failure);
            });
      }
      connection.close();
      connection.close();
      outcomes.awaitEnded(operations);
      assertEnded(connection, handler);
      assertThat(handler.cause()).isNull();
      assertThat(outcomes.ended()).isEqualTo(operations);
      assertThat(afterTheEnd).as("completed after onClosed").isFalse();
    }
    assertServes(there, here);
  }

  @Test
  void aTransportThatIsClosedDoesNothing() throws Exception {
    TestPeer there = peer(KB);
    RecordingHandler handler = handler();
    Transport transport = provider().open();
    Connection connection = transport.connect(there.address(), handler, TestPeer.DEADLINE);
    transport.close();
    transport.close();
    assertEnded(connection, handler);
    assertThatThrownBy(() -> transport.connect(there.address(), handler(), SHORT))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> transport.listen(TestPeer.freePort(), c -> handler()))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> transport.register(ByteBuffer.allocateDirect(1)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void regionsThatAreLeftAreNamed() throws Exception {
    Transport transport = provider().open();
    MemoryRegion region = transport.register(ByteBuffer.allocateDirect(KB));
    assertThatThrownBy(transport::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 ");
    region.close();
  }

  @Test
  void nothingIsLeftAfterClose() throws Exception {
    // The first use opens what stays: selectors of the JDK's, native libraries.
    useAndClose();
    Set<Thread> threads = Thread.getAllStackTraces().keySet();
    long files = openFiles();
    for (int i = 0; i < 3; i++) {
      useAndClose();
    }
    Await.until("as many open files as before: " + files, () -> openFiles() <= files);
    Await.until(
        "no more threads than before, but " + newThreads(threads),
        () -> newThreads(threads).isEmpty());
  }

  private void useAndClose() throws IOException {
    try (TestPeer here = new TestPeer(provider(), MB, this::handler);
        TestPeer there = new TestPeer(provider(), MB, this::handler)) {
      for (int i = 0; i < 3; i++) {
        Connection connection = here.connectTo(there, handler());
        write(connection, here.region(), 0, MB, there.remote(), 0);
        send(connection, message(i, 10));
        flush(connection);
      }
    }
  }

  private static Set<String> newThreads(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .collect(Collectors.toSet());
  }

  private static long openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    } catch (IOException e) {
      throw new AssertionError("this test needs /proc", e);
    }
  }
}
