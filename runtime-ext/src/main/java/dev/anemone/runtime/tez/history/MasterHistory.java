// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.common.counters.TezCounters;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.client.Progress;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.history.DAGHistoryEvent;
import org.apache.tez.dag.history.HistoryEvent;
import org.apache.tez.dag.history.events.DAGFinishedEvent;
import org.apache.tez.dag.history.events.DAGRecoveredEvent;
import org.apache.tez.dag.history.events.DAGSubmittedEvent;
import org.apache.tez.dag.history.events.TaskAttemptFinishedEvent;
import org.apache.tez.dag.history.logging.HistoryLoggingService;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what an application master on YARN notes of the attempts of a job, in the job's
 * directory, where its client follows it ({@link FollowedHistory}), and shows its jobs on a page.
 * Each attempt of the master has a file of its own. Called by several threads of the master.
 */
public final class MasterHistory extends HistoryLoggingService {

  private static final Logger LOG = LoggerFactory.getLogger(MasterHistory.class);

  /** Set for an application whose jobs are shown on a page. */
  private static final String PAGE = "anemone.master.page";

  private static final Duration BETWEEN_PROGRESS = Duration.ofSeconds(1);

  private Optional<ToldJob> current = Optional.empty();
  private Optional<MasterPages> pages = Optional.empty();
  private ScheduledExecutorService timer;
  private Optional<Future<?>> ticks = Optional.empty();

  /** Called by Tez. */
  public MasterHistory() {
    super(MasterHistory.class.getName());
  }

  /** Has the jobs of an application shown, where its class path has what shows them. */
  public static void show(Configuration application) {
    // Somebody else's service shows nothing, and nobody is to wait for its page.
    application.setBoolean(
        PAGE,
        MasterHistory.class
            .getName()
            .equals(application.get(TezConfiguration.TEZ_HISTORY_LOGGING_SERVICE_CLASS)));
  }

  /** Whether the jobs of an application are shown, where its class path has what shows them. */
  static boolean isShown(Configuration application) {
    return application.getBoolean(PAGE, false);
  }

  /** Has the attempts of a DAG told. */
  public static void tell(org.apache.tez.dag.api.DAG dag, URI jobDirectory) {
    ToldJob.tell(dag, jobDirectory);
  }

  /** Says where the log of a DAG is that its client writes. */
  public static void logAt(org.apache.tez.dag.api.DAG dag, URI logDirectory) {
    ToldJob.logAt(dag, logDirectory);
  }

  /**
   * Has the whole log of a DAG written by the master, as its client does not wait for the end.
   *
   * @param logDirectory where the log has been begun
   */
  public static void log(org.apache.tez.dag.api.DAG dag, URI logDirectory, String jobId) {
    ToldJob.logAt(dag, logDirectory);
    ToldJob.log(dag, jobId);
  }

  @Override
  protected void serviceInit(Configuration settings) {
    if (isShown(settings)) {
      pages = MasterPages.start(appContext, settings);
    }
  }

  @Override
  protected void serviceStart() {
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "anemone-history-progress");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  protected void serviceStop() {
    if (timer != null) {
      timer.shutdownNow();
    }
    pages.ifPresent(MasterPages::close);
  }

  @Override
  public synchronized void handle(DAGHistoryEvent dagEvent) {
    HistoryEvent event = dagEvent.getHistoryEvent();
    try {
      if (event instanceof DAGSubmittedEvent submitted) {
        begin(submitted.getDAGName(), submitted.getConf());
      } else if (event instanceof DAGRecoveredEvent) {
        DAG dag = appContext.getCurrentDAG();
        begin(dag.getName(), dag.getConf());
      }
      current.ifPresent(told -> told.handle(event));
      if (event instanceof TaskAttemptFinishedEvent finishedAttempt) {
        ProgramCounters.forget(finishedAttempt.getCounters());
      }
      if (event instanceof DAGFinishedEvent finished) {
        end(finished);
      }
    } catch (IOException | RuntimeException e) {
      // The master would end for it, and its job does not depend on what is told of it.
      LOG.warn("What happens to the attempts of {} is not told any more", dagEvent.getDAGID(), e);
      current = Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin(String name, Configuration settings) throws IOException {
    current = Optional.empty();
    current = ToldJob.begin(name, settings, appContext, pages.isPresent());
    if (current.flatMap(ToldJob::events).isPresent()) {
      current
          .flatMap(ToldJob::events)
          .ifPresent(events -> pages.ifPresent(all -> all.show(events)));
      long pause = BETWEEN_PROGRESS.toMillis();
      ticks =
          Optional.of(
              timer.scheduleWithFixedDelay(this::progress, pause, pause, TimeUnit.MILLISECONDS));
    }
  }

  /**
   * Asks Tez without the lock: whoever tells of an event holds the lock of its vertex, for which
   * the question waits, and waits for this one.
   */
  void progress() {
    try {
      DAG dag = appContext.getCurrentDAG();
      if (dag != null) {
        Map<String, Progress> vertices = new TreeMap<>();
        for (Vertex vertex : dag.getVertices().values()) {
          vertices.put(vertex.getName(), vertex.getVertexProgress());
        }
        progressed(dag.getName(), vertices, counted(dag, running()));
      }
    } catch (RuntimeException e) {
      LOG.warn("How far the job is cannot be told", e);
    }
  }

  private synchronized List<TezTaskAttemptID> running() {
    return current.map(ToldJob::running).orElse(List.of());
  }

  /** What attempts had told by the last heartbeats. */
  private static Map<TezTaskAttemptID, CountedAttempts.Running> counted(
      DAG dag, List<TezTaskAttemptID> running) {
    Map<TezTaskAttemptID, CountedAttempts.Running> counted = new HashMap<>();
    long now = System.currentTimeMillis();
    for (TezTaskAttemptID id : running) {
      Vertex vertex = dag.getVertex(id.getVertexID());
      Task task = vertex == null ? null : vertex.getTask(id.getTaskID());
      TaskAttempt attempt = task == null ? null : task.getAttempt(id);
      if (attempt != null) {
        TezCounters counters = attempt.getCounters();
        counted.put(
            id,
            new CountedAttempts.Running(
                vertex.getName(),
                Optional.ofNullable(attempt.getAssignedContainerID()).map(Object::toString),
                AttemptCounters.readFrom(counters),
                ProgramCounters.read(counters, now),
                MemoryCounters.read(counters)));
      }
    }
    return counted;
  }

  private synchronized void progressed(
      String dag,
      Map<String, Progress> vertices,
      Map<TezTaskAttemptID, CountedAttempts.Running> running) {
    current.ifPresent(told -> told.progressed(dag, vertices, running));
  }

  private void end(DAGFinishedEvent finished) throws IOException, InterruptedException {
    if (current.isPresent()) {
      ToldJob told = current.get();
      current = Optional.empty();
      ticks.ifPresent(each -> each.cancel(false));
      told.end(finished);
    }
  }
}
