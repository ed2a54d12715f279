// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.tez.job.ConsumedOutput;
import dev.anemone.runtime.tez.job.ConsumedOutputs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.tez.runtime.api.TaskAttemptIdentifier;

/** What of a job's data all consumers have read, and who is told so. Thread-safe. */
final class ReadOutputs {

  private final Map<String, Attempts> completed = new HashMap<>();
  private final Map<Output, ConsumedOutput> consumed = new LinkedHashMap<>();
  private final List<Consumer<ConsumedOutputs>> listeners = new ArrayList<>();

  /**
   * The attempts that have succeeded of a stage's tasks.
   *
   * @param vertex the stage's number among the vertices of the DAG
   * @param count one more than the highest number of an attempt
   */
  private record Attempts(int vertex, int count) {}

  private record Output(String stage, int link) {}

  /** Is told all there is whenever something has been added. */
  synchronized void listen(Consumer<ConsumedOutputs> listener) {
    listeners.add(listener);
  }

  /** Notes that an attempt has succeeded. */
  synchronized void completed(TaskAttemptIdentifier attempt) {
    var vertex = attempt.getTaskIdentifier().getVertexIdentifier();
    completed.merge(
        vertex.getName(),
        new Attempts(vertex.getIdentifier(), attempt.getIdentifier() + 1),
        (one, other) -> one.count() >= other.count() ? one : other);
  }

  /** Notes that all consumers have read what has been written for a link of a stage. */
  void consumed(String stage, int link) {
    ConsumedOutputs all;
    List<Consumer<ConsumedOutputs>> told;
    synchronized (this) {
      Attempts attempts = completed.get(stage);
      if (attempts == null) {
        return;
      }
      consumed.put(
          new Output(stage, link), new ConsumedOutput(attempts.vertex(), link, attempts.count()));
      all = all();
      told = List.copyOf(listeners);
    }
    told.forEach(listener -> listener.accept(all));
  }

  /** All that has been read. */
  synchronized ConsumedOutputs all() {
    return new ConsumedOutputs(List.copyOf(consumed.values()));
  }
}
