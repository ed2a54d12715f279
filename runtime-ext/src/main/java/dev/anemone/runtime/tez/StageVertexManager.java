package dev.anemone.runtime.tez;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.TaskLocationHint;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.VertexManagerPlugin;
import org.apache.tez.dag.api.VertexManagerPluginContext;
import org.apache.tez.dag.api.VertexManagerPluginContext.ScheduleTaskRequest;
import org.apache.tez.dag.api.VertexManagerPluginDescriptor;
import org.apache.tez.dag.api.event.VertexState;
import org.apache.tez.dag.api.event.VertexStateUpdate;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.TaskAttemptIdentifier;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;

/**
 * Schedules the tasks of a stage. A stage that pulls from another waits until all of its tasks have
 * finished, over a one-to-one link until the task of the same index has; a stage that is pushed to
 * starts at once. So stages that do not depend on each other run side by side, and a task that
 * could only wait takes no slot from one that has work.
 *
 * <p>It also passes on to the stage's tasks where the aggregation tasks are that they push to. Tez
 * keeps these messages for later attempts.
 */
public final class StageVertexManager extends VertexManagerPlugin {

  private Schedule schedule;
  private final Map<String, BitSet> finished = new HashMap<>();
  private final BitSet scheduled = new BitSet();
  private final Set<String> missing = new HashSet<>();
  private boolean started;

  /** Called by Tez. */
  public StageVertexManager(VertexManagerPluginContext context) {
    super(context);
  }

  /**
   * What a manager is told.
   *
   * @param pushing stages that push into this one, or that it reads as they finish
   * @param oneToOne stages of which each task reads the task of its index
   * @param after stages that have to be finished before the first task
   * @param near a stage near whose task of the same index each task should run
   */
  record Schedule(
      Set<String> pushing, Set<String> oneToOne, Set<String> after, Optional<String> near) {}

  /** A descriptor of a manager. */
  static VertexManagerPluginDescriptor descriptor(Schedule schedule) {
    return VertexManagerPluginDescriptor.create(StageVertexManager.class.getName())
        .setUserPayload(UserPayload.create(ByteBuffer.wrap(PlanCodec.write(schedule))));
  }

  @Override
  public void initialize() {
    schedule = PlanCodec.read(getContext().getUserPayload().getPayload(), Schedule.class);
    missing.addAll(schedule.after());
    for (String stage : schedule.after()) {
      getContext().registerForVertexStateUpdates(stage, EnumSet.of(VertexState.SUCCEEDED));
    }
  }

  @Override
  public void onVertexStateUpdated(VertexStateUpdate update) {
    missing.remove(update.getVertexName());
    if (started) {
      schedule();
    }
  }

  @Override
  public void onVertexStarted(List<TaskAttemptIdentifier> completions) {
    started = true;
    completions.forEach(this::note);
    schedule();
  }

  @Override
  public void onSourceTaskCompleted(TaskAttemptIdentifier attempt) {
    note(attempt);
    if (started) {
      schedule();
    }
  }

  private void note(TaskAttemptIdentifier attempt) {
    finished
        .computeIfAbsent(
            attempt.getTaskIdentifier().getVertexIdentifier().getName(), k -> new BitSet())
        .set(attempt.getTaskIdentifier().getIdentifier());
  }

  private void schedule() {
    int tasks = getContext().getVertexNumTasks(getContext().getVertexName());
    if (scheduled.cardinality() == tasks || !missing.isEmpty()) {
      return;
    }
    BitSet ready = new BitSet();
    ready.set(0, tasks);
    for (String source : getContext().getInputVertexEdgeProperties().keySet()) {
      if (schedule.pushing().contains(source)) {
        continue;
      }
      BitSet done = finished.getOrDefault(source, new BitSet());
      if (schedule.oneToOne().contains(source)) {
        ready.and(done);
      } else if (done.cardinality() < getContext().getVertexNumTasks(source)) {
        return;
      }
    }
    ready.andNot(scheduled);
    if (!ready.isEmpty()) {
      scheduled.or(ready);
      List<ScheduleTaskRequest> requests = new ArrayList<>();
      ready.stream()
          .forEach(task -> requests.add(ScheduleTaskRequest.create(task, locationHint(task))));
      getContext().scheduleTasks(requests);
    }
  }

  private TaskLocationHint locationHint(int task) {
    return schedule
        .near()
        .map(stage -> TaskLocationHint.createTaskLocationHint(stage, task))
        .orElse(null);
  }

  @Override
  public void onVertexManagerEventReceived(VertexManagerEvent event) {
    CustomProcessorEvent address = CustomProcessorEvent.create(event.getUserPayload().duplicate());
    int tasks = getContext().getVertexNumTasks(getContext().getVertexName());
    for (int task = 0; task < tasks; task++) {
      getContext().sendEventToProcessor(List.of(address), task);
    }
  }

  @Override
  public void onRootVertexInitialized(
      String inputName, InputDescriptor inputDescriptor, List<Event> events) {
    throw new IllegalStateException(
        "stage "
            + getContext().getVertexName()
            + " has a Tez root input "
            + inputName
            + "; sources are read by operators");
  }
}
