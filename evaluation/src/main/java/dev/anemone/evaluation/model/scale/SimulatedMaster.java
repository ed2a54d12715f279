// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.runtime.tez.master.JobMaster;
import dev.anemone.runtime.tez.master.SlotScheduler;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.app.TaskAttemptEventInfo;
import org.apache.tez.dag.app.TaskHeartbeatHandler;
import org.apache.tez.dag.app.dag.DAGState;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.event.DAGEvent;
import org.apache.tez.dag.app.dag.event.DAGEventStartDag;
import org.apache.tez.dag.app.dag.event.DAGEventType;
import org.apache.tez.dag.app.dag.event.TaskAttemptEvent;
import org.apache.tez.dag.app.dag.event.TaskEvent;
import org.apache.tez.dag.app.dag.event.VertexEvent;
import org.apache.tez.dag.app.dag.impl.SynchronousDag;
import org.apache.tez.dag.app.rm.AMSchedulerEventTALaunchRequest;
import org.apache.tez.dag.records.TezDAGID;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezVertexID;
import org.apache.tez.runtime.api.impl.TezEvent;

/**
 * The application master of one job: Tez's own graph of vertices, tasks and attempts, with our
 * vertex managers and our scheduler, fed from a queue by one thread. What it asks the cluster for
 * is taken by {@link SimulatedTasks}. Not thread-safe.
 */
final class SimulatedMaster {

  /** Tez's default for what a task gets with a heartbeat. */
  private static final int MOST_EVENTS = TezConfiguration.TEZ_TASK_MAX_EVENTS_PER_HEARTBEAT_DEFAULT;

  private final Queue<Runnable> queue = new ArrayDeque<>();
  private final VirtualTime time = new VirtualTime();
  private final Map<ContainerId, Container> executors = new HashMap<>();
  private final String jobId;
  private final AppContext context;
  private final SimulatedTasks tasks;
  private final CountingStream wire = new CountingStream();
  private final DataOutputStream wireOut = new DataOutputStream(wire);
  private SynchronousDag dag;
  private long handled;
  private long sent;

  /**
   * What the master has done: events that it handled, and events and bytes that it sent to tasks.
   */
  record Work(long handledEvents, long sentEvents, long sentBytes) {}

  /** The position of a task among what it is told. */
  static final class Mailbox {
    private int next;
    private int nextOwn;
  }

  SimulatedMaster(String jobId, ScaledJob job, ScaledJob.Shape shape) {
    this.jobId = jobId;
    Configuration configuration = new TezConfiguration(false);
    configuration.set(TezConfiguration.TEZ_AM_DAG_SCHEDULER_CLASS, SlotScheduler.class.getName());
    configuration.setInt(SlotScheduler.SLOTS, shape.executors());
    EventHandler<Event<?>> events = event -> queue.add(() -> dispatch(event));
    context = MasterContext.create(configuration, events, queue::add, time, () -> dag, executors);
    JobMaster.open(jobId, getClass().getClassLoader(), consumed -> {}, time);
    dag =
        new SynchronousDag(
            TezDAGID.getInstance(context.getApplicationID(), 1),
            configuration,
            job.dag().createDag(configuration, null, null, null, true),
            context,
            new TaskHeartbeatHandler(context, 1),
            time);
    tasks = new SimulatedTasks(this, job, executors);
  }

  /** Runs the job to its end; it must succeed. */
  void run() {
    try {
      dispatch(new DAGEvent(dag.getID(), DAGEventType.DAG_INIT));
      dispatch(new DAGEventStartDag(dag.getID(), null));
      do {
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
          next.run();
        }
      } while (dag.getState() == DAGState.RUNNING && time.goOn());
    } finally {
      JobMaster.forget(jobId);
    }
    if (dag.getState() != DAGState.SUCCEEDED) {
      throw new ExperimentFailure(
          "The job ended as %s: %s", dag.getState(), String.join("\n", dag.getDiagnostics()));
    }
  }

  Work work() {
    return new Work(handled, sent, wire.bytes);
  }

  /** Processor time that went into what tasks do, in nanoseconds of this thread. */
  long taskNanos() {
    return tasks.nanos();
  }

  /** Tasks that have run. */
  int tasksRun() {
    return tasks.ended();
  }

  /** Does something after a time. */
  void after(Duration delay, Runnable action) {
    time.runAfter(delay, action);
  }

  /** Takes what a task reports. */
  void report(Event<?> event) {
    queue.add(() -> dispatch(event));
  }

  Vertex vertex(TezVertexID id) {
    return dag.getVertex(id);
  }

  /** All that a task is told, as bytes on their way to it. */
  List<TezEvent> fetch(TezTaskAttemptID attempt, Mailbox mailbox) {
    TaskAttemptEventInfo info =
        vertex(attempt.getVertexID())
            .getTaskAttemptTezEvents(attempt, mailbox.next, mailbox.nextOwn, MOST_EVENTS);
    mailbox.next = info.getNextFromEventId();
    mailbox.nextOwn = info.getNextPreRoutedFromEventId();
    for (TezEvent event : info.getEvents()) {
      sent++;
      try {
        event.write(wireOut);
      } catch (IOException e) {
        throw new UncheckedIOException("a stream that counts takes everything", e);
      }
    }
    return info.getEvents();
  }

  @SuppressWarnings("unchecked") // Tez declares its handlers so
  private void dispatch(Event<?> event) {
    handled++;
    if (event instanceof DAGEvent ofDag) {
      dag.handle(ofDag);
    } else if (event instanceof VertexEvent ofVertex) {
      ((EventHandler<VertexEvent>) vertex(ofVertex.getVertexID())).handle(ofVertex);
    } else if (event instanceof TaskAttemptEvent ofAttempt) {
      Task task = vertex(ofAttempt.getVertexID()).getTask(ofAttempt.getTaskID());
      ((EventHandler<TaskAttemptEvent>) task.getAttempt(ofAttempt.getTaskAttemptID()))
          .handle(ofAttempt);
    } else if (event instanceof TaskEvent ofTask) {
      ((EventHandler<TaskEvent>) vertex(ofTask.getVertexID()).getTask(ofTask.getTaskID()))
          .handle(ofTask);
    } else if (event instanceof AMSchedulerEventTALaunchRequest launch) {
      tasks.launch(launch.getAttemptID());
    }
    // What is told to nodes, containers and the master itself concerns nobody here.
  }

  private static final class CountingStream extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] b, int from, int length) {
      bytes += length;
    }
  }
}
