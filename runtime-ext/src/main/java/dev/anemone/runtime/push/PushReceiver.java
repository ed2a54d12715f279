// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.ReceiverHandshake;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.shuffle.format.Producer;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the batches that map tasks push, and keeps them in memory until its owner knows which of
 * them count, or wants them before. A producer's commit names the batches that were acknowledged to
 * it; {@link #take} hands out exactly these, so that retries, speculative attempts and late batches
 * neither duplicate nor lose a byte. The push of partitions to aggregation tasks is that of
 * Sailfish and Riffle.
 *
 * <p>When there is no memory for a batch, its connection is not read until memory is freed, up to a
 * deadline; then the batch is refused, and its sender puts it elsewhere. So producers that never
 * commit can take memory, but cannot block anybody.
 *
 * <p>A sender is let in when it has proven that it knows the secret of the job; until then nothing
 * is kept for it but its greeting, and not for longer than a deadline.
 *
 * <p>Thread-safe.
 */
public final class PushReceiver implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PushReceiver.class);
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * How a receiver behaves.
   *
   * @param jobId only senders of this job are let in
   * @param introduction how long a sender that has connected may take to be let in
   * @param patience how long a batch waits for memory before it is refused
   * @param closeTimeout how long connections may take to close
   */
  public record Settings(
      String jobId, Duration introduction, Duration patience, Duration closeTimeout) {

    public Settings {
      Objects.requireNonNull(jobId, "jobId");
    }

    /** Five seconds to be let in, two for memory, ten to close. */
    public Settings(String jobId) {
      this(jobId, Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(10));
    }
  }

  private final Settings settings;
  private final JobSecret secret;
  private final String receiverId = newId();
  private final PageReserve reserve;
  private final Runnable memoryShort;
  private final AtomicBoolean memoryIsShort = new AtomicBoolean();
  private final ProducerLogs logs;
  private final Set<BatchGate> waiting = ConcurrentHashMap.newKeySet();
  private final LongAdder batches = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder refusedBatches = new LongAdder();
  private PushListener listener;
  private PushAddress address;

  private PushReceiver(
      Settings settings, JobSecret secret, TaskMemory memory, Runnable memoryShort) {
    this.settings = settings;
    this.secret = secret;
    this.reserve = new PageReserve(memory);
    this.memoryShort = Objects.requireNonNull(memoryShort, "memoryShort");
    this.logs = new ProducerLogs(reserve);
  }

  /**
   * Opens a receiver on a free port.
   *
   * @param wires the first of them is the one that it listens on
   * @param bind the network interface to listen on
   * @param memory where batches are kept; not closed
   * @param memoryShort is called when a batch finds no memory, so that the owner frees some, and
   *     not again before {@link #spill}; by a thread of the network, so it must be quick
   * @throws IOException when it cannot listen there
   */
  public static PushReceiver open(
      PushWires wires, InetAddress bind, Settings settings, TaskMemory memory, Runnable memoryShort)
      throws IOException {
    if (bind.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "senders cannot be told to connect to " + bind + "; name one network interface");
    }
    PushReceiver receiver = new PushReceiver(settings, wires.secret(), memory, memoryShort);
    receiver.listen(wires.ofReceivers(), bind);
    return receiver;
  }

  private void listen(PushWire wire, InetAddress bind) throws IOException {
    try {
      listener = wire.listen(bind, this);
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on "
              + bind
              + " by "
              + wire.name()
              + " for what map tasks push: "
              + e.getMessage(),
          e);
    }
    address = new PushAddress(wire.name(), bind.getHostAddress(), listener.port(), receiverId);
  }

  /** Where it listens. */
  public PushAddress address() {
    return address;
  }

  /**
   * Hands out batches of a producer and drops its others; from now on no batch of this producer is
   * taken.
   *
   * @param numbers the batches that count
   * @return those that were not spilled before. Empty when one of them is not there, because it
   *     never arrived or the producer was taken or discarded before, or when a batch was spilled
   *     that does not count; nothing of the producer is kept then
   */
  public Optional<PushedBatches> take(Producer producer, BitSet numbers) {
    Optional<PushedBatches> taken =
        logs.retire(producer).flatMap(log -> log.take(numbers, this::memoryFreed));
    memoryFreed();
    return taken;
  }

  /**
   * When a batch has found no memory since the last time, hands out all that producers have sent
   * which are still connected, before it is known whether it counts. The owner has to leave out
   * later what does not; a producer of which something was spilled is there as a whole or not at
   * all.
   */
  public Map<Producer, PushedBatches> spill() {
    return memoryIsShort.getAndSet(false) ? logs.spill(this::memoryFreed) : Map.of();
  }

  /** Drops what a producer has sent; from now on no batch of it is taken. */
  public void discard(Producer producer) {
    logs.retire(producer).ifPresent(ProducerLog::close);
    memoryFreed();
  }

  /**
   * Drops what other attempts of a producer's task have sent, since this one has succeeded. Should
   * they still run, their batches fall back; should one of them have to take its place later, it is
   * a new one.
   */
  public void discardOthers(Producer succeeded) {
    logs.retireOthers(succeeded).forEach(ProducerLog::close);
    memoryFreed();
  }

  /** Tells that memory was freed, so that batches which wait for it are tried again. */
  public void memoryFreed() {
    waiting.forEach(BatchGate::tryAgain);
  }

  /** What it has seen so far. */
  public PushCounters counters() {
    return new PushCounters(batches.sum(), bytes.sum(), refusedBatches.sum());
  }

  /** Eleven characters: producers name the receiver to each other's consumers very often. */
  private static String newId() {
    byte[] id = new byte[Long.BYTES];
    RANDOM.nextBytes(id);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
  }

  /**
   * Closes all connections and drops all batches that were not taken. Does nothing when it was
   * closed before.
   *
   * @throws IllegalStateException when the connections do not close in time
   */
  @Override
  public void close() {
    boolean quiet = listener.close(settings.closeTimeout());
    logs.close();
    if (!quiet) {
      throw new IllegalStateException(
          "the connections of push receiver "
              + receiverId
              + " did not close within "
              + settings.closeTimeout().toMillis()
              + " ms");
    }
  }

  /** How long a sender that has connected may take to be let in. */
  public Duration introduction() {
    return settings.introduction();
  }

  /**
   * Begins to find out whether a sender is to be let in.
   *
   * @param nonce the sender's random number, which is read from there
   * @throws RefusedException when it takes this for somebody else
   */
  public ReceiverHandshake greet(Hello hello, ByteBuf nonce) throws RefusedException {
    requireMeant(hello);
    return new ReceiverHandshake(secret, hello, nonce);
  }

  private void requireMeant(Hello hello) throws RefusedException {
    if (!hello.jobId().equals(settings.jobId())) {
      throw new RefusedException(Refusal.JOB);
    }
    if (!hello.receiverId().equals(receiverId)) {
      throw new RefusedException(Refusal.RECEIVER);
    }
  }

  /**
   * Lets a sender in that has proven that it belongs to the job.
   *
   * @return where its batches go
   * @throws RefusedException when it has not, or nothing of it is wanted
   */
  public ProducerLog admit(ReceiverHandshake handshake, ByteBuf proof) throws RefusedException {
    return logs.admit(handshake.verified(proof).producer());
  }

  /**
   * Lets a sender in that need not prove anything, as it is of this JVM.
   *
   * @return where its batches go
   * @throws RefusedException when it takes this for somebody else, or nothing of it is wanted
   */
  public ProducerLog admit(Hello hello) throws RefusedException {
    requireMeant(hello);
    return logs.admit(hello.producer());
  }

  /** Notes that a sender is not let in. */
  public void refused(SocketAddress sender, Refusal why) {
    if (why == Refusal.SECRET || why == Refusal.VERSION) {
      LOG.warn("{} is refused, which wants to push to {}: {}", sender, receiverId, why.reason());
    }
  }

  Duration patience() {
    return settings.patience();
  }

  void memoryIsShort() {
    if (!memoryIsShort.getAndSet(true)) {
      memoryShort.run();
    }
  }

  void addWaiting(BatchGate gate) {
    waiting.add(gate);
  }

  void removeWaiting(BatchGate gate) {
    waiting.remove(gate);
  }

  public void countBatch(long batchBytes) {
    batches.increment();
    bytes.add(batchBytes);
  }

  public void countRefused() {
    refusedBatches.increment();
  }
}
