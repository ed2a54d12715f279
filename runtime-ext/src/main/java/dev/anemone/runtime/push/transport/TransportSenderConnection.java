// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.runtime.memory.PagePlace;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.OutgoingBatch;
import dev.anemone.runtime.push.PageReserve;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.SerialExecutor;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A connection by a transport: says where the bytes of batches lie, for the receiver to read them.
 * An answer means that it has, or will not; after the connection's end it may still do so, and
 * nobody takes what it read then.
 *
 * <p>Any thread may call it; all is done by one thread at a time. A sender that has more under way
 * than the transport takes is made to wait by {@link #send}, up to the connection's deadline.
 */
final class TransportSenderConnection implements SenderConnection, MessageHandler {

  private final TransportWire wire;
  private final int target;
  private final SenderHandshake handshake;
  private final PushSender.Settings settings;
  private final Consumer<SenderEvent> events;
  private final SerialExecutor serial =
      new SerialExecutor(failure -> disconnect("the connection has failed: " + failure));
  private final Queue<OutgoingBatch> unsent = new ArrayDeque<>();
  private final Map<Integer, OutgoingBatch> offered = new LinkedHashMap<>();
  private final Map<Integer, Integer> regionNumbers = new HashMap<>();
  private final ByteBuf message = Unpooled.directBuffer(TransportProtocol.MESSAGE_BYTES);
  private final CRC32C checksum = new CRC32C();
  private Connection connection;
  private boolean welcome;
  private boolean closed;

  /** A connection before {@link #connect}. */
  TransportSenderConnection(
      TransportWire wire,
      int target,
      SenderHandshake handshake,
      PushSender.Settings settings,
      Consumer<SenderEvent> events) {
    this.wire = wire;
    this.target = target;
    this.handshake = handshake;
    this.settings = settings;
    this.events = events;
  }

  /** Connects, and introduces the sender. Waits for that. */
  void connect(PushAddress address) {
    Future<?> deadline =
        wire.timer()
            .schedule(
                () -> serial.execute(this::requireConnected),
                settings.connectTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
    try {
      Connection made =
          wire.transport()
              .connect(
                  new InetSocketAddress(address.host(), address.port()),
                  this,
                  // Also the deadline of the receiver's reads.
                  settings.replyTimeout());
      serial.execute(() -> connected(made));
    } catch (IOException e) {
      serial.execute(() -> disconnect("it cannot be reached: " + e.getMessage()));
    } finally {
      deadline.cancel(false);
    }
  }

  private void requireConnected() {
    if (connection == null) {
      disconnect(
          "it cannot be reached: no connection within "
              + settings.connectTimeout().toMillis()
              + " ms");
    }
  }

  private void connected(Connection made) {
    if (closed) {
      made.close();
      return;
    }
    connection = made;
    send(handshake.greeting(UnpooledByteBufAllocator.DEFAULT));
  }

  private void send(ByteBuf bytes) {
    connection.send(bytes.nioBuffer(), this::sent);
    bytes.release();
  }

  /** A message is on its way, or failed. */
  private void sent(IOException failure) {
    if (failure != null) {
      serial.execute(() -> disconnect("nothing can be sent: " + failure.getMessage()));
    }
  }

  @Override
  public int maxEntries() {
    return TransportProtocol.MAX_ENTRIES;
  }

  @Override
  public long maxEntryBytes() {
    return (long) TransportProtocol.MAX_PAGES * PagePool.PAGE_BYTES;
  }

  @Override
  public void send(OutgoingBatch batch) {
    serial.execute(
        () -> {
          if (closed) {
            events.accept(batch.released());
          } else {
            unsent.add(batch);
            offerMore();
          }
        });
  }

  @Override
  public void close() {
    serial.execute(() -> disconnect("the sender has closed the connection"));
  }

  private void offerMore() {
    while (welcome
        && !closed
        && offered.size() < TransportProtocol.MAX_OFFERED
        && !unsent.isEmpty()) {
      OutgoingBatch batch = unsent.remove();
      offered.put(batch.number(), batch);
      try {
        offer(batch);
      } catch (IOException e) {
        disconnect("a batch cannot be offered: " + e.getMessage());
      }
    }
  }

  private void offer(OutgoingBatch batch) throws IOException {
    int pages = (int) PageReserve.pagesFor(batch.bytes());
    for (int i = 0; i < pages; i++) {
      makeKnown(wire.pages().placeOf(batch.pages().get(i)));
    }
    message.clear();
    batch.writeHeader(message);
    checksum.reset();
    batch.updateChecksum(checksum);
    message.writeInt((int) checksum.getValue());
    for (int i = 0; i < pages; i++) {
      PagePlace place = wire.pages().placeOf(batch.pages().get(i));
      message.writeInt(regionNumbers.get(place.slab())).writeInt(place.offset());
    }
    connection.send(message.nioBuffer(), this::sent);
  }

  /** Tells the receiver of a slab, the first time that a page lies in it. */
  private void makeKnown(PagePlace place) throws IOException {
    if (regionNumbers.containsKey(place.slab())) {
      return;
    }
    MemoryRegion region = wire.pages().region(place);
    RemoteRegion remote = region.remote();
    int number = regionNumbers.size();
    message.clear();
    message.writeByte(TransportProtocol.REGION).writeInt(number).writeLong(remote.length());
    message.writeBytes(remote.key());
    regionNumbers.put(place.slab(), number);
    connection.send(message.nioBuffer(), this::sent);
  }

  @Override
  public void onMessage(Connection from, ByteBuffer bytes) {
    if (bytes.remaining() == Reply.BYTES) {
      Reply kind = Reply.of(bytes.get());
      int argument = bytes.getInt();
      serial.execute(() -> read(kind, argument));
    } else if (bytes.remaining() == Reply.BYTES + ReceiverHandshake.CHALLENGE_BYTES) {
      ByteBuf challenge = Unpooled.copiedBuffer(bytes);
      serial.execute(() -> answer(challenge));
    } else {
      serial.execute(this::disconnectStranger);
    }
  }

  private void disconnectStranger() {
    disconnect("it does not speak the push protocol");
  }

  private void answer(ByteBuf challenge) {
    if (closed) {
      return;
    }
    if (Reply.of(challenge.readByte()) != Reply.CHALLENGE
        || challenge.readInt() != ReceiverHandshake.CHALLENGE_BYTES
        || handshake.isAnswered()) {
      disconnectStranger();
      return;
    }
    handshake
        .answer(challenge, UnpooledByteBufAllocator.DEFAULT)
        .ifPresentOrElse(this::send, () -> disconnect("it does not know the secret of this job"));
  }

  private void read(Reply kind, int argument) {
    if (closed) {
      return;
    }
    if (kind == Reply.REFUSED) {
      disconnect("it does not let this task in: " + Refusal.reason(argument));
    } else if (kind == Reply.WELCOME && handshake.isAnswered() && !welcome) {
      welcome = true;
      offerMore();
    } else if (kind == null || !kind.isToBatch() || !welcome) {
      disconnectStranger();
    } else {
      OutgoingBatch batch = offered.remove(argument);
      if (batch != null) {
        events.accept(batch.released());
      }
      events.accept(new SenderEvent.Answered(target, kind, argument));
      offerMore();
    }
  }

  @Override
  public void onClosed(Connection ended, IOException cause) {
    serial.execute(
        () ->
            disconnect(
                cause == null
                    ? "it has closed the connection"
                    : "the connection has failed: " + cause.getMessage()));
  }

  private void disconnect(String reason) {
    if (closed) {
      return;
    }
    closed = true;
    events.accept(new SenderEvent.Disconnected(target, reason));
    release(offered.values());
    release(unsent);
    offered.clear();
    unsent.clear();
    message.release();
    if (connection != null) {
      connection.close();
    }
  }

  private void release(Collection<OutgoingBatch> batches) {
    batches.forEach(batch -> events.accept(batch.released()));
  }
}
