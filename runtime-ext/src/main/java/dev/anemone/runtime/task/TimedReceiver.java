// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.clock.SampledTime;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.spi.Receiver;

/**
 * Stands between a source, whose time is {@link Part#INPUT}, and the operators behind it, whose
 * time is {@link Part#COMPUTE}. Used by the task's thread.
 */
final class TimedReceiver implements Receiver {

  private final Receiver receiver;
  private final TaskClock clock;
  private final SampledTime operators;
  private final Part before;

  /** The source begins. */
  TimedReceiver(Receiver receiver, TaskClock clock) {
    this.receiver = receiver;
    this.clock = clock;
    this.operators = new SampledTime(clock);
    this.before = clock.enter(Part.INPUT);
  }

  @Override
  public void accept(Object element) throws Exception {
    if (!operators.isNext()) {
      receiver.accept(element);
      return;
    }
    operators.begin();
    receiver.accept(element);
    operators.end();
  }

  /** The source has ended. */
  void end() {
    clock.reassign(operators.nanos(), Part.COMPUTE);
    clock.back(before);
  }
}
