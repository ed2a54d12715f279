// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.PushAddresses;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.Producer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes the partitions of one link of a map task to the receivers of aggregation tasks. Chunks are
 * collected in batches, one page each, which stay in memory until their receiver has acknowledged
 * them. What cannot be pushed, for whatever reason, goes to a fallback block; each byte ends up in
 * exactly one of the two places.
 *
 * <p>What one call of {@link #accept} brings stays together. Of two calls, one may be pushed and
 * the other fall back, so each call has to begin with a chunk that starts a run.
 *
 * <p>Nothing is announced: the bytes fall back until it is. A receiver cannot be reached, refuses
 * the sender, closes the connection or is silent for too long: what it has not acknowledged falls
 * back, and so does all that follows. It is full: the batch falls back, and it gets no other one
 * for a while.
 *
 * <p>What is pushed can be kept, so that the sender's task need not run again when a receiver is
 * lost with what it had: the receiver's next attempt reads it from the block, as in Magnet (Shen et
 * al., VLDB 2020). A sender that has little comes to its end before it has sent anything, and
 * writes all of it to the block then. One that has more writes each batch to the block before it
 * sends it, if that is wanted, until something falls back: then the copies go, and the block is for
 * what falls back.
 *
 * <p>Used by one thread, the task's; the threads of the network only send it events.
 */
