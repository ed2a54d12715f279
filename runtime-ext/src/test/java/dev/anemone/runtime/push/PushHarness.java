package dev.anemone.runtime.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.Producer;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.LocalFileStore;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Receivers and sending tasks of one job, on loopback; checks at its end that no page is lost. */
final class PushHarness implements AutoCloseable {

  static final String JOB = "job-1";
  static final int PARTITIONS = 12;

  private final PagePool pool = new PagePool(256 << 20);
  private final BlockStore store;
  private final List<PushReceiver> receivers = new ArrayList<>();
  private final List<TaskMemory> receiverMemories = new ArrayList<>();

  PushHarness(Path directory) {
    this.store = new LocalFileStore(directory);
  }

  TaskMemory memory(int pages) {
    return new TaskMemory(pool, (long) pages * PagePool.PAGE_BYTES);
  }

  PushReceiver receiver(int pages) throws IOException {
    return receiver(pages, () -> {}, Duration.ofMillis(50));
  }

  PushReceiver receiver(int pages, Runnable memoryShort, Duration patience) throws IOException {
    TaskMemory memory = memory(pages);
    PushReceiver receiver =
        PushReceiver.open(InetAddress.getLoopbackAddress(), JOB, memory, memoryShort, patience);
    receivers.add(receiver);
    receiverMemories.add(memory);
    return receiver;
  }

  /** A task that pushes to the given receivers, from a memory of 8 pages. */
  SendingTask task(int task, int attempt, PushReceiver... targets) {
    return task(
        new PushSender.Settings(JOB, new Producer(task, attempt)),
        8,
        targets.length,
        target -> Optional.of(targets[target].address()));
  }

  SendingTask task(PushSender.Settings settings, int pages, int targets, PushAddresses addresses) {
    return new SendingTask(settings, memory(pages), targets, addresses, store);
  }

  /** Settings of a task that waits for 150 ms where others wait for seconds. */
  static PushSender.Settings impatient(int task) {
    Duration timeout = Duration.ofMillis(150);
    return new PushSender.Settings(JOB, new Producer(task, 0), timeout, timeout);
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
    assertThat(pool.takenBytes()).as("bytes of pages that were not given back").isZero();
  }
}
