// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.direct;

import dev.anemone.runtime.push.ArrivingBatch;
import dev.anemone.runtime.push.BatchGate;
import dev.anemone.runtime.push.OutgoingBatch;
import dev.anemone.runtime.push.ProducerLog;
import dev.anemone.runtime.push.ProducerLog.Admission;
import dev.anemone.runtime.push.PushReceiver;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.SerialExecutor;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/**
 * A sender and a receiver of one JVM. Bytes of entries are copied once, from pages of the sender
 * into those of its log: by the thread that sends them, or by the one that frees the memory that
 * they have waited for. Any thread may call it; all is done by one thread at a time.
 */
final class DirectConnection implements SenderConnection, OutgoingBatch.Carrier {

  private final DirectListener listener;
  private final PushReceiver receiver;
  private final ProducerLog log;
  private final int target;
  private final Consumer<SenderEvent> events;
  private final SerialExecutor serial = new SerialExecutor(e -> endNow("it has failed: " + e));
  private final BatchGate gate;
  private final Queue<OutgoingBatch> unread = new ArrayDeque<>();

  /** Header and table of the batch that arrives. */
  private final ByteBuf header = Unpooled.buffer();

  private final ArrivingBatch arriving = new ArrivingBatch();

  /** The batch that arrives, as the sender has it, until it is decided whether it may. */
  private OutgoingBatch asking;

  private int lastNumber = -1;
  private boolean closed;

  /**
   * A connection.
   *
   * @param log where batches go; no other connection writes it
   * @param target which of the sender's targets it is, for its events
   */
  DirectConnection(
      DirectListener listener,
      PushReceiver receiver,
      ProducerLog log,
      int target,
      Consumer<SenderEvent> events,
      ScheduledExecutorService timer) {
    this.listener = listener;
    this.receiver = receiver;
    this.log = log;
    this.target = target;
    this.events = events;
    this.gate = new BatchGate(receiver, log, serial, timer, this::resume);
  }

  @Override
  public int maxEntries() {
    return PushProtocol.MAX_ENTRIES;
  }

  @Override
  public long maxEntryBytes() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void send(OutgoingBatch batch) {
    serial.execute(batch.carriedBy(this));
  }

  @Override
  public void carry(OutgoingBatch batch) {
    if (closed) {
      carried(batch);
    } else {
      unread.add(batch);
      advance();
    }
  }

  private void advance() {
    while (!closed && !gate.isWaiting() && !unread.isEmpty()) {
      asking = unread.remove();
      header.clear();
      asking.writeHeader(header);
      arriving.readHeader(header, lastNumber);
      lastNumber = arriving.number();
      arriving.measure(header);
      Admission admission = gate.ask(arriving);
      if (admission != null) {
        decide(admission);
      }
    }
  }

  private void resume(Admission admission) {
    decide(admission);
    advance();
  }

  private void decide(Admission admission) {
    OutgoingBatch batch = asking;
    asking = null;
    Reply reply =
        switch (admission) {
          case BEGUN -> isCopied(batch) ? Reply.ACKNOWLEDGED : Reply.STALE;
          case NO_MEMORY, TOO_LARGE -> Reply.FULL;
          case CLOSED -> Reply.STALE;
        };
    if (reply == Reply.ACKNOWLEDGED) {
      receiver.countBatch(arriving.payloadBytes());
    } else {
      receiver.countRefused();
    }
    // A sender that has all answers may rest; it has its pages back before.
    carried(batch);
    events.accept(new SenderEvent.Answered(target, reply, arriving.number()));
  }

  /** Copies a batch; false when the log was taken or dropped meanwhile. */
  private boolean isCopied(OutgoingBatch batch) {
    boolean copied = log.append(arriving, header, arriving.tableBytes());
    int left = batch.bytes();
    for (int page = 0; copied && left > 0; page++) {
      ByteBuf bytes = Unpooled.wrappedBuffer(batch.pages().get(page).duplicate().clear());
      int count = Math.min(bytes.readableBytes(), left);
      copied = log.append(arriving, bytes, count);
      left -= count;
    }
    return copied && log.complete(arriving);
  }

  @Override
  public void carried(OutgoingBatch batch) {
    events.accept(batch.released());
  }

  @Override
  public void close() {
    end("the sender has closed the connection");
  }

  /** Ends the connection; the listener is told when it has ended. */
  void end(String reason) {
    serial.execute(() -> endNow(reason));
  }

  private void endNow(String reason) {
    if (closed) {
      return;
    }
    closed = true;
    events.accept(new SenderEvent.Disconnected(target, reason));
    gate.stop();
    if (asking != null) {
      carried(asking);
      asking = null;
    }
    while (!unread.isEmpty()) {
      carried(unread.remove());
    }
    log.abandon();
    receiver.memoryFreed();
    listener.ended(this);
  }
}
