// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.push.raw.RawSender;
import dev.anemone.runtime.shuffle.format.Producer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whom receivers let in, on every wire: who connects knows all that travels, which is the names of
 * job, receiver and task attempt, and not the secret.
 */
abstract class PushHandshakeContract {

  private static final Producer PRODUCER = new Producer(3, 0);

  @TempDir private Path directory;
  private PushHarness harness;
  private PushReceiver receiver;
  private Transport transport;

  /** The name of the wire. */
  abstract String wire();

  @BeforeEach
  void open() throws Exception {
    harness = new PushHarness(wire(), directory);
    receiver = harness.receiver(8);
    transport = Transports.found().open(wire().equals(PushWires.NETTY) ? "tcp" : wire());
  }

  /** Whoever was refused in its name has not taken the place of the task attempt. */
  @AfterEach
  void theTaskItselfIsServed() throws Exception {
    if (harness == null) {
      return;
    }
    if (transport != null) {
      transport.close();
      try (SendingTask task = harness.task(PRODUCER.task(), PRODUCER.attempt(), receiver)) {
        task.send(3, 100_000);
        assertThat(task.finish().blockWritten()).isFalse();
        task.assertExactlyOnce(receiver);
      }
      assertThat(receiver.counters()).isEqualTo(new PushCounters(2, 300_000, 0));
    }
    harness.close();
  }

  private RawSender connect(PushReceiver to) throws IOException {
    return wire().equals(PushWires.NETTY)
        ? RawSender.connect(to.address())
        : RawSender.connect(to.address(), transport);
  }

  private Hello hello() {
    return new Hello(PushHarness.JOB, receiver.address().receiverId(), PRODUCER);
  }

  private ByteBuf greeting() {
    return new SenderHandshake(JobSecret.random(), hello())
        .greeting(UnpooledByteBufAllocator.DEFAULT);
  }

  private static ByteBuf batch() {
    return Unpooled.buffer()
        .writeByte(PushProtocol.BATCH)
        .writeInt(0)
        .writeInt(1)
        .writeInt(1)
        .writeInt(2)
        .writeLong(9)
        .writeShort(77);
  }

  @Test
  void aPeerThatDoesNotKnowTheSecretIsRefused() throws Exception {
    try (RawSender stranger = connect(receiver)) {
      stranger.send(greeting());
      assertThat(stranger.reply()).isEqualTo("C64");
      stranger.send(Unpooled.wrappedBuffer(new byte[JobSecret.PROOF_BYTES]));
      assertThat(stranger.reply()).isEqualTo("R6");
      assertThat(stranger.reply()).isEqualTo(RawSender.END);
    }
  }

  @Test
  void theReceiversOwnProofIsNone() throws Exception {
    try (RawSender mirror = connect(receiver)) {
      mirror.send(greeting());
      mirror.reply();
      byte[] challenge = mirror.challenge();
      mirror.send(
          Unpooled.wrappedBuffer(
              Arrays.copyOfRange(challenge, JobSecret.NONCE_BYTES, challenge.length)));
      assertThat(mirror.reply()).isEqualTo("R6");
    }
  }

  @Test
  void aHandshakeThatIsPlayedOnceMoreIsRefused() throws Exception {
    SenderHandshake handshake =
        new SenderHandshake(
            PushHarness.SECRET,
            new Hello(PushHarness.JOB, receiver.address().receiverId(), new Producer(4, 0)));
    ByteBuf encoded = handshake.greeting(UnpooledByteBufAllocator.DEFAULT);
    byte[] greeting = ByteBufUtil.getBytes(encoded);
    encoded.release();
    byte[] proof;
    try (RawSender honest = connect(receiver)) {
      proof = honest.introduce(handshake);
      assertThat(honest.reply()).isEqualTo("W0");
    }
    try (RawSender replaying = connect(receiver)) {
      replaying.send(Unpooled.wrappedBuffer(greeting));
      assertThat(replaying.reply()).isEqualTo("C64");
      replaying.send(Unpooled.wrappedBuffer(proof));
      assertThat(replaying.reply()).isEqualTo("R6");
    }
  }

  @Test
  void nothingIsReadOfWhoIsNotLetIn() throws Exception {
    try (RawSender hasty = connect(receiver)) {
      hasty.send(greeting());
      hasty.reply();
      hasty.send(batch());
      hasty.send(Unpooled.buffer().writeZero(4_000));
      assertThat(hasty.reply()).isIn("R6", RawSender.END);
    }
    assertThat(harness.takenBytes()).isZero();
  }

  @Test
  void whoSaysNothingIsDroppedAtTheDeadline() throws Exception {
    PushReceiver impatient =
        harness.receiver(
            2,
            () -> {},
            new PushReceiver.Settings(
                PushHarness.JOB,
                harness.impatience(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10)));
    try (RawSender silent = connect(impatient);
        RawSender halfWay = connect(impatient)) {
      halfWay.send(
          new SenderHandshake(
                  PushHarness.SECRET,
                  new Hello(PushHarness.JOB, impatient.address().receiverId(), PRODUCER))
              .greeting(UnpooledByteBufAllocator.DEFAULT));
      assertThat(halfWay.reply()).isEqualTo("C64");
      assertThat(halfWay.reply()).isEqualTo(RawSender.END);
      assertThat(silent.reply()).isEqualTo(RawSender.END);
    }
  }

  @Test
  void anOlderVersionIsToldSo() throws Exception {
    ByteBuf old = hello().toBytes(UnpooledByteBufAllocator.DEFAULT);
    old.setInt(Integer.BYTES, 1);
    try (RawSender stranger = connect(receiver)) {
      stranger.send(old);
      assertThat(stranger.reply()).isEqualTo("R1");
      assertThat(stranger.reply()).isEqualTo(RawSender.END);
    }
  }
}
