// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;

/** A stranger who reaches a listener, and sends frames in the name of somebody's connection. */
@ExtendWith(RequiresUcx.class)
class StrangersFramesTest {

  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final List<LoopConnection> accepted = new CopyOnWriteArrayList<>();
  private final Events there = new Events();
  private final Events here = new Events();
  private SharedWorker worker;
  private LoopTransport transport;
  private InetSocketAddress address;
  private LoopConnection connection;

  @BeforeEach
  void connect() throws Exception {
    worker = SharedWorker.acquire();
    transport = LoopTransport.open(worker);
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    address = worker.loop().call(() -> transport.listen(anyPort, this::accept)).address();
    connection = worker.loop().call(() -> transport.connect(address, DEADLINE, here));
    Await.until("the connection", () -> here.opened);
  }

  private boolean accept(LoopConnection taken) {
    taken.setEvents(there);
    return accepted.add(taken);
  }

  @AfterEach
  void close() {
    if (worker != null) {
      transport.close();
      worker.release();
    }
  }

  @Test
  void nobodyEndsAConnectionWhoseNumberHeKnows() throws Exception {
    long number = accepted.get(0).number();
    worker
        .loop()
        .call(
            () -> {
              LoopConnection stranger =
                  new LoopConnection(transport, worker.nextNumber(), address, DEADLINE.toNanos());
              UcpEndpoint endpoint =
                  worker.open(stranger, new UcpEndpointParams().setSocketAddress(address));
              stranger.setEndpoint(endpoint);
              stranger.setEvents(new Events());
              Outbox forged = new Outbox(endpoint);
              forged.setReceiver(number);
              // Its places in the order are those that the victim awaits next.
              forged.send(Frame.Type.GRANT, body -> {});
              forged.send(Frame.Type.BYE, body -> {});
              forged.send(Frame.Type.BYE, body -> {});
              stranger.sendHello();
              return stranger;
            });
    Await.until("the stranger's own greeting, which came last", () -> accepted.size() == 2);
    sendMessage();
    Await.until("a message of the connection's own", () -> there.messages == 1 || there.closed);
    assertThat(there.messages).isEqualTo(1);
    assertThat(there.closed).isFalse();
  }

  @Test
  void numbersCannotBeGuessed() {
    Set<Long> highHalves =
        IntStream.range(0, 64)
            .mapToObj(i -> worker.nextNumber() >>> 32)
            .collect(Collectors.toSet());
    assertThat(highHalves).hasSizeGreaterThan(60);
  }

  private void sendMessage() throws IOException {
    UcxConnection sender = new UcxConnection(connection, transport.regions());
    sender.send(ByteBuffer.wrap(new byte[1]), failure -> assertThat(failure).isNull());
  }

  /** What happened to a connection. */
  private static final class Events implements ConnectionEvents {

    private volatile boolean opened;
    private volatile int messages;
    private volatile boolean closed;

    @Override
    public void opened() {
      opened = true;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // UCX's thread alone writes it
    public void message(ByteBuffer message) {
      messages++;
    }

    @Override
    public void closed(IOException cause) {
      closed = true;
    }
  }
}
