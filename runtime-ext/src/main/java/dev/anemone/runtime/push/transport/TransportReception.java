// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.runtime.push.ArrivingBatch;
import dev.anemone.runtime.push.BatchGate;
import dev.anemone.runtime.push.PageReserve;
import dev.anemone.runtime.push.ProducerLog;
import dev.anemone.runtime.push.ProducerLog.Admission;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.SerialExecutor;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.transport.BatchRead.Source;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.CorruptedFrameException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A receiver's end of a connection by a transport: lets a sender in, and reads the batches that it
 * offers. Any thread may call it; all is done by one thread at a time.
 */
final class TransportReception implements MessageHandler {

  private static final Logger LOG = LoggerFactory.getLogger(TransportReception.class);

  /** Batches that are read at a time: their reads are fewer than any transport takes at least. */
  private static final int MOST_READS = 4;

  /** Replies that may be on their way to a sender that reads them. */
  private static final int MOST_REPLIES = 2 * TransportProtocol.MAX_OFFERED;

  private final TransportWire wire;
  private final PushReceiver receiver;
  private final Connection connection;
  private final TransportListener listener;
  private final SerialExecutor serial = new SerialExecutor(e -> fail(e.toString()));
  private final Future<?> helloDeadline;
  private final List<RemoteRegion> regions = new ArrayList<>();
  private final Queue<Offer> offers = new ArrayDeque<>();
  private final ByteBuffer reply = ByteBuffer.allocateDirect(Reply.BYTES);

  /** Null until the sender has said hello. */
  private ReceiverHandshake handshake;

  /** Null until the sender is let in. */
  private ProducerLog log;

  private BatchGate gate;
  private Offer asking;
  private int lastNumber = -1;
  private int reads;
  private int replies;
  private boolean closed;

  /**
   * What a sender offers.
   *
   * @param message from the table on; released when the batch is admitted or refused
   */
  private record Offer(ArrivingBatch batch, ByteBuf message) {}

  TransportReception(
      TransportWire wire,
      PushReceiver receiver,
      Connection connection,
      TransportListener listener) {
    this.wire = wire;
    this.receiver = receiver;
    this.connection = connection;
    this.listener = listener;
    this.helloDeadline =
        wire.timer()
            .schedule(
                () -> serial.execute(this::requireAdmitted),
                receiver.introduction().toMillis(),
                TimeUnit.MILLISECONDS);
  }

  private void requireAdmitted() {
    if (log == null) {
      fail("it has not introduced itself within " + receiver.introduction().toMillis() + " ms");
    }
  }

  @Override
  public void onMessage(Connection from, ByteBuffer bytes) {
    ByteBuf message = PooledByteBufAllocator.DEFAULT.directBuffer(bytes.remaining());
    message.writeBytes(bytes);
    serial.execute(() -> take(message));
  }

  private void take(ByteBuf message) {
    boolean kept = false;
    try {
      if (closed) {
        return;
      }
      if (log == null) {
        admit(message);
      } else if (message.isReadable()
          && message.getByte(message.readerIndex()) == TransportProtocol.REGION) {
        addRegion(message);
      } else {
        kept = addOffer(message);
        askMore();
      }
    } catch (CorruptedFrameException e) {
      fail(e.getMessage());
    } catch (IndexOutOfBoundsException e) {
      fail("a message that ends too early");
    } finally {
      if (!kept) {
        message.release();
      }
    }
  }

  private void admit(ByteBuf message) {
    try {
      if (handshake == null) {
        greet(message);
      } else {
        readProof(message);
      }
    } catch (RefusedException e) {
      receiver.refused(connection.remoteAddress(), e.refusal());
      closed = true;
      connection.send(bytesOf(Reply.REFUSED, e.refusal().code()), failure -> connection.close());
    }
  }

  private void greet(ByteBuf message) throws RefusedException {
    if (message.readInt() != PushProtocol.MAGIC) {
      throw new CorruptedFrameException("it does not speak the push protocol");
    }
    if (message.readInt() != PushProtocol.VERSION) {
      throw new RefusedException(Refusal.VERSION);
    }
    int bytes = message.readInt();
    if (bytes != message.readableBytes() - JobSecret.NONCE_BYTES) {
      throw new CorruptedFrameException("a hello of another length than it says");
    }
    Hello hello = Hello.of(message.readSlice(bytes));
    handshake = receiver.greet(hello, message);
    ByteBuf challenge = handshake.challenge(UnpooledByteBufAllocator.DEFAULT);
    connection.send(challenge.nioBuffer(), this::failIfNotSent);
    challenge.release();
  }

  private void readProof(ByteBuf message) throws RefusedException {
    if (message.readableBytes() != JobSecret.PROOF_BYTES) {
      throw new CorruptedFrameException("it does not wait until it is let in");
    }
    log = receiver.admit(handshake, message);
    gate = new BatchGate(receiver, log, serial, wire.timer(), this::resume);
    helloDeadline.cancel(false);
    reply(Reply.WELCOME, 0);
  }

  private void failIfNotSent(IOException failure) {
    if (failure != null) {
      serial.execute(() -> fail("it cannot be answered: " + failure.getMessage()));
    }
  }

