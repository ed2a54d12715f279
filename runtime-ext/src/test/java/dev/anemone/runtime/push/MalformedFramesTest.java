// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.shuffle.format.Producer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that do not keep to the protocol are disconnected and do no harm to others. */
class MalformedFramesTest {

  private static final int TIMEOUT_MILLIS = 20_000;

  /** Buffers that need not be released. */
  private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false, true);

  @TempDir private Path directory;
  private PushHarness harness;
  private PushReceiver receiver;

  @BeforeEach
  void open() throws IOException {
    harness = new PushHarness(PushWires.NETTY, directory);
    receiver = harness.receiver(16);
  }

  @AfterEach
  void othersAreServedAndNothingIsLeft() throws Exception {
    try (SendingTask honest = harness.task(0, 0, receiver)) {
      honest.send(10, 100_000);
      assertThat(honest.finish().fallbackWritten()).isFalse();
      honest.assertExactlyOnce(receiver);
    }
    PushHarness.await("pages of the malformed", () -> harness.takenBytes() == 0);
    harness.close();
  }

  private ByteBuf hello() {
    return new Hello(PushHarness.JOB, receiver.address().receiverId(), new Producer(66, 0))
        .toBytes(HEAP);
  }

  private static ByteBuf header(int number, int entries) {
    return Unpooled.buffer().writeByte(PushProtocol.BATCH).writeInt(number).writeInt(entries);
  }

  /** Sends bytes, and reads replies until the receiver disconnects. */
  private byte[] replies(ByteBuf... frames) throws IOException {
    try (Socket socket = new Socket(receiver.address().host(), receiver.address().port())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      byte[] sent = ByteBufUtil.getBytes(Unpooled.wrappedBuffer(frames));
      try {
        socket.getOutputStream().write(sent);
        return socket.getInputStream().readAllBytes();
      } catch (SocketException reset) {
        return new byte[0];
      }
    }
  }

  private void assertDisconnected(ByteBuf... frames) throws IOException {
    assertThat(new String(replies(frames), StandardCharsets.ISO_8859_1)).isIn("", "W\0\0\0\0");
    assertThat(receiver.counters().batches()).isZero();
  }

  @Test
  void garbage() throws IOException {
    byte[] garbage = new byte[100_000];
    new Random(5).nextBytes(garbage);
    assertDisconnected(Unpooled.wrappedBuffer(garbage));
  }

  @Test
  void anotherVersion() throws IOException {
    ByteBuf hello = hello();
    hello.setInt(4, 2);
    assertThat(replies(hello)).containsExactly('R', 0, 0, 0, Refusal.VERSION.code());
  }

  @Test
  void aHugeHello() throws IOException {
    ByteBuf hello = hello();
    hello.setInt(8, Integer.MAX_VALUE);
    assertDisconnected(hello);
  }

  @Test
  void aHelloWithANameThatDoesNotEnd() throws IOException {
    ByteBuf hello = hello();
    hello.setInt(20, 1 << 20);
    assertDisconnected(hello);
  }

  @Test
  void garbageBehindTheHello() throws IOException {
    assertDisconnected(
        hello(), Unpooled.wrappedBuffer("GET / HTTP/1.1".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aHugeTable() throws IOException {
    assertDisconnected(hello(), header(0, Integer.MAX_VALUE));
  }

  @Test
  void noEntries() throws IOException {
    assertDisconnected(hello(), header(0, 0));
  }

  @Test
  void aNegativeLength() throws IOException {
    assertDisconnected(
        hello(), header(0, 1), Unpooled.buffer().writeInt(1).writeInt(-5).writeLong(0));
  }

  @Test
  void tooManyBytesForABatchOfSeveralEntries() throws IOException {
    ByteBuf entry = Unpooled.buffer().writeInt(1).writeInt(1 << 30).writeLong(0);
    assertDisconnected(hello(), header(0, 2), entry, entry.copy());
  }

  @Test
  void aNumberThatWasUsedBefore() throws IOException {
    ByteBuf batch = header(4, 1).writeInt(1).writeInt(2).writeLong(9).writeShort(77);
    byte[] replies = replies(hello(), batch, batch.copy());
    assertThat(replies).isIn(new byte[0], new byte[] {'W', 0, 0, 0, 0, 'A', 0, 0, 0, 4});
    receiver.discard(new Producer(66, 0));
  }

  @Test
  void anEntryThatIsTooLargeForAnyMemoryIsRefusedBeforeItComes() throws IOException {
    ByteBuf entry = Unpooled.buffer().writeInt(1).writeInt(Integer.MAX_VALUE).writeLong(0);
    try (Socket socket = new Socket(receiver.address().host(), receiver.address().port())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket
          .getOutputStream()
          .write(ByteBufUtil.getBytes(Unpooled.wrappedBuffer(hello(), header(3, 1), entry)));
      assertThat(socket.getInputStream().readNBytes(2 * Reply.BYTES))
          .containsExactly('W', 0, 0, 0, 0, 'F', 0, 0, 0, 3);
    }
  }

  @Test
  void aConnectionThatEndsWithinABatchLeavesNothing() throws IOException {
    ByteBuf entry = Unpooled.buffer().writeInt(1).writeInt(600_000).writeLong(0);
    try (Socket socket = new Socket(receiver.address().host(), receiver.address().port())) {
      socket.getOutputStream().write(ByteBufUtil.getBytes(hello()));
      socket
          .getOutputStream()
          .write(
              ByteBufUtil.getBytes(
                  Unpooled.wrappedBuffer(header(0, 1), entry, Unpooled.buffer().writeZero(1000))));
      PushHarness.await("a page", () -> harness.takenBytes() > 0);
    }
  }
}
