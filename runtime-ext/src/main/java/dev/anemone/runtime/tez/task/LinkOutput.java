// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import java.util.List;
import org.apache.tez.runtime.api.AbstractLogicalOutput;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.OutputContext;
import org.apache.tez.runtime.api.Writer;

/**
 * The end of a link at its producer, as Tez sees it. The processor writes the data; this says so
 * when the attempt succeeds. What is told to the consumer tasks is where all partitions are, so
 * what producers write does not depend on who reads which of them.
 */
public final class LinkOutput extends AbstractLogicalOutput {

  private List<Event> announcement;

  /** Called by Tez. */
  public LinkOutput(OutputContext context, int physicalOutputs) {
    super(context, physicalOutputs);
  }

  @Override
  public List<Event> initialize() {
    // Tez hands out shares of the heap to those who ask; the data plane has its own memory.
    getContext().requestInitialMemory(0, null);
    return List.of();
  }

  /** A name that no other output of any attempt in this session has. */
  String uniqueName() {
    return getContext().getUniqueIdentifier();
  }

  /** Called by the processor when all is written, with what is to be told. */
  void finished(List<Event> events) {
    announcement = events;
  }

  @Override
  public void start() {
    // There is nothing to start before the processor writes.
  }

  @Override
  public Writer getWriter() {
    throw new UnsupportedOperationException("the processor writes to the data plane itself");
  }

  @Override
  public void handleEvents(List<Event> events) {
    // No event is sent to this output.
  }

  @Override
  public List<Event> close() {
    if (announcement == null) {
      throw new IllegalStateException("the output of an attempt that did not finish is closed");
    }
    return announcement;
  }
}
