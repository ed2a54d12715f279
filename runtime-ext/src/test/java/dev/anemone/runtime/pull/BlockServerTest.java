// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.CopiedBlock;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.FetchWay;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a server does with peers that do not what they should. */
@Timeout(60)
class BlockServerTest {

  private static final String JOB = "job_7";
  private static final BlockId NOTICE = new BlockId("notice");
  private static final BlockId BLOCK = new BlockId("block");

  /** One peer at a time, which may say nothing for a second. */
  private static final FetchSettings IMPATIENT =
      new FetchSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          1,
          1,
          1);

  @TempDir private Path directory;

  private final JobSecret secret = JobSecret.random();
  private final byte[] content = new byte[5 * PullProtocol.PIECE_BYTES];
  private LocalFileStore blocks;
  private LocalFileStore scratch;
  private Transport transport;
  private BlockServer server;
  private ServerNotice notice;

  @BeforeEach
  void serve() throws Exception {
    blocks = new LocalFileStore(directory.resolve("blocks"));
    scratch = new LocalFileStore(directory.resolve("scratch"));
    new Random(1).nextBytes(content);
    try (BlockWriter writer = blocks.create(BLOCK, 1, WriteOrder.ANY)) {
      writer.append(0, ByteBuffer.wrap(content), content.length);
      writer.commit();
    }
    transport = Transports.found().open("tcp");
    server = new BlockServer(transport, InetAddress.getLoopbackAddress(), secret, IMPATIENT);
    server.serve(JOB, blocks, NOTICE);
    try (BlockReader reader = blocks.open(NOTICE, new ReadStatistics())) {
      notice = ServerNotice.read(reader).orElseThrow();
    }
  }

  @AfterEach
  void close() {
    server.close();
    transport.close();
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), notice.port());
  }

  private SenderHandshake handshake() {
    return new SenderHandshake(secret, new Hello(JOB, notice.serverId(), new Producer(0, 0)));
  }

  /** Reads the block as an executor does. */
  private void assertServed() throws IOException {
    BitSet whole = new BitSet();
    whole.set(0);
    MemoryRegion memory = transport.allocate(PullProtocol.CONNECTION_BYTES);
    try (ServerConnection connection =
            ServerConnection.open(transport, address(), handshake(), FetchSettings.DEFAULT);
        CopiedBlock copy = new BlockCopies(scratch).begin(BLOCK, whole)) {
      connection.read(copy, memory);
      try (BlockReader reader = copy.finish(FetchWay.TRANSPORT)) {
        ByteBuffer found = ByteBuffer.allocate(content.length);
        reader.read(0, 0, found);
        assertThat(found.array()).isEqualTo(content);
      }
    } finally {
      memory.close();
    }
  }

  /** A peer that sends what it likes. */
  private static final class Peer implements MessageHandler {

    private final LinkedBlockingQueue<ByteBuffer> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    @Override
    public void onMessage(Connection connection, ByteBuffer message) {
      messages.add(ByteBuffer.allocate(message.remaining()).put(message).flip());
    }

    @Override
    public void onClosed(Connection connection, IOException cause) {
      closed.complete(null);
    }

    ByteBuffer next() throws InterruptedException {
      ByteBuffer message = messages.poll(20, TimeUnit.SECONDS);
      assertThat(message).as("an answer").isNotNull();
      return message;
    }

    void awaitClosed() throws Exception {
      closed.get(20, TimeUnit.SECONDS);
    }
  }

  private Connection connect(Peer peer) throws IOException {
    return transport.connect(address(), peer, Duration.ofSeconds(20));
  }

  private Connection introduced(Peer peer) throws Exception {
    Connection connection = connect(peer);
    SenderHandshake handshake = handshake();
    send(connection, handshake.greeting(UnpooledByteBufAllocator.DEFAULT));
    ByteBuf challenge = Unpooled.wrappedBuffer(peer.next());
    challenge.skipBytes(5);
    send(connection, handshake.answer(challenge, UnpooledByteBufAllocator.DEFAULT).orElseThrow());
    peer.next();
    assertThat(peer.next().get()).isEqualTo(PullProtocol.MEMORY);
    return connection;
  }

  private static void send(Connection connection, ByteBuf bytes) {
    connection.send(bytes.nioBuffer(), failure -> {});
    bytes.release();
  }

  private static ByteBuffer want(int partition) {
    BitSet wanted = new BitSet();
    wanted.set(partition);
    return new Want(BLOCK, wanted).toMessage().orElseThrow();
  }

  @Test
  void aPeerThatReadsNothingKeepsOthersWaitingForATimeOnly() throws Exception {
    Peer stuck = new Peer();
    Connection connection = introduced(stuck);
    connection.send(want(0), failure -> {});
    assertThat(stuck.next().get()).isEqualTo(PullProtocol.PIECE);
    assertThat(stuck.next().get()).isEqualTo(PullProtocol.PIECE);

    assertServed();

    stuck.awaitClosed();
    assertThat(stuck.messages).as("no more than two pieces ahead").isEmpty();
  }

  @Test
  void aPeerThatDoesNotIntroduceItselfIsDisconnected() throws Exception {
    Peer silent = new Peer();
    assertThat(connect(silent).isOpen()).isTrue();
    silent.awaitClosed();
    assertServed();
  }

  @Test
  void aPartitionThatIsNotThereIsRefusedWithTheReason() throws Exception {
    Peer peer = new Peer();
    Connection connection = introduced(peer);
    connection.send(want(3), failure -> {});
    ByteBuffer answer = peer.next();
    assertThat(answer.get()).isEqualTo(PullProtocol.FAILURE);
    assertThat(StandardCharsets.UTF_8.decode(answer).toString())
        .isEqualTo("partition 3 has nothing");
    connection.close();
    assertServed();
  }

  @Test
  void whatIsNoMessageEndsTheConnectionAndNothingElse() throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      Peer peer = new Peer();
      Connection connection = round % 2 == 0 ? connect(peer) : introduced(peer);
      byte[] bytes = new byte[1 + random.nextInt(100)];
      random.nextBytes(bytes);
      if (round % 4 == 1) {
        bytes[0] = PullProtocol.WANT;
      } else if (round % 4 == 3) {
        bytes[0] = PullProtocol.RELEASE;
      }
      connection.send(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip(), failure -> {});
      peer.awaitClosed();
    }
    assertServed();
  }

  @Test
  void aServerThatIsGoneIsNoReasonToWait() {
    server.close();
    assertThatThrownBy(
            () -> ServerConnection.open(transport, address(), handshake(), FetchSettings.DEFAULT))
        .isInstanceOf(UnservedException.class)
        .hasMessageContaining("it cannot be reached");
  }

  @Test
  void anotherServerAtThePortOfTheOneThatWasNoticedDoesNotServe() {
    SenderHandshake ofAnother =
        new SenderHandshake(secret, new Hello(JOB, "another", new Producer(0, 0)));
    assertThatThrownBy(
            () -> ServerConnection.open(transport, address(), ofAnother, FetchSettings.DEFAULT))
        .isInstanceOf(UnservedException.class)
        .hasMessageContaining("another receiver");
  }
}
