// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import dev.anemone.runtime.tez.history.ProgramCounters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.tez.common.counters.LimitExceededException;
import org.apache.tez.runtime.api.ProcessorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the steps of an attempt count, for Tez, which takes it to the application master with its
 * heartbeats. In a JVM that is no container nobody needs that. Thread-safe.
 */
final class CountedSteps {

  private static final Logger LOG = LoggerFactory.getLogger(CountedSteps.class);

  private final ProcessorContext context;
  private final boolean isInContainer = ContainerEnvironment.here().isPresent();
  private final List<Supplier<MetricValues>> steps = new CopyOnWriteArrayList<>();
  private volatile boolean isFull;

  CountedSteps(ProcessorContext context) {
    this.context = context;
  }

  /** A step begins to count. */
  void add(Supplier<MetricValues> counted) {
    if (isInContainer) {
      steps.add(counted);
    }
  }

  /** Has Tez know what has been counted until now. */
  void tell() {
    if (isFull) {
      return;
    }
    try {
      steps.forEach(step -> ProgramCounters.write(step.get(), context.getCounters()));
    } catch (LimitExceededException e) {
      isFull = true;
      LOG.warn(
          "{} counts more than Tez's heartbeats take (tez.counters.max): what is more is known at"
              + " its end",
          context.getUniqueIdentifier(),
          e);
    }
  }
}