public final class PushSender implements ChunkSink, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(PushSender.class);

  /**
   * How a sender behaves.
   *
   * @param jobId what receivers want to see
   * @param producer the task attempt whose chunks it sends
   * @param connectTimeout how long it tries to connect
   * @param replyTimeout how long a receiver that has batches to answer may be silent
   * @param closeTimeout how long the network may keep batches when the sender is closed
   * @param keptBytes a sender that has no more in all keeps what it pushes; 0 for none that does
   * @param copies whether one that has more keeps it, too, where it can push all
   */
  public record Settings(
      String jobId,
      Producer producer,
      Duration connectTimeout,
      Duration replyTimeout,
      Duration closeTimeout,
      long keptBytes,
      boolean copies) {

    public Settings {
      Objects.requireNonNull(jobId, "jobId");
      Objects.requireNonNull(producer, "producer");
    }

    /** Two seconds to connect, five to answer, ten to close; nothing is kept. */
    public Settings(String jobId, Producer producer) {
      this(
          jobId,
          producer,
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          0,
          false);
    }
  }

  private final Settings settings;
  private final PushWires wires;
  private final OutgoingBatches batches;
  private final IntUnaryOperator targetOfPartition;
  private final PushAddresses addresses;
  private final SenderBlock block;
  private final SenderTarget[] targets;
  private final SenderEvents events = new SenderEvents();
  private long pushedBytes;
  private long transportBytes;
  private boolean kept;
  private boolean finished;

  /**
   * A sender; it connects when there is something to send.
   *
   * @param wires what it can speak; a receiver that announces another one gets nothing
   * @param memory for batches, not closed, of the pool that the wires are for; a page for each
   *     target and some more is good
   * @param targetOfPartition index of the receiver that takes a partition, from 0
   * @param targets number of receivers
   * @param block begins the block for what cannot be pushed, or for copies of what is; it may be
   *     asked again when the writer that it gave was closed
   */
  public PushSender(
      Settings settings,
      PushWires wires,
      TaskMemory memory,
      IntUnaryOperator targetOfPartition,
      int targets,
      PushAddresses addresses,
      BlockWriterSupplier block) {
    this.settings = settings;
    this.wires = wires;
    this.batches = new OutgoingBatches(memory);
    this.targetOfPartition = targetOfPartition;
    this.addresses = addresses;
    this.block = new SenderBlock(block);
    this.targets = new SenderTarget[targets];
    Arrays.setAll(this.targets, SenderTarget::new);
  }

  /**
   * {@inheritDoc}
   *
   * @throws LostReceiverException when a receiver is gone with what it had acknowledged
   */
  @Override
  public void accept(int partition, ByteBuffer chunks, long rawBytes)
      throws IOException, InterruptedException {
    if (finished) {
      throw new IllegalStateException("this sender has finished");
    }
    handleEvents();
    SenderTarget target = targets[targetOfPartition.applyAsInt(partition)];
    OutgoingBatch batch = isUsable(target) ? openBatch(target, chunks.remaining()) : null;
    if (batch == null) {
      target.fallsBack();
      block.append(partition, chunks, rawBytes);
      return;
    }
    batch.add(partition, chunks, rawBytes);
    if (batch.isJumbo()) {
      flush(target);
    }
  }

  private boolean isUsable(SenderTarget target) {
    if (!target.isConnected() && !target.hasFailed()) {
      addresses.addressOf(target.index()).ifPresent(address -> connect(target, address));
    }
    return target.isUsable(System.nanoTime());
  }

  private void connect(SenderTarget target, PushAddress address) {
    Optional<PushWire> wire = wires.find(address.wire());
    if (wire.isEmpty()) {
      LOG.info(
          "{} does not push to target {}: it speaks {}, which is not there on this side",
          settings.producer(),
          target.index(),
          address.wire());
      target.giveUp();
      return;
    }
    Hello hello = new Hello(settings.jobId(), address.receiverId(), settings.producer());
    SenderHandshake handshake = new SenderHandshake(wires.secret(), hello);
    target.connect(
        address, wire.get().connect(target.index(), address, handshake, settings, events::add));
  }

  /** A batch of a target with room for an entry; null when it has to fall back. */
  private OutgoingBatch openBatch(SenderTarget target, int length)
      throws IOException, InterruptedException {
    if (target.open() != null && target.open().hasRoom(length)) {
      return target.open();
    }
    if (!batches.canEverHold(length) || length > target.connection().maxEntryBytes()) {
      return null;
    }
    flush(target);
    OutgoingBatch batch = batches.begin(target.connection().maxEntries());
    while (!batch.hasRoom(length)) {
      if (!batches.addPage(batch) && !(makeRoom() && target.isUsable(System.nanoTime()))) {
        batches.settle(batch);
        return null;
      }
    }
    target.setOpen(batch);
    return batch;
  }

  /**
   * Does something that may free a page: sends a batch early when most pages are in batches that
   * wait for more, and else waits for those that are on their way.
   *
   * @return false when nothing can free any
   */
  private boolean makeRoom() throws IOException, InterruptedException {
    SenderTarget fullest = batches.sent() < batches.unsent() ? fullestTarget() : null;
    if (fullest != null) {
      flush(fullest);
      return true;
    }
    return batches.sent() > 0 && awaitEvent();
  }

  /** The target whose open batch has most bytes, or null when none has one. */
  private SenderTarget fullestTarget() {
    SenderTarget fullest = null;
    for (SenderTarget target : targets) {
      if (target.open() != null
          && (fullest == null || target.open().bytes() > fullest.open().bytes())) {
        fullest = target;
      }
    }
    return fullest;
  }

  /** Sends the batch that a target has open, or lets it fall back. */
  private void flush(SenderTarget target) throws IOException {
    OutgoingBatch batch = target.open();
    if (batch == null) {
      return;
    }
    target.setOpen(null);
    long now = System.nanoTime();
    if (target.isUsable(now)) {
      target.checkAddress(addresses.addressOf(target.index()));
      if (settings.copies() && !kept) {
        block.copy(batch);
      }
      target.send(batch, batches, now);
    } else {
      fallBack(target, batch);
    }
  }

  private void fallBack(SenderTarget target, OutgoingBatch batch) throws IOException {
    target.fallsBack();
    if (!kept) {
      batch.writeTo(block::append);
    }
    batches.settle(batch);
  }

  private void handleEvents() throws IOException {
    for (SenderEvent event = events.poll(); event != null; event = events.poll()) {
      handle(event);
    }
  }

  private void handle(SenderEvent event) throws IOException {
    if (event instanceof SenderEvent.Answered answered) {
      handleAnswer(answered);
    } else if (event instanceof SenderEvent.Disconnected disconnected) {
      fail(targets[disconnected.target()], disconnected.reason());
    } else if (event instanceof SenderEvent.Released released) {
      batches.release(released.batch());
    }
  }

  private void handleAnswer(SenderEvent.Answered answer) throws IOException {
    SenderTarget target = targets[answer.target()];
    if (target.hasFailed()) {
      return;
    }
    long now = System.nanoTime();
    OutgoingBatch batch = target.answered(answer.number(), now);
    if (batch == null) {
      fail(target, "it has answered batch " + answer.number() + ", which it does not have");
    } else if (answer.reply() == Reply.ACKNOWLEDGED) {
      target.acknowledge(batch);
      pushedBytes += batch.bytes();
      if (target.isByTransport()) {
        transportBytes += batch.bytes();
      }
      batches.settle(batch);
    } else {
      fallBack(target, batch);
      if (answer.reply() == Reply.FULL) {
        target.pause(now);
      } else {
        fail(target, Refusal.PRODUCER_STALE.reason());
      }
    }
  }

  private void fail(SenderTarget target, String reason) throws IOException {
    if (finished || target.hasFailed()) {
      return;
    }
    LOG.info(
        "{} does not push to target {} any more: {}", settings.producer(), target.index(), reason);
    for (OutgoingBatch batch : target.fail()) {
      fallBack(target, batch);
    }
    flush(target);
  }

  /**
   * Waits for an event, and gives targets up that have been silent for too long.
   *
   * @return false when neither happened in time
   */
  private boolean awaitEvent() throws IOException, InterruptedException {
    long now = System.nanoTime();
    long left = settings.closeTimeout().toNanos();
    for (SenderTarget target : targets) {
      if (target.hasUnanswered()) {
        left = Math.min(left, target.deadline(settings.replyTimeout()) - now);
      }
    }
    SenderEvent event = events.poll(left);
    if (event != null) {
      handle(event);
      return true;
    }
    return failSilentTargets(System.nanoTime());
  }

  private boolean failSilentTargets(long now) throws IOException {
    boolean any = false;
    for (SenderTarget target : targets) {
      if (target.hasUnanswered() && target.deadline(settings.replyTimeout()) - now <= 0) {
        fail(target, "no answer for " + settings.replyTimeout().toMillis() + " ms");
        any = true;
      }
    }
    return any;
  }

  /**
   * Sends what is left, waits until each batch is acknowledged or has fallen back, and disconnects.
   *
   * @throws LostReceiverException when a receiver is gone with what it had acknowledged
   */
  public PushOutcome finish() throws IOException, InterruptedException {
    handleEvents();
    keepIfLittle();
    for (SenderTarget target : targets) {
      flush(target);
    }
    while (hasUnanswered()) {
      awaitEvent();
    }
    finished = true;
    kept |= block.isCopy();
    for (SenderTarget target : targets) {
      target.disconnect();
      if (!kept) {
        target.checkAddress(addresses.addressOf(target.index()));
      }
    }
    List<PushOutcome.Pushed> pushed =
        Arrays.stream(targets).map(SenderTarget::pushed).flatMap(Optional::stream).toList();
    return new PushOutcome(
        pushed,
        block.isWritten(),
        kept,
        pushedBytes,
        transportBytes,
        kept ? block.bytes() - pushedBytes : block.bytes());
  }

  /**
   * Writes everything to the block, if that is little and none of it was sent yet. A target of
   * which a part has fallen back already gets nothing then: it reads the block.
   */
  private void keepIfLittle() throws IOException {
    long unsent = 0;
    for (SenderTarget target : targets) {
      if (target.hasSent()) {
        return;
      }
      unsent += target.open() == null ? 0 : target.open().bytes();
    }
    if (unsent == 0 || block.bytes() + unsent > settings.keptBytes()) {
      return;
    }
    for (SenderTarget target : targets) {
      OutgoingBatch batch = target.open();
      if (batch != null) {
        batch.writeTo(block::append);
        if (target.hasFallenBack()) {
          target.setOpen(null);
          batches.settle(batch);
        }
      }
    }
    kept = true;
  }

  private boolean hasUnanswered() {
    for (SenderTarget target : targets) {
      if (target.hasUnanswered()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Disconnects and gives all pages back. What was not finished is lost.
   *
   * @throws IOException when the network does not let go of pages in time; they are not given back
   */
  @Override
  public void close() throws IOException {
    finished = true;
    for (SenderTarget target : targets) {
      target.disconnect();
    }
    batches.settleAll();
    boolean interrupted = false;
    long deadline = System.nanoTime() + settings.closeTimeout().toNanos();
    try {
      while (batches.inNetwork() > 0) {
        try {
          SenderEvent event = events.poll(deadline - System.nanoTime());
          if (event == null) {
            throw new IOException(
                "the network has not let go of "
                    + batches.inNetwork()
                    + " batches within "
                    + settings.closeTimeout().toMillis()
                    + " ms");
          }
          if (event instanceof SenderEvent.Released released) {
            batches.release(released.batch());
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
