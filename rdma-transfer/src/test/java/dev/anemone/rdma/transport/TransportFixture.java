// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of a transport need. Peers and handlers are closed and verified at the end. */
abstract class TransportFixture {

  static final int KB = 1024;
  static final int MB = 1024 * KB;

  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private final List<RecordingHandler> handlers = new ArrayList<>();

  /** The transport under test, whose class has a public constructor without parameters. */
  protected abstract TransportProvider provider();

  /**
   * Whether a peer's threads move its bytes. Where they do not, operations on a peer that is
   * stopped may well succeed.
   */
  protected boolean needsThePeersThreads() {
    return true;
  }

  @BeforeEach
  final void isAvailable() throws IOException {
    try {
      provider().open().close();
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
  }

  @AfterEach
  final void closeAll() throws Exception {
    while (!resources.isEmpty()) {
      resources.pop().close();
    }
    handlers.forEach(RecordingHandler::verify);
  }

  final <T extends AutoCloseable> T closing(T resource) {
    resources.push(resource);
    return resource;
  }

  final RecordingHandler handler() {
    RecordingHandler handler = new RecordingHandler();
    handlers.add(handler);
    return handler;
  }

  final TestPeer peer(int bytes) throws IOException {
    return peer(bytes, this::handler);
  }

  final TestPeer peer(int bytes, Supplier<MessageHandler> accepting) throws IOException {
    return closing(new TestPeer(provider(), bytes, accepting));
  }

  final TestPeer peer(TestMemory memory, int bytes) throws IOException {
    return closing(new TestPeer(provider(), memory, bytes, this::handler));
  }

  final PeerProcess process(int bytes) throws IOException {
    return process(TestMemory.ALLOCATED, bytes);
  }

  final PeerProcess process(TestMemory memory, int bytes) throws IOException {
    return closing(PeerProcess.start(provider().getClass(), memory, bytes));
  }

  final MemoryRegion region(TestPeer peer, TestMemory memory, int bytes) throws IOException {
    return closing(memory.open(peer.transport(), bytes));
  }

  static byte[] randomBytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  static ByteBuffer message(int number, int length) {
    ByteBuffer message = ByteBuffer.allocate(length);
    for (int i = 0; i < length; i++) {
      message.put(i, (byte) (number * 31 + i * 7));
    }
    return message;
  }

  static void write(
      Connection connection, MemoryRegion from, int position, int length, RemoteRegion to, long at)
      throws IOException {
    Outcomes outcomes = new Outcomes();
    connection.write(from, position, length, to, at, outcomes);
    outcomes.awaitDone(1);
  }

  static void read(
      Connection connection,
      RemoteRegion from,
      long at,
      MemoryRegion into,
      int position,
      int length)
      throws IOException {
    Outcomes outcomes = new Outcomes();
    connection.read(from, at, into, position, length, outcomes);
    outcomes.awaitDone(1);
  }

  static void flush(Connection connection) throws IOException {
    Outcomes outcomes = new Outcomes();
    connection.flush(outcomes);
    outcomes.awaitDone(1);
  }

  static void send(Connection connection, ByteBuffer message) throws IOException {
    Outcomes outcomes = new Outcomes();
    connection.send(message, outcomes);
    outcomes.awaitDone(1);
  }

  /** Asserts that a connection has ended, on which an operation tells so too. */
  static void assertEnded(Connection connection, RecordingHandler handler) {
    handler.awaitClosed();
    assertThat(connection.isOpen()).isFalse();
    Outcomes outcomes = new Outcomes();
    connection.flush(outcomes);
    outcomes.awaitEnded(1);
    assertThat(outcomes.failure()).as("a flush after the end").isNotNull();
  }
}
