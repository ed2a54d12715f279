// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Outcomes;
import dev.anemone.rdma.transport.RecordingHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.TestPeer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is TCP's own: capabilities, hostile peers, and that operations allocate nothing. */
class TcpConnectionTest {

  private static final int BYTES = 64 * 1024;

  private final RecordingHandler mine = new RecordingHandler();
  private final List<RecordingHandler> theirs = new CopyOnWriteArrayList<>();
  private TestPeer here;
  private TestPeer there;

  @BeforeEach
  void open() throws Exception {
    here = new TestPeer(new TcpTransportProvider(), BYTES, RecordingHandler::new);
    there =
        new TestPeer(
            new TcpTransportProvider(),
            BYTES,
            () -> {
              theirs.add(new RecordingHandler());
              return theirs.get(theirs.size() - 1);
            });
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
    mine.verify();
    theirs.forEach(RecordingHandler::verify);
  }

  @Test
  void memoryIsClosedToWhoGuessesItsKey() throws Exception {
    for (int bit = 64; bit < 192; bit += 9) {
      ByteBuffer key = ByteBuffer.allocate(there.remote().keyLength());
      key.put(there.remote().key()).flip();
      key.put(bit / 8, (byte) (key.get(bit / 8) ^ (1 << bit % 8)));
      assertRefused(new RemoteRegion(BYTES, key), 0, "the region is not registered");
    }
    ByteBuffer elsewhere = ByteBuffer.allocate(there.remote().keyLength());
    elsewhere.put(there.remote().key()).flip();
    for (long slot : new long[] {-1, 1, 1L << 32, Long.MAX_VALUE}) {
      assertRefused(
          new RemoteRegion(BYTES, elsewhere.putLong(0, slot)), 0, "the region is not registered");
    }
  }

  @Test
  void memoryEndsWhereItsOwnerSays() throws Exception {
    for (long offset :
        new long[] {BYTES, BYTES - 7, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE - 8}) {
      assertRefused(new RemoteRegion(Long.MAX_VALUE, there.remote().key()), offset, "not within");
    }
  }

  private void assertRefused(RemoteRegion forged, long offset, String reason) throws Exception {
    RecordingHandler handler = new RecordingHandler();
    Connection reading = here.connectTo(there, handler);
    Outcomes read = new Outcomes();
    reading.read(forged, offset, here.region(), 0, 8, read);
    read.awaitEnded(1);
    assertThat(read.failure())
        .hasMessageContaining("the peer refused")
        .hasMessageContaining(reason);

    here.fill(0, new byte[] {1, 1, 1, 1, 1, 1, 1, 1});
    Connection writing = here.connectTo(there, handler);
    Outcomes written = new Outcomes();
    writing.write(here.region(), 0, 8, forged, offset, written);
    writing.flush(written);
    written.awaitEnded(2);
    assertThat(written.failure()).hasMessageContaining(reason);
    assertThat(there.bytes(0, BYTES)).containsOnly(0);
  }

  @Test
  void aPeerThatSendsNonsenseIsHungUpOn() throws Exception {
    Random random = new Random(3);
    for (int i = 0; i < 20; i++) {
      byte[] frames = new byte[FrameHeader.BYTES * 4];
      random.nextBytes(frames);
      // Half of them get a kind that there is.
      ByteBuffer.wrap(frames).putInt(0, i % 2 == 0 ? i / 2 % 8 : random.nextInt());
      RecordingHandler handler = new RecordingHandler();
      try (TestPeer victim = new TestPeer(new TcpTransportProvider(), BYTES, () -> handler);
          Socket socket = greeted(victim)) {
        socket.getOutputStream().write(frames);
        socket.shutdownOutput();
        handler.awaitClosed();
        assertThat(victim.bytes(0, BYTES)).containsOnly(0);
      }
      handler.verify();
    }
  }

