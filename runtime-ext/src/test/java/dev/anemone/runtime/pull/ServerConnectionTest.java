// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a reader takes of a server that does not what it should. */
@Timeout(60)
class ServerConnectionTest {

  private static final Hello HELLO = new Hello("job_7", "server", new Producer(0, 0));
  private static final int BYTES = 1000;

  @TempDir private Path directory;
  private final JobSecret secret = JobSecret.random();
  private Transport transport;
  private MemoryRegion memory;
  private MemoryRegion ofServer;

  /** What may be offered for partition 2, of 1,000 bytes, and may not. */
  private static final Piece RIGHT = new Piece(2, BYTES, 7, 0, BYTES, 0);

  private static Stream<Piece> wrong() {
    return Stream.of(
        new Piece(3, BYTES, 7, 0, BYTES, 0),
        new Piece(2, BYTES, 7, 0, 0, 0),
        new Piece(2, 1 << 20, 7, 0, PullProtocol.PIECE_BYTES + 1, 0),
        new Piece(2, BYTES - 1, 7, 0, BYTES, 0),
        new Piece(2, BYTES, -1, 0, BYTES, 0),
        new Piece(2, BYTES, 7, -1, BYTES, 0),
        new Piece(2, BYTES, 7, Long.MAX_VALUE - 3, BYTES, 0));
  }

  /** Lets everybody in, and answers every want with one piece. */
  private final class Server implements MessageHandler {

    private final Piece offered;
    private ReceiverHandshake handshake;
    private boolean welcomed;

    Server(Piece offered) {
      this.offered = offered;
    }

    @Override
    public void onMessage(Connection connection, ByteBuffer message) {
      if (handshake == null) {
        ByteBuf hello = Unpooled.wrappedBuffer(message).skipBytes(PushProtocol.PREAMBLE_BYTES);
        hello.skipBytes(hello.readableBytes() - JobSecret.NONCE_BYTES);
        handshake = new ReceiverHandshake(secret, HELLO, hello);
        send(connection, handshake.challenge(UnpooledByteBufAllocator.DEFAULT).nioBuffer());
      } else if (!welcomed) {
        welcomed = true;
        send(
            connection,
            ByteBuffer.allocateDirect(Reply.BYTES).put(Reply.WELCOME.code()).putInt(0).flip());
        ByteBuffer key = ofServer.remote().key();
        send(
            connection,
            ByteBuffer.allocateDirect(PullProtocol.MEMORY_HEADER_BYTES + key.remaining())
                .put(PullProtocol.MEMORY)
                .putLong(ofServer.remote().length())
                .put(key)
                .flip());
      } else if (message.get() == PullProtocol.WANT) {
        send(connection, offered.writeTo(ByteBuffer.allocateDirect(Piece.MESSAGE_BYTES)));
      }
    }

    private void send(Connection connection, ByteBuffer message) {
      connection.send(message, failure -> {});
    }

    @Override
    public void onClosed(Connection connection, IOException cause) {}
  }

  @BeforeEach
  void open() throws Exception {
    transport = Transports.found().open("tcp");
    memory = transport.allocate(PullProtocol.CONNECTION_BYTES);
    ofServer = transport.allocate(1 << 20);
    for (int i = 0; i < 2 * BYTES; i++) {
      ofServer.memory().put(i, (byte) (i * 7));
    }
  }

  @AfterEach
  void close() {
    List.of(memory, ofServer).forEach(MemoryRegion::close);
    transport.close();
  }

  /** With the checksum of the bytes at the beginning of the memory. */
  private Piece summed(Piece piece) {
    CRC32C checksum = new CRC32C();
    checksum.update(ofServer.memory().slice(0, BYTES));
    return new Piece(
        piece.partition(),
        piece.storedLength(),
        piece.rawLength(),
        piece.offset(),
        piece.bytes(),
        (int) checksum.getValue());
  }

  private BlockReader read(Piece offered) throws IOException {
    BitSet wanted = new BitSet();
    wanted.set(2);
    Piece piece = summed(offered);
    try (Listener listener =
            transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                connection -> new Server(piece));
        ServerConnection connection =
            ServerConnection.open(
                transport,
                listener.address(),
                new SenderHandshake(secret, HELLO),
                new FetchSettings(
                    Duration.ofSeconds(9),
                    Duration.ofSeconds(9),
                    Duration.ofSeconds(9),
                    Duration.ofSeconds(9)));
        CopiedBlock copy =
            new BlockCopies(new LocalFileStore(directory)).begin(new BlockId("block"), wanted)) {
      connection.read(copy, memory);
      return copy.finish(FetchWay.TRANSPORT);
    }
  }

  @Test
  void whatIsRightIsTaken() throws IOException {
    try (BlockReader reader = read(RIGHT)) {
      ByteBuffer found = ByteBuffer.allocate(BYTES);
      reader.read(2, 0, found);
      assertThat(found.flip()).isEqualTo(ofServer.memory().slice(0, BYTES));
      assertThat(reader.index().rawLength(2)).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsWrongIsNotTaken(Piece offered) {
    assertThatThrownBy(() -> read(offered))
        .isInstanceOf(UnservedException.class)
        .hasMessageContaining("it offers");
  }

  @Test
  void bytesOfAnotherChecksumAreNotTaken() {
    assertThatThrownBy(() -> read(new Piece(2, BYTES, 7, 1, BYTES, 0)))
        .isInstanceOf(UnservedException.class)
        .hasMessageContaining("checksum");
  }
}
