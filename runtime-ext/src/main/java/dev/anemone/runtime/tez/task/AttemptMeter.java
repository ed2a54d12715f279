// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.JobProgress.MemoryUse;
import dev.anemone.runtime.event.TaskFinished.Amount;
import dev.anemone.runtime.tez.history.AttemptCounters;
import dev.anemone.runtime.tez.history.MemoryCounters;
import dev.anemone.runtime.transfer.Aggregation;
import dev.anemone.runtime.transfer.BlockLinks;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.tez.runtime.api.ProcessorContext;

/**
 * Has Tez know what an attempt has done and where its time went. Used by the attempt's thread, but
 * for {@link #counting}.
 */
final class AttemptMeter {

  private final ProcessorContext context;
  private final TaskClock clock;
  private final LongSupplier offHeapUsed;
  private final long collectedBefore = collectedMillis();
  private AttemptCounters counted = AttemptCounters.NONE;
  private boolean isCounted;

  /**
   * A meter.
   *
   * @param offHeapUsed bytes of the pages that the tasks of this container have taken
   */
  AttemptMeter(ProcessorContext context, TaskClock clock, LongSupplier offHeapUsed) {
    this.context = context;
    this.clock = clock;
    this.offHeapUsed = offHeapUsed;
  }

  /** The task goes on with its commit. */
  void commits() {
    clock.enter(Part.COMMIT);
  }

  /**
   * Has Tez know what has gone over the links of an attempt that runs, and what memory its
   * container has in use; any thread may ask.
   */
  synchronized void counting(BlockLinks links) {
    if (!isCounted) {
      Runtime runtime = Runtime.getRuntime();
      MemoryCounters.write(
          new MemoryUse(runtime.totalMemory() - runtime.freeMemory(), offHeapUsed.getAsLong(), 0),
          context.getCounters());
      EdgeCounters written = links.written();
      new AttemptCounters(
              AttemptTimes.NONE,
              new Amount(links.readRecords(), links.allReadBytes()),
              new Amount(written.written().records(), written.written().rawBytes()),
              written.spilled().spilledBytes())
          .writeTo(context.getCounters());
    }
  }

  /** Takes what has gone over the links until now, whether the attempt succeeds or not. */
  void count(BlockLinks links) {
    count(links.counters(), new Amount(links.readRecords(), links.allReadBytes()));
  }

  /** The same of an aggregation, which reads what it writes, and does not look at records. */
  void count(Aggregation aggregation) {
    Map<String, EdgeCounters> counters = aggregation.counters();
    count(counters, new Amount(0, sum(counters).written().rawBytes()));
  }

  private synchronized void count(Map<String, EdgeCounters> counters, Amount read) {
    isCounted = true;
    EdgeCounters all = sum(counters);
    counted =
        new AttemptCounters(
            AttemptTimes.NONE,
            read,
            new Amount(all.written().records(), all.written().rawBytes()),
            all.spilled().spilledBytes());
    tell();
  }

  private static EdgeCounters sum(Map<String, EdgeCounters> counters) {
    return counters.values().stream().reduce(EdgeCounters.NONE, EdgeCounters::plus);
  }

  /** Tells Tez what is known now; it sends that with the end of the attempt. */
  void tell() {
    AttemptTimes times =
        new AttemptTimes(
            clock.millis(Part.INPUT),
            clock.millis(Part.FETCH_WAIT),
            clock.millis(Part.COMPUTE),
            clock.millis(Part.SORT),
            clock.millis(Part.SPILL),
            clock.millis(Part.PUSH),
            clock.millis(Part.WRITE),
            clock.millis(Part.COMMIT),
            collectedMillis() - collectedBefore);
    new AttemptCounters(times, counted.read(), counted.written(), counted.spilledBytes())
        .writeTo(context.getCounters());
  }

  private static long collectedMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .filter(millis -> millis > 0)
        .sum();
  }
}