  @Test
  void aPeerThatAsksForTooMuchAtOnceIsHungUpOn() throws Exception {
    try (Socket socket = greeted(there)) {
      Await.until("the connection is accepted", () -> !theirs.isEmpty());
      ByteBuffer header = ByteBuffer.allocate(FrameHeader.BYTES);
      FrameHeader.put(header, Opcode.READ, BYTES, 1);
      TcpRegion.putKey(header, there.remote(), 0);
      try {
        // It reads none of the answers: 64 MB do not fit between.
        for (int i = 0; i < 1_000; i++) {
          socket.getOutputStream().write(header.array());
        }
      } catch (IOException e) {
        assertThat(theirs.get(0).isClosed()).isTrue();
      }
      theirs.get(0).awaitClosed();
      assertThat(theirs.get(0).cause()).hasMessageContaining("requests are under way");
    }
  }

  private static Socket greeted(TestPeer peer) throws IOException {
    Socket socket = new Socket(peer.address().getAddress(), peer.address().getPort());
    socket.getOutputStream().write(new Hello(20_000).encode().array());
    Hello.decode(ByteBuffer.wrap(socket.getInputStream().readNBytes(Hello.BYTES)));
    return socket;
  }

  @Test
  void anInterruptedThreadDoesNotEndTheConnection() throws Exception {
    Connection connection = here.connectTo(there, mine);
    Outcomes outcomes = new Outcomes();
    Thread.currentThread().interrupt();
    for (int i = 0; i < 1_000; i++) {
      connection.write(here.region(), 0, BYTES, there.remote(), 0, outcomes);
      connection.read(there.remote(), 0, here.region(), 0, 16, outcomes);
    }
    assertThat(Thread.interrupted()).isTrue();
    outcomes.awaitDone(2_000);
  }

  @Test
  void nothingIsWrittenToARegionAfterItWasClosed() throws Exception {
    for (int round = 0; round < 30; round++) {
      ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
      MemoryRegion region = there.transport().register(memory);
      Connection connection = here.connectTo(there, new RecordingHandler());
      byte[] marks = new byte[BYTES];
      Arrays.fill(marks, (byte) 1);
      here.fill(0, marks);
      Outcomes outcomes = new Outcomes();
      for (int i = 0; i < 60; i++) {
        connection.write(here.region(), 0, BYTES, region.remote(), 0, outcomes);
      }
      Await.until("the first write is there", () -> memory.get(0) == 1);
      region.close();
      byte[] zeros = new byte[BYTES];
      memory.put(0, zeros);
      connection.flush(outcomes);
      outcomes.awaitEnded(61);
      byte[] after = new byte[BYTES];
      memory.get(0, after);
      assertThat(after).isEqualTo(zeros);
      connection.close();
    }
  }

  @Test
  void operationsAllocateNothing() throws Exception {
    Connection connection = here.connectTo(there, mine);
    Outcomes outcomes = new Outcomes();
    operate(connection, 20_000, outcomes);
    long before = allocated();
    int operations = 20_000;
    operate(connection, operations, outcomes);
    double perOperation = (allocated() - before) / (double) operations;
    // The selectors make an Integer of 16 bytes for each event of a socket; nothing else does.
    assertThat(perOperation).as("bytes per operation, of all threads").isLessThan(24);
  }

  /** Reads, writes and flushes, eight at a time. */
  private void operate(Connection connection, int operations, Outcomes outcomes) {
    int begun = outcomes.ended();
    int end = begun + operations;
    while (begun < end) {
      while (begun - outcomes.ended() >= 8) {
        // Semaphores allocate for who waits.
        LockSupport.parkNanos(1);
      }
      int at = begun % 8 * 4096;
      switch (begun % 3) {
        case 0 -> connection.write(here.region(), at, 4096, there.remote(), at, outcomes);
        case 1 -> connection.read(there.remote(), at, here.region(), at, 4096, outcomes);
        default -> connection.flush(outcomes);
      }
      begun++;
    }
    outcomes.awaitEnded(end);
    assertThat(outcomes.failure()).isNull();
  }

  /** Bytes that this thread and the transports' have allocated on the heap. */
  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread == Thread.currentThread() || thread.getName().startsWith("anemone-tcp")) {
        sum += threads.getThreadAllocatedBytes(thread.getId());
      }
    }
    return sum;
  }
}
