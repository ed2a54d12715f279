// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.ExecutorLost;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.TaskFinished;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.tez.dag.api.oldrecords.TaskAttemptState;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.history.HistoryEvent;
import org.apache.tez.dag.history.events.ContainerStoppedEvent;
import org.apache.tez.dag.history.events.TaskAttemptFinishedEvent;
import org.apache.tez.dag.history.events.TaskAttemptStartedEvent;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;

/**
 * Makes events of a job of what Tez's application master notes of its attempts and containers.
 * Called with one event after the other.
 */
final class AttemptHistory {

  private static final int LONGEST_CAUSE = 160;

  private final AppContext master;
  private final Optional<String> executor;
  private final Consumer<JobEvent> events;

  /** The container of each attempt of a task that runs; Tez does not say it at a good end. */
  private final Map<TezTaskID, Map<TezTaskAttemptID, String>> running = new HashMap<>();

  private final Set<TezTaskAttemptID> speculative = new HashSet<>();

  /** The containers that have been told and are not lost. */
  private final Set<String> executors = new HashSet<>();

  /**
   * The history of a job.
   *
   * @param executor on which all attempts run; empty where each container is one
   * @param events takes the events
   */
  AttemptHistory(AppContext master, Optional<String> executor, Consumer<JobEvent> events) {
    this.master = master;
    this.executor = executor;
    this.events = events;
  }

  /** Takes note of an event of Tez; most of them are of no interest. */
  void handle(HistoryEvent event) {
    if (event instanceof TaskAttemptStartedEvent started) {
      started(started);
    } else if (event instanceof TaskAttemptFinishedEvent finished) {
      events.accept(finished(finished));
    } else if (event instanceof ContainerStoppedEvent stopped) {
      LostContainer.cause(stopped.getExitStatus())
          .filter(cause -> executors.remove(stopped.getContainerId().toString()))
          .ifPresent(
              cause ->
                  events.accept(
                      new ExecutorLost(
                          stopped.getStoppedTime(), stopped.getContainerId().toString(), cause)));
    }
  }

  private void started(TaskAttemptStartedEvent event) {
    TezTaskAttemptID attempt = event.getTaskAttemptID();
    Map<TezTaskAttemptID, String> others =
        running.computeIfAbsent(attempt.getTaskID(), task -> new HashMap<>());
    if (!others.isEmpty()) {
      speculative.add(attempt);
    }
    String container = event.getContainerId().toString();
    others.put(attempt, container);
    if (executor.isEmpty() && executors.add(container)) {
      events.accept(
          new ExecutorStarted(
              event.getStartTime(), container, event.getNodeId().getHost(), 1, memory(event)));
    }
  }

  private long memory(TaskAttemptStartedEvent event) {
    DAG dag = master.getCurrentDAG();
    Vertex vertex = dag == null ? null : dag.getVertex(event.getTaskAttemptID().getVertexID());
    return vertex == null ? 0 : vertex.getTaskResource().getMemorySize() << 20;
  }

  /** The attempts that run now. */
  List<TezTaskAttemptID> running() {
    return running.values().stream().flatMap(attempts -> attempts.keySet().stream()).toList();
  }

  private TaskFinished finished(TaskAttemptFinishedEvent event) {
    TezTaskAttemptID attempt = event.getTaskAttemptID();
    Optional<String> container = ended(attempt).or(() -> containerOfEarlierMaster(event));
    TaskFinished.State state = state(event.getState());
    AttemptCounters counters = AttemptCounters.readFrom(event.getCounters());
    long end = event.getFinishTime();
    return new TaskFinished(
        end,
        stage(attempt),
        attempt.getTaskID().getId(),
        attempt.getId(),
        container.map(own -> executor.orElse(own)),
        state,
        speculative.remove(attempt),
        event.getCreationTime(),
        event.getStartTime() > 0 ? event.getStartTime() : end,
        counters.times(),
        counters.read(),
        counters.written(),
        counters.spilledBytes(),
        state == TaskFinished.State.SUCCEEDED ? Optional.empty() : Optional.of(cause(event)));
  }

  /** The container of an attempt that has ended; empty when it had not begun. */
  private Optional<String> ended(TezTaskAttemptID attempt) {
    Map<TezTaskAttemptID, String> others = running.get(attempt.getTaskID());
    if (others == null) {
      return Optional.empty();
    }
    Optional<String> container = Optional.ofNullable(others.remove(attempt));
    if (others.isEmpty()) {
      running.remove(attempt.getTaskID());
    }
    return container;
  }

  /** An attempt ends with the master under which it has begun, and the next one says so. */
  private static Optional<String> containerOfEarlierMaster(TaskAttemptFinishedEvent event) {
    return Optional.ofNullable(event.getContainerId())
        .filter(container -> event.getStartTime() > 0)
        .map(Object::toString);
  }

  private String stage(TezTaskAttemptID attempt) {
    DAG dag = master.getCurrentDAG();
    Vertex vertex = dag == null ? null : dag.getVertex(attempt.getVertexID());
    return vertex == null ? attempt.getVertexID().toString() : vertex.getName();
  }

  private static TaskFinished.State state(TaskAttemptState state) {
    return switch (state) {
      case SUCCEEDED -> TaskFinished.State.SUCCEEDED;
      case KILLED -> TaskFinished.State.KILLED;
      default -> TaskFinished.State.FAILED;
    };
  }

  /** Why an attempt did not succeed, in a line. */
  private static String cause(TaskAttemptFinishedEvent event) {
    String diagnostics = event.getDiagnostics() == null ? "" : event.getDiagnostics().strip();
    String cause =
        CauseText.thrown(diagnostics)
            .orElseGet(() -> event.getTaskAttemptError() + ": " + CauseText.first(diagnostics));
    return cause.length() <= LONGEST_CAUSE
        ? cause
        : cause.substring(0, LONGEST_CAUSE - 1) + "\u2026";
  }
}
