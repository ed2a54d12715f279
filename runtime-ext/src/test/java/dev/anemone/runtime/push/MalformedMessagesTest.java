// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.push.raw.RawSender;
import dev.anemone.runtime.push.transport.TransportProtocol;
import dev.anemone.runtime.shuffle.format.Producer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders on a transport that do not keep to the protocol are disconnected and harm nobody. */
class MalformedMessagesTest {

  private static final int PAYLOAD_BYTES = 1_000;

  @TempDir private Path directory;
  private PushHarness harness;
  private PushReceiver receiver;
  private Transport transport;
  private MemoryRegion memory;

  @BeforeEach
  void open() throws IOException {
    harness = new PushHarness("tcp", directory);
    receiver = harness.receiver(16);
    transport = Transports.found().open("tcp");
    memory = transport.register(ByteBuffer.allocateDirect(PAYLOAD_BYTES));
  }

  @AfterEach
  void othersAreServedAndNothingIsLeft() throws Exception {
    memory.close();
    transport.close();
    try (SendingTask honest = harness.task(0, 0, receiver)) {
      honest.send(10, 100_000);
      assertThat(honest.finish().blockWritten()).isFalse();
      honest.assertExactlyOnce(receiver);
    }
    receiver.discard(new Producer(66, 0));
    PushHarness.await("pages of the malformed", () -> harness.takenBytes() == 0);
    harness.close();
  }

  private SenderHandshake handshake() {
    return handshake(PushHarness.JOB);
  }

  private SenderHandshake handshake(String job) {
    return new SenderHandshake(
        PushHarness.SECRET, new Hello(job, receiver.address().receiverId(), new Producer(66, 0)));
  }

  private ByteBuf greeting() {
    return handshake().greeting(UnpooledByteBufAllocator.DEFAULT);
  }

  private ByteBuf region(int number) {
    return Unpooled.buffer()
        .writeByte(TransportProtocol.REGION)
        .writeInt(number)
        .writeLong(PAYLOAD_BYTES)
        .writeBytes(memory.remote().key());
  }

  private ByteBuf batch(int number, int checksum, int region, int offset) {
    return Unpooled.buffer()
        .writeByte(PushProtocol.BATCH)
        .writeInt(number)
        .writeInt(1)
        .writeInt(3)
        .writeInt(PAYLOAD_BYTES)
        .writeLong(0)
        .writeInt(checksum)
        .writeInt(region)
        .writeInt(offset);
  }

  private int checksum() {
    CRC32C checksum = new CRC32C();
    checksum.update(memory.memory());
    return (int) checksum.getValue();
  }

  /** Sends messages when it has been let in, and gathers replies until the receiver disconnects. */
  private List<String> replies(ByteBuf... messages) throws IOException {
    try (RawSender sender = RawSender.connect(receiver.address(), transport)) {
      sender.introduce(handshake());
      assertThat(sender.reply()).isEqualTo("W0");
      for (ByteBuf message : messages) {
        sender.send(message);
      }
      return replies(sender);
    }
  }

  /** Sends a message in place of a greeting. */
  private List<String> repliesToStranger(ByteBuf message) throws IOException {
    try (RawSender sender = RawSender.connect(receiver.address(), transport)) {
      sender.send(message);
      return replies(sender);
    }
  }

  private static List<String> replies(RawSender sender) throws IOException {
    List<String> replies = new ArrayList<>();
    for (String reply = sender.reply(); !reply.equals(RawSender.END); reply = sender.reply()) {
      replies.add(reply);
    }
    return replies;
  }

  private void assertDisconnected(ByteBuf... messages) throws IOException {
    assertThat(replies(messages)).isEmpty();
  }

  @Test
  void garbage() throws Exception {
    assertThat(repliesToStranger(Unpooled.copiedBuffer("GET / HTTP/1.1", StandardCharsets.UTF_8)))
        .isEmpty();
  }

  @Test
  void anotherVersion() throws Exception {
    ByteBuf greeting = greeting();
    greeting.setInt(4, PushProtocol.VERSION + 1);
    assertThat(repliesToStranger(greeting)).containsExactly("R1");
  }

  @Test
  void anotherJob() throws Exception {
    ByteBuf greeting = handshake("another").greeting(UnpooledByteBufAllocator.DEFAULT);
    assertThat(repliesToStranger(greeting)).containsExactly("R2");
  }

  @Test
  void aHelloThatEndsTooEarly() throws Exception {
    assertThat(repliesToStranger(greeting().slice(0, 10))).isEmpty();
  }

  @Test
  void aRegionOutOfTurn() throws Exception {
    assertDisconnected(region(1));
  }

  @Test
  void aPageInARegionThatWasNotNamed() throws Exception {
    assertDisconnected(region(0), batch(0, checksum(), 1, 0));
  }

  @Test
  void aPageBehindTheEndOfItsRegion() throws Exception {
    assertDisconnected(region(0), batch(0, checksum(), 0, 1));
  }

  @Test
  void aKeyThatOpensNothing() throws Exception {
    ByteBuf region = region(0);
    region.setByte(TransportProtocol.REGION_HEADER_BYTES + Long.BYTES, 1 + region.getByte(21));
    assertDisconnected(region, batch(0, checksum(), 0, 0));
  }

  @Test
  void bytesThatAreNotThoseOfTheChecksum() throws Exception {
    assertDisconnected(region(0), batch(0, checksum() + 1, 0, 0));
    assertThat(receiver.counters()).isEqualTo(new PushCounters(0, 0, 0));
  }

  @Test
  void aNumberThatWasUsedBefore() throws Exception {
    ByteBuf batch = batch(4, checksum(), 0, 0);
    // The receiver may disconnect before its answer is on its way.
    assertThat(replies(region(0), batch, batch.copy())).isIn(List.of(), List.of("A4"));
  }

  @Test
  void aBatchThatEndsBeforeItsPages() throws Exception {
    ByteBuf batch = batch(0, checksum(), 0, 0);
    assertDisconnected(region(0), batch.slice(0, batch.readableBytes() - 1));
  }
}
