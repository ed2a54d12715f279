// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.protocol.PushAddresses;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.transport.TransportProtocol;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Receivers and sending tasks of one job, on loopback and one wire; checks at its end that no page
 * is lost.
 */
public final class PushHarness implements AutoCloseable {

  public static final String JOB = "job-1";

  /** What all tasks of the job know. */
  public static final JobSecret SECRET =
      JobSecret.of("the key of job 1".getBytes(StandardCharsets.UTF_8));

  static final int PARTITIONS = 12;

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(20);

  private final PagePool pool = new PagePool(256 << 20);
  private final PushWires wires;
  private final BlockStore store;
  private final List<PushReceiver> receivers = new ArrayList<>();
  private final List<TaskMemory> receiverMemories = new ArrayList<>();

  /** A harness; where this machine does not have the wire, the test is skipped. */
  public PushHarness(String wire, Path directory) {
    this.wires = open(wire, pool);
    this.store = new LocalFileStore(directory);
  }

  private static PushWires open(String wire, PagePool pool) {
    try {
      return InstalledWires.open(wire, pool, SECRET);
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
  }

  PushWires wires() {
    return wires;
  }

  PagePool pool() {
    return pool;
  }

  /** The name of the wire. */
  String wire() {
    return wires.ofReceivers().name();
  }

  /** Entries that a batch may have. */
  int maxEntries() {
    return PushWires.isTransport(wire()) ? TransportProtocol.MAX_ENTRIES : PushProtocol.MAX_ENTRIES;
  }

  public TaskMemory memory(int pages) {
    return new TaskMemory(pool, (long) pages * PagePool.PAGE_BYTES);
  }

  PushReceiver receiver(int pages) throws IOException {
    return receiver(pages, () -> {}, Duration.ofMillis(50));
  }

  PushReceiver receiver(int pages, Runnable memoryShort, Duration patience) throws IOException {
    return receiver(
        pages,
        memoryShort,
        new PushReceiver.Settings(JOB, LONG_ENOUGH, patience, Duration.ofSeconds(10)));
  }

  PushReceiver receiver(int pages, Runnable memoryShort, PushReceiver.Settings settings)
      throws IOException {
    TaskMemory memory = memory(pages);
    PushReceiver receiver =
        PushReceiver.open(wires, InetAddress.getLoopbackAddress(), settings, memory, memoryShort);
    receivers.add(receiver);
    receiverMemories.add(memory);
    return receiver;
  }

  /** A task that pushes to the given receivers, from a memory of 8 pages. */
  public SendingTask task(int task, int attempt, PushReceiver... targets) {
    return task(
        new PushSender.Settings(JOB, new Producer(task, attempt)),
        8,
        targets.length,
        target -> Optional.of(targets[target].address()));
  }

  public SendingTask task(
      PushSender.Settings settings, int pages, int targets, PushAddresses addresses) {
    return new SendingTask(settings, wires, memory(pages), targets, addresses, store);
  }

  /** How long an impatient task waits where others wait for seconds. */
  Duration impatience() {
    return Duration.ofMillis(PushWires.isTransport(wire()) ? 800 : 150);
  }

  /** Settings of an impatient task. */
  public PushSender.Settings impatient(int task) {
    return new PushSender.Settings(
        JOB, new Producer(task, 0), impatience(), impatience(), Duration.ofSeconds(10), 0, false);
  }

  /** Settings of a task that keeps what it pushes, if it has no more in all than so many bytes. */
  PushSender.Settings keeping(long bytes) {
    return new PushSender.Settings(
        JOB, new Producer(0, 0), impatience(), impatience(), Duration.ofSeconds(10), bytes, false);
  }

  /** Settings of a task that keeps what it pushes for as long as it can push all. */
  PushSender.Settings copying() {
    return new PushSender.Settings(
        JOB, new Producer(0, 0), impatience(), impatience(), Duration.ofSeconds(10), 0, true);
  }

  long takenBytes() {
    return pool.takenBytes();
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline for: %s", what).isLessThan(deadline);
      LockSupport.parkNanos(100_000);
    }
  }

  /** Closes the receivers. All tasks must have been closed, and all taken batches. */
  @Override
  public void close() {
    receivers.forEach(PushReceiver::close);
    for (TaskMemory memory : receiverMemories) {
      assertThat(memory.peakBytes()).isLessThanOrEqualTo(memory.budgetBytes());
      memory.close();
    }
    wires.close();
    assertThat(pool.takenBytes()).as("bytes of pages that were not given back").isZero();
  }
}