  private void addRegion(ByteBuf message) {
    message.skipBytes(1);
    int number = message.readInt();
    if (number != regions.size() || number == TransportProtocol.MAX_REGIONS) {
      throw new CorruptedFrameException(
          "region " + number + " after " + regions.size() + " others");
    }
    long length = message.readLong();
    regions.add(new RemoteRegion(length, message.nioBuffer()));
  }

  /** Whether the message is kept. */
  private boolean addOffer(ByteBuf message) {
    ArrivingBatch batch = new ArrivingBatch();
    batch.readHeader(message, lastNumber);
    if (offers.size() + reads >= TransportProtocol.MAX_OFFERED) {
      throw new CorruptedFrameException(
          "more than " + TransportProtocol.MAX_OFFERED + " batches that are not answered");
    }
    lastNumber = batch.number();
    batch.measure(message);
    long expected =
        batch.tableBytes()
            + TransportProtocol.CHECKSUM_BYTES
            + PageReserve.pagesFor(batch.payloadBytes()) * TransportProtocol.PAGE_REFERENCE_BYTES;
    if (message.readableBytes() != expected) {
      throw new CorruptedFrameException(
          message.readableBytes() + " bytes behind the header of a batch, not " + expected);
    }
    offers.add(new Offer(batch, message));
    return true;
  }

  private void askMore() {
    while (!closed && !gate.isWaiting() && reads < MOST_READS && !offers.isEmpty()) {
      asking = offers.remove();
      Admission admission = gate.ask(asking.batch());
      if (admission != null) {
        decide(admission);
      }
    }
  }

  private void resume(Admission admission) {
    decide(admission);
    askMore();
  }

  private void decide(Admission admission) {
    Offer offer = asking;
    asking = null;
    try {
      switch (admission) {
        case BEGUN -> begin(offer);
        case NO_MEMORY, TOO_LARGE -> refuse(offer.batch(), Reply.FULL);
        case CLOSED -> refuse(offer.batch(), Reply.STALE);
      }
    } catch (CorruptedFrameException e) {
      fail(e.getMessage());
    } finally {
      offer.message().release();
    }
  }

  private void begin(Offer offer) {
    ArrivingBatch batch = offer.batch();
    ByteBuf message = offer.message();
    if (!log.append(batch, message, batch.tableBytes()) || !log.pin(batch)) {
      refuse(batch, Reply.STALE);
      return;
    }
    int checksum = message.readInt();
    Source[] sources = new Source[(int) PageReserve.pagesFor(batch.payloadBytes())];
    for (int i = 0; i < sources.length; i++) {
      int region = message.readInt();
      if (region < 0 || region >= regions.size()) {
        throw new CorruptedFrameException("a page in region " + region + ", which was not named");
      }
      sources[i] = new Source(regions.get(region), message.readInt());
    }
    reads++;
    new BatchRead(batch, checksum, sources, log, wire.pages(), connection, serial, this::endRead)
        .begin();
  }

  private void endRead(BatchRead read) {
    reads--;
    if (read.failure() != null) {
      fail("a batch cannot be read: " + read.failure().getMessage());
    } else if (!read.isIntact()) {
      fail("the bytes of batch " + read.batch().number() + " are not those of its checksum");
    } else if (log.complete(read.batch())) {
      receiver.countBatch(read.batch().payloadBytes());
      reply(Reply.ACKNOWLEDGED, read.batch().number());
    } else {
      receiver.memoryFreed();
      refuse(read.batch(), Reply.STALE);
    }
    askMore();
  }

  private void refuse(ArrivingBatch batch, Reply why) {
    receiver.countRefused();
    reply(why, batch.number());
  }

  private void reply(Reply kind, int argument) {
    if (closed) {
      return;
    }
    if (replies == MOST_REPLIES) {
      fail("it does not read the replies to its batches");
      return;
    }
    replies++;
    connection.send(
        bytesOf(kind, argument),
        failure ->
            serial.execute(
                () -> {
                  replies--;
                  if (failure != null) {
                    fail("it cannot be answered: " + failure.getMessage());
                  }
                }));
  }

  private ByteBuffer bytesOf(Reply kind, int argument) {
    return reply.clear().put(kind.code()).putInt(argument).flip();
  }

  private void fail(String reason) {
    if (!closed) {
      LOG.warn("closing the push connection from {}: {}", connection.remoteAddress(), reason);
      closed = true;
      connection.close();
    }
  }

  /** Ends the connection; the listener is told when nothing is read by it any longer. */
  void close() {
    serial.execute(
        () -> {
          closed = true;
          connection.close();
        });
  }

  @Override
  public void onClosed(Connection ended, IOException cause) {
    serial.execute(this::end);
  }

  private void end() {
    closed = true;
    helloDeadline.cancel(false);
    if (asking != null) {
      asking.message().release();
      asking = null;
    }
    offers.forEach(offer -> offer.message().release());
    offers.clear();
    if (log != null) {
      gate.stop();
      log.abandon();
      receiver.memoryFreed();
    }
    listener.ended(this);
  }
}
