// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.stage.DiscardableOutput;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.apache.tez.dag.api.event.VertexState;
import org.apache.tez.dag.api.event.VertexStateUpdate;

/**
 * Finds out when what a stage has written is not needed any more: the stage and all consumers of
 * the link have succeeded. Tasks of theirs may run again after that, and end again, when something
 * behind them is lost. Changes come in one thread at a time.
 */
final class OutputWatch {

  private final String stage;
  private final List<DiscardableOutput> outputs;
  private final IntConsumer read;
  private final Set<String> succeeded = ConcurrentHashMap.newKeySet();

  /**
   * A watch.
   *
   * @param read takes the links, as often as that comes true
   */
  OutputWatch(String stage, List<DiscardableOutput> outputs, IntConsumer read) {
    this.stage = stage;
    this.outputs = outputs;
    this.read = read;
  }

  /** The stages of which it has to be told when they run and when they have succeeded. */
  Set<String> stages() {
    Set<String> stages = new HashSet<>();
    stages.add(stage);
    outputs.forEach(output -> stages.addAll(output.consumers()));
    return stages;
  }

  /** Whether tasks of the stage may run. */
  boolean isUnfinished() {
    return !succeeded.contains(stage);
  }

  /** Takes a change, in the order in which they happen. */
  void updated(VertexStateUpdate update) {
    String changed = update.getVertexName();
    if (update.getVertexState() != VertexState.SUCCEEDED) {
      if (update.getVertexState() == VertexState.RUNNING) {
        succeeded.remove(changed);
      }
      return;
    }
    succeeded.add(changed);
    if (!succeeded.contains(stage)) {
      return;
    }
    for (DiscardableOutput output : outputs) {
      boolean concerned = changed.equals(stage) || output.consumers().contains(changed);
      if (concerned && succeeded.containsAll(output.consumers())) {
        read.accept(output.link());
      }
    }
  }
}
