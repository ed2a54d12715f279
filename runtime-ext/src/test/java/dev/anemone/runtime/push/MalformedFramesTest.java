// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.push.raw.RawSender;
import dev.anemone.runtime.shuffle.format.Producer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that do not keep to the protocol are disconnected and do no harm to others. */
class MalformedFramesTest {

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
      assertThat(honest.finish().blockWritten()).isFalse();
      honest.assertExactlyOnce(receiver);
    }
    PushHarness.await("pages of the malformed", () -> harness.takenBytes() == 0);
    harness.close();
  }

  private SenderHandshake handshake() {
    return new SenderHandshake(
        PushHarness.SECRET,
        new Hello(PushHarness.JOB, receiver.address().receiverId(), new Producer(66, 0)));
  }

  private ByteBuf greeting() {
    return handshake().greeting(HEAP);
  }

  private static ByteBuf header(int number, int entries) {
    return Unpooled.buffer().writeByte(PushProtocol.BATCH).writeInt(number).writeInt(entries);
  }

  /** Sends bytes instead of a greeting, and reads replies until the receiver disconnects. */
  private List<String> repliesToStranger(ByteBuf bytes) throws IOException {
    try (RawSender sender = RawSender.connect(receiver.address())) {
      sender.send(bytes);
      return replies(sender);
    }
  }

  /** Sends frames when it has been let in, and reads replies until the receiver disconnects. */
  private List<String> replies(ByteBuf... frames) throws IOException {
    try (RawSender sender = letIn()) {
      sender.send(Unpooled.wrappedBuffer(frames));
      return replies(sender);
    }
  }

  private RawSender letIn() throws IOException {
    RawSender sender = RawSender.connect(receiver.address());
    sender.introduce(handshake());
    assertThat(sender.reply()).isEqualTo("W0");
    return sender;
  }

  private static List<String> replies(RawSender sender) throws IOException {
    List<String> replies = new ArrayList<>();
    for (String reply = sender.reply(); !reply.equals(RawSender.END); reply = sender.reply()) {
      replies.add(reply);
    }
    return replies;
  }

  private void assertDisconnected(ByteBuf... frames) throws IOException {
    assertThat(replies(frames)).isEmpty();
    assertThat(receiver.counters().batches()).isZero();
  }

  @Test
  void garbage() throws IOException {
    byte[] garbage = new byte[100_000];
    new Random(5).nextBytes(garbage);
    assertThat(repliesToStranger(Unpooled.wrappedBuffer(garbage))).isEmpty();
  }

  @Test
  void anotherVersion() throws IOException {
    ByteBuf greeting = greeting();
    greeting.setInt(4, PushProtocol.VERSION + 1);
    assertThat(repliesToStranger(greeting)).containsExactly("R" + Refusal.VERSION.code());
  }

  @Test
  void aHugeHello() throws IOException {
    ByteBuf greeting = greeting();
    greeting.setInt(8, Integer.MAX_VALUE);
    assertThat(repliesToStranger(greeting)).isEmpty();
  }

  @Test
  void aHelloWithANameThatDoesNotEnd() throws IOException {
    ByteBuf greeting = greeting();
    greeting.setInt(20, 1 << 20);
    assertThat(repliesToStranger(greeting)).isEmpty();
  }

  @Test
  void garbageInPlaceOfABatch() throws IOException {
    assertDisconnected(Unpooled.wrappedBuffer("GET / HTTP/1.1".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aHugeTable() throws IOException {
    assertDisconnected(header(0, Integer.MAX_VALUE));
  }

  @Test
  void noEntries() throws IOException {
    assertDisconnected(header(0, 0));
  }

  @Test
  void aNegativeLength() throws IOException {
    assertDisconnected(header(0, 1), Unpooled.buffer().writeInt(1).writeInt(-5).writeLong(0));
  }

  @Test
  void tooManyBytesForABatchOfSeveralEntries() throws IOException {
    ByteBuf entry = Unpooled.buffer().writeInt(1).writeInt(1 << 30).writeLong(0);
    assertDisconnected(header(0, 2), entry, entry.copy());
  }

  @Test
  void aNumberThatWasUsedBefore() throws IOException {
    ByteBuf batch = header(4, 1).writeInt(1).writeInt(2).writeLong(9).writeShort(77);
    // The receiver may disconnect before its answer is on its way.
    assertThat(replies(batch, batch.copy())).isIn(List.of(), List.of("A4"));
    receiver.discard(new Producer(66, 0));
  }

  @Test
  void anEntryThatIsTooLargeForAnyMemoryIsRefusedBeforeItComes() throws IOException {
    ByteBuf entry = Unpooled.buffer().writeInt(1).writeInt(Integer.MAX_VALUE).writeLong(0);
    try (RawSender sender = letIn()) {
      sender.send(Unpooled.wrappedBuffer(header(3, 1), entry));
      assertThat(sender.reply()).isEqualTo("F3");
    }
  }

  @Test
  void aConnectionThatEndsWithinABatchLeavesNothing() throws IOException {
    ByteBuf entry = Unpooled.buffer().writeInt(1).writeInt(600_000).writeLong(0);
    try (RawSender sender = letIn()) {
      sender.send(Unpooled.wrappedBuffer(header(0, 1), entry, Unpooled.buffer().writeZero(1000)));
      PushHarness.await("a page", () -> harness.takenBytes() > 0);
    }
  }
}
