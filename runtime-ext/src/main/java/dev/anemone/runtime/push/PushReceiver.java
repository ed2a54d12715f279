// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.protocol.Hello;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.shuffle.format.Producer;
import java.io.IOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes the batches that map tasks push, and keeps them in memory until its owner knows which of
 * them count. A producer's commit names the batches that were acknowledged to it; {@link #take}
 * hands out exactly these, so that retries, speculative attempts and late batches neither duplicate
 * nor lose a byte. The push of partitions to aggregation tasks is that of Sailfish and Riffle.
 *
 * <p>When there is no memory for a batch, its connection is not read until memory is freed, up to a
 * deadline; then the batch is refused, and its sender puts it elsewhere. So producers that never
 * commit can take memory, but cannot block anybody.
 *
 * <p>Thread-safe.
 */
public final class PushReceiver implements AutoCloseable {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final String jobId;
  private final String receiverId = newId();
  private final PageReserve reserve;
  private final Runnable memoryShort;
  private final Duration patience;
  private final Duration closeTimeout;
  private final ProducerLogs logs;
  private final Set<BatchGate> waiting = ConcurrentHashMap.newKeySet();
  private final LongAdder batches = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder refusedBatches = new LongAdder();
  private PushListener listener;
  private PushAddress address;

  private PushReceiver(
      String jobId,
      TaskMemory memory,
      Runnable memoryShort,
      Duration patience,
      Duration closeTimeout) {
    this.jobId = Objects.requireNonNull(jobId, "jobId");
    this.reserve = new PageReserve(memory);
    this.memoryShort = Objects.requireNonNull(memoryShort, "memoryShort");
    this.patience = patience;
    this.closeTimeout = closeTimeout;
    this.logs = new ProducerLogs(reserve);
  }

  /** Opens a receiver whose batches wait for memory for two seconds; ten to close. */
  public static PushReceiver open(
      PushWires wires, InetAddress bind, String jobId, TaskMemory memory, Runnable memoryShort)
      throws IOException {
    return open(
        wires, bind, jobId, memory, memoryShort, Duration.ofSeconds(2), Duration.ofSeconds(10));
  }

  /**
   * Opens a receiver on a free port.
   *
   * @param wires the first of them is the one that it listens on
   * @param bind the network interface to listen on
   * @param jobId only senders that present it are let in
   * @param memory where batches are kept; not closed
   * @param memoryShort is called when a batch finds no memory, so that the owner frees some; by a
   *     thread of the network, so it must be quick
   * @param patience how long a batch waits for memory before it is refused
   * @param closeTimeout how long connections may take to close
   * @throws IOException when it cannot listen there
   */
  public static PushReceiver open(
      PushWires wires,
      InetAddress bind,
      String jobId,
      TaskMemory memory,
      Runnable memoryShort,
      Duration patience,
      Duration closeTimeout)
      throws IOException {
    if (bind.isAnyLocalAddress()) {
      throw new IllegalArgumentException(
          "senders cannot be told to connect to " + bind + "; name one network interface");
    }
    PushReceiver receiver = new PushReceiver(jobId, memory, memoryShort, patience, closeTimeout);
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
   * @return empty when one of them is not there, because it never arrived or the producer was taken
   *     or discarded before; nothing of the producer is kept then
   */
  public Optional<PushedBatches> take(Producer producer, BitSet numbers) {
    Optional<PushedBatches> taken =
        logs.retire(producer).flatMap(log -> log.take(numbers, this::memoryFreed));
    memoryFreed();
    return taken;
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
    boolean quiet = listener.close(closeTimeout);
    logs.close();
    if (!quiet) {
      throw new IllegalStateException(
          "the connections of push receiver "
              + receiverId
              + " did not close within "
              + closeTimeout.toMillis()
              + " ms");
    }
  }

  /**
   * Lets a sender in.
   *
   * @return where its batches go
   * @throws RefusedException when it may not come in
   */
  public ProducerLog admit(Hello hello) throws RefusedException {
    if (!hello.jobId().equals(jobId)) {
      throw new RefusedException(Refusal.JOB);
    }
    if (!hello.receiverId().equals(receiverId)) {
      throw new RefusedException(Refusal.RECEIVER);
    }
    return logs.admit(hello.producer());
  }

  Duration patience() {
    return patience;
  }

  void memoryIsShort() {
    memoryShort.run();
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
