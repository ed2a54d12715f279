// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.JobEvent;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.history.DAGHistoryEvent;
import org.apache.tez.dag.history.HistoryEventHandler;
import org.apache.tez.dag.history.events.DAGFinishedEvent;
import org.apache.tez.dag.history.events.DAGSubmittedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the history of jobs whose application master is in this JVM. In this mode Tez writes its
 * history into a file, whatever service it is given, so this takes its place.
 */
public final class LocalHistory extends HistoryEventHandler {

  /** What all attempts of this JVM run on. */
  public static final String EXECUTOR = "local";

  private static final Logger LOG = LoggerFactory.getLogger(LocalHistory.class);
  private static final Map<String, Consumer<JobEvent>> LISTENERS = new ConcurrentHashMap<>();

  private final AppContext master;
  private volatile Optional<AttemptHistory> current = Optional.empty();

  /** Called by an application master. */
  public LocalHistory(AppContext master) {
    super(master);
    this.master = master;
  }

  /** Has the events of a job's attempts given to a listener as they happen. */
  public static HistoryFeed listen(String dagName, Consumer<JobEvent> listener) {
    LISTENERS.put(dagName, listener);
    return new HistoryFeed() {
      @Override
      public void poll() {}

      @Override
      public void close() {
        LISTENERS.remove(dagName);
      }
    };
  }

  @Override
  public void handleCriticalEvent(DAGHistoryEvent event) throws IOException {
    super.handleCriticalEvent(event);
    // A session has one DAG at a time.
    if (event.getHistoryEvent() instanceof DAGSubmittedEvent submitted) {
      current =
          Optional.ofNullable(LISTENERS.get(submitted.getDAGName()))
              .map(events -> new AttemptHistory(master, Optional.of(EXECUTOR), events));
    }
    try {
      current.ifPresent(history -> history.handle(event.getHistoryEvent()));
    } catch (RuntimeException e) {
      // The master would end for it, and its job does not depend on what is told of it.
      LOG.warn("What happens to the attempts of {} is not told any more", event.getDAGID(), e);
      current = Optional.empty();
    }
    if (event.getHistoryEvent() instanceof DAGFinishedEvent) {
      current = Optional.empty();
    }
  }
}
