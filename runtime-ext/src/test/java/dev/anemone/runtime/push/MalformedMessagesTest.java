// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.transport.TransportProtocol;
import dev.anemone.runtime.shuffle.format.Producer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders on a transport that do not keep to the protocol are disconnected and harm nobody. */
class MalformedMessagesTest {

  private static final String END = "end";
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
      assertThat(honest.finish().fallbackWritten()).isFalse();
      honest.assertExactlyOnce(receiver);
    }
    receiver.discard(new Producer(66, 0));
    PushHarness.await("pages of the malformed", () -> harness.takenBytes() == 0);
    harness.close();
  }

  private ByteBuf hello() {
    return new Hello(PushHarness.JOB, receiver.address().receiverId(), new Producer(66, 0))
        .toBytes(UnpooledByteBufAllocator.DEFAULT);
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

  /** Sends messages, and gathers replies until the receiver disconnects or is silent. */
  private String replies(ByteBuf... messages) throws Exception {
    BlockingQueue<String> replies = new LinkedBlockingQueue<>();
    InetSocketAddress address =
        new InetSocketAddress(receiver.address().host(), receiver.address().port());
    StringBuilder all = new StringBuilder();
    try (Connection connection =
        transport.connect(address, new Replies(replies), Duration.ofSeconds(20))) {
      for (ByteBuf message : messages) {
        connection.send(message.nioBuffer(), failure -> {});
      }
      String reply = "";
      while (!reply.equals(END)) {
        reply = replies.poll(20, TimeUnit.SECONDS);
        assertThat(reply).as("a reply, or the end, after %s", all).isNotNull();
        all.append(reply);
      }
    }
    return all.toString();
  }

  /** The receiver may disconnect before its welcome is on its way. */
  private void assertDisconnected(ByteBuf... messages) throws Exception {
    assertThat(replies(messages)).isIn(END, "W0 " + END);
  }

  /** Replies as text, with their argument. */
  private record Replies(BlockingQueue<String> queue) implements MessageHandler {

    @Override
    public void onMessage(Connection connection, ByteBuffer message) {
      queue.add((char) message.get() + "" + message.getInt() + " ");
    }

    @Override
    public void onClosed(Connection connection, IOException cause) {
      queue.add(END);
    }
  }

  @Test
  void garbage() throws Exception {
    assertThat(replies(Unpooled.copiedBuffer("GET / HTTP/1.1", StandardCharsets.UTF_8)))
        .isEqualTo(END);
  }

  @Test
  void anotherVersion() throws Exception {
    ByteBuf hello = hello();
    hello.setInt(4, 2);
    assertThat(replies(hello)).isEqualTo("R1 " + END);
  }

  @Test
  void anotherJob() throws Exception {
    ByteBuf hello =
        new Hello("another", receiver.address().receiverId(), new Producer(66, 0))
            .toBytes(UnpooledByteBufAllocator.DEFAULT);
    assertThat(replies(hello)).isEqualTo("R2 " + END);
  }

  @Test
  void aHelloThatEndsTooEarly() throws Exception {
    assertThat(replies(hello().slice(0, 10))).isEqualTo(END);
  }

  @Test
  void aRegionOutOfTurn() throws Exception {
    assertDisconnected(hello(), region(1));
  }

  @Test
  void aPageInARegionThatWasNotNamed() throws Exception {
    assertDisconnected(hello(), region(0), batch(0, checksum(), 1, 0));
  }

  @Test
  void aPageBehindTheEndOfItsRegion() throws Exception {
    assertDisconnected(hello(), region(0), batch(0, checksum(), 0, 1));
  }

  @Test
  void aKeyThatOpensNothing() throws Exception {
    ByteBuf region = region(0);
    region.setByte(TransportProtocol.REGION_HEADER_BYTES + Long.BYTES, 1 + region.getByte(21));
    assertDisconnected(hello(), region, batch(0, checksum(), 0, 0));
  }

  @Test
  void bytesThatAreNotThoseOfTheChecksum() throws Exception {
    assertDisconnected(hello(), region(0), batch(0, checksum() + 1, 0, 0));
    assertThat(receiver.counters()).isEqualTo(new PushCounters(0, 0, 0));
  }

  @Test
  void aNumberThatWasUsedBefore() throws Exception {
    ByteBuf batch = batch(4, checksum(), 0, 0);
    assertThat(replies(hello(), region(0), batch, batch.copy()))
        .endsWith(END)
        .doesNotContain("A4 A4");
  }

  @Test
  void aBatchThatEndsBeforeItsPages() throws Exception {
    ByteBuf batch = batch(0, checksum(), 0, 0);
    assertDisconnected(hello(), region(0), batch.slice(0, batch.readableBytes() - 1));
  }
}
