// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every transport promises for when the code that uses it is wrong. */
abstract class TransportMisuseContract extends TransportFixture {

  private static final InetSocketAddress UNKNOWN =
      InetSocketAddress.createUnresolved("no.such.host.invalid", 1);

  /** Throws at what it is told to, and counts its ends. */
  private static final class Failing implements MessageHandler {

    private final boolean atMessages;
    private final AtomicInteger ends = new AtomicInteger();

    Failing(boolean atMessages) {
      this.atMessages = atMessages;
    }

    @Override
    public void onMessage(Connection connection, ByteBuffer message) {
      if (atMessages) {
        throw new IllegalStateException("a handler that is wrong");
      }
    }

    @Override
    public void onClosed(Connection connection, IOException cause) {
      ends.incrementAndGet();
      if (!atMessages) {
        throw new IllegalStateException("a handler that is wrong at the end");
      }
    }
  }

  @Test
  void anAcceptorThatFailsCostsItsConnection() throws Exception {
    TestPeer here = peer(KB);
    AtomicReference<Connection> accepted = new AtomicReference<>();
    ArrayDeque<MessageHandler> accepting = new ArrayDeque<>(List.of(handler()));
    TestPeer there = peer(KB, accepting::remove);
    Listener failing =
        closing(
            there
                .transport()
                .listen(
                    TestPeer.freePort(),
                    connection -> {
                      accepted.set(connection);
                      throw new IllegalStateException("an acceptor that is wrong");
                    }));
    RecordingHandler handler = handler();
    try {
      here.connectTo(failing.address(), handler);
      handler.awaitClosed();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining(Integer.toString(failing.address().getPort()));
    }
    Await.until("the other side's is no connection", () -> !accepted.get().isOpen());
    Outcomes outcomes = new Outcomes();
    accepted.get().flush(outcomes);
    outcomes.awaitEnded(1);
    assertThat(outcomes.failed()).isOne();
    assertServes(there, here);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHandlerThatFailsCostsItsConnection(boolean atMessages) throws Exception {
    TestPeer here = peer(KB);
    Failing failing = new Failing(atMessages);
    TestPeer there = peer(KB, new ArrayDeque<MessageHandler>(List.of(failing, handler()))::remove);
    RecordingHandler handler = handler();
    Connection connection = here.connectTo(there, handler);
    if (atMessages) {
      connection.send(message(1, 10), new Outcomes());
    } else {
      connection.close();
    }
    handler.awaitClosed();
    Await.until("its handler is told", () -> failing.ends.get() > 0);
    assertServes(there, here);
    assertThat(failing.ends).hasValue(1);
  }

  @Test
  void aCompletionThatFailsCostsItsConnection() throws Exception {
    TestPeer here = peer(KB);
    TestPeer there = peer(KB);
    RecordingHandler handler = handler();
    Connection connection = here.connectTo(there, handler);
    connection.flush(
        failure -> {
          throw new IllegalStateException("a completion that is wrong");
        });
    handler.awaitClosed();
    assertThat(handler.cause()).hasStackTraceContaining("a completion that is wrong");
    assertServes(there, here);
  }

  @Test
  void aHostThatIsNotKnownIsNamed() throws Exception {
    Transport transport = peer(KB).transport();
    assertThatThrownBy(() -> transport.connect(UNKNOWN, handler(), TestPeer.DEADLINE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no.such.host.invalid")
        .hasMessageContaining("not known");
    assertThatThrownBy(() -> transport.listen(UNKNOWN, connection -> handler()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no.such.host.invalid")
        .hasMessageContaining("not known");
  }

  @Test
  void aDeadlineThatIsNoneIsRefused() throws Exception {
    TestPeer there = peer(KB);
    for (Duration deadline :
        new Duration[] {Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(1_000_000_000)}) {
      assertThatThrownBy(() -> there.transport().connect(there.address(), handler(), deadline))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("deadline");
    }
  }

  /** Who connects gets a connection that ends with the transport, or an exception that says why. */
  @Test
  void aTransportCanBeClosedWhileOthersConnect() throws Exception {
    TestPeer there = peer(KB);
    for (int round = 0; round < 20; round++) {
      Transport transport = provider().open();
      List<Thread> threads = new ArrayList<>();
      AtomicReference<Throwable> wrong = new AtomicReference<>();
      AtomicInteger connected = new AtomicInteger();
      for (int i = 0; i < 3; i++) {
        Thread thread =
            new Thread(() -> connectUntilClosed(transport, there.address(), connected, wrong));
        threads.add(thread);
        thread.start();
      }
      int enough = round % 4;
      Await.until("they connect", () -> connected.get() >= enough || wrong.get() != null);
      transport.close();
      for (Thread thread : threads) {
        thread.join(Await.PATIENCE.toMillis());
        assertThat(thread.isAlive())
            .as(() -> "connecting to nobody's end: " + List.of(thread.getStackTrace()))
            .isFalse();
      }
      assertThat(wrong.get()).isNull();
    }
  }

  private void connectUntilClosed(
      Transport transport,
      InetSocketAddress address,
      AtomicInteger connected,
      AtomicReference<Throwable> wrong) {
    List<RecordingHandler> handlers = new ArrayList<>();
    try {
      while (true) {
        RecordingHandler handler = new RecordingHandler();
        transport.connect(address, handler, TestPeer.DEADLINE);
        handlers.add(handler);
        connected.incrementAndGet();
      }
    } catch (IOException e) {
      try {
        handlers.forEach(RecordingHandler::awaitClosed);
      } catch (AssertionError stillOpen) {
        wrong.set(stillOpen);
      }
    } catch (RuntimeException | AssertionError e) {
      wrong.set(e);
    }
  }

  /** Asserts that a peer still takes connections, and serves them. */
  final void assertServes(TestPeer there, TestPeer here) throws IOException {
    Connection connection = here.connectTo(there, handler());
    write(connection, here.region(), 0, KB, there.remote(), 0);
    flush(connection);
    connection.close();
  }
}
