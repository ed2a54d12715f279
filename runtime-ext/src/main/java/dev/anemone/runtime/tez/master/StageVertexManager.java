// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.sampling.MeasuredSizes;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import dev.anemone.runtime.tez.job.ConsumedOutputs;
import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.OutputAnnouncement;
import dev.anemone.runtime.tez.job.PlanCodec;
import dev.anemone.runtime.tez.job.ReceiverAnnouncement;
import dev.anemone.runtime.tez.job.StageSchedule;
import java.io.IOException;
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
 * <p>Of a stage that is sampled, the tasks of the sample go first, and the others when those stages
 * know their ranges whose run-time passes the sample is for: that is the control dependency. A
 * stage whose ranges are drawn starts when they are, its largest task first, as passes number tasks
 * by falling size.
 *
 * <p>To a stage that awaits others, it tells what these have announced: gathered, so that the
 * master sends each task one message, and not one for each producer.
 *
 * <p>It also passes on to the stage's tasks where the aggregation tasks are that they push to, when
 * {@link ReceiverNews} says so. Tez keeps these messages for later attempts.
 */
public final class StageVertexManager extends VertexManagerPlugin {

  private StageSchedule schedule;
  private Optional<RangeDrawer> drawer = Optional.empty();
  private final Map<String, BitSet> finished = new HashMap<>();
  private final BitSet scheduled = new BitSet();

  /** Stages that are to finish, or to know their ranges, before any task starts. */
  private final Set<String> unfinished = new HashSet<>();

  private final Set<String> undrawn = new HashSet<>();

  /** Stages that are to know their ranges before the tasks start that are not sampled. */
  private final Set<String> holding = new HashSet<>();

  private final AnnouncementGatherer announcements = new AnnouncementGatherer();
  private ReceiverNews receivers;
  private ReadOutputs readOutputs;
  private GatheredLinks gatheredLinks;
  private OutputWatch outputs;
  private boolean started;

  /** Whether there are tasks that can be told something, by any thread. */
  private volatile boolean begun;

  /** Called by Tez. */
  public StageVertexManager(VertexManagerPluginContext context) {
    super(context);
  }

  /** A descriptor of a manager. */
  public static VertexManagerPluginDescriptor descriptor(StageSchedule schedule) {
    return VertexManagerPluginDescriptor.create(StageVertexManager.class.getName())
        .setUserPayload(UserPayload.create(ByteBuffer.wrap(PlanCodec.write(schedule))));
  }

  @Override
  public void initialize() {
    schedule = PlanCodec.read(getContext().getUserPayload().getPayload(), StageSchedule.class);
    drawer =
        schedule.redrawing().map(redrawing -> new RangeDrawer(getContext(), schedule, redrawing));
    unfinished.addAll(schedule.inputs().after());
    undrawn.addAll(schedule.inputs().drawn());
    holding.addAll(schedule.heldFor());
    Map<String, EnumSet<VertexState>> awaited = new HashMap<>();
    // Kept, since news may come when the job has ended and its master is forgotten.
    JobMaster master = JobMaster.of(schedule.jobId());
    receivers = new ReceiverNews(this::tasks, this::tellTasks, master.timer());
    readOutputs = master.readOutputs();
    gatheredLinks = master.gatheredLinks();
    String name = getContext().getVertexName();
    outputs =
        new OutputWatch(name, schedule.discardable(), link -> readOutputs.consumed(name, link));
    for (String stage : outputs.stages()) {
      await(awaited, stage, VertexState.RUNNING);
      await(awaited, stage, VertexState.SUCCEEDED);
    }
    if (ContainerEnvironment.here().isPresent()) {
      readOutputs.listen(this::tellConsumed);
    }
    unfinished.forEach(stage -> await(awaited, stage, VertexState.SUCCEEDED));
    undrawn.forEach(stage -> await(awaited, stage, VertexState.CONFIGURED));
    holding.forEach(stage -> await(awaited, stage, VertexState.CONFIGURED));
    awaited.forEach(getContext()::registerForVertexStateUpdates);
  }

  private static void await(
      Map<String, EnumSet<VertexState>> awaited, String stage, VertexState state) {
    awaited.computeIfAbsent(stage, k -> EnumSet.noneOf(VertexState.class)).add(state);
  }

  @Override
  public void onVertexStateUpdated(VertexStateUpdate update) throws IOException {
    outputs.updated(update);
    String stage = update.getVertexName();
    boolean awaited =
        switch (update.getVertexState()) {
          case SUCCEEDED -> unfinished.remove(stage);
          case CONFIGURED -> {
            boolean drawn = undrawn.remove(stage);
            yield holding.remove(stage) || drawn;
          }
          default -> false;
        };
    // Other changes may come when the job has ended, and Tez has no answers any more.
    if (awaited) {
      scheduleIfStarted();
    }
  }

  @Override
  public void onVertexStarted(List<TaskAttemptIdentifier> completions) throws IOException {
    started = true;
    completions.forEach(this::note);
    scheduleIfStarted();
  }

  @Override
  public void onSourceTaskCompleted(TaskAttemptIdentifier attempt) throws IOException {
    note(attempt);
    scheduleIfStarted();
  }

  private void note(TaskAttemptIdentifier attempt) {
    finished
        .computeIfAbsent(
            attempt.getTaskIdentifier().getVertexIdentifier().getName(), k -> new BitSet())
        .set(attempt.getTaskIdentifier().getIdentifier());
    readOutputs.completed(attempt);
    announcements.completed(attempt);
  }

  private int tasks() {
    return getContext().getVertexNumTasks(getContext().getVertexName());
  }

  private void scheduleIfStarted() throws IOException {
    boolean mayStart = unfinished.isEmpty() && undrawn.isEmpty();
    if (started && mayStart && drawer.map(RangeDrawer::isDrawn).orElse(true)) {
      schedule(ready());
    }
  }

  /** The tasks whose inputs are there. */
  private BitSet ready() {
    int tasks = tasks();
    BitSet ready = new BitSet();
    ready.set(0, tasks);
    for (String source : schedule.inputs().oneToOne()) {
      ready.and(finished.getOrDefault(source, new BitSet()));
    }
    for (String source : awaited()) {
      if (!announcements.isComplete(source, getContext().getVertexNumTasks(source))) {
        return new BitSet();
      }
    }
    return ready;
  }

  /** The stages of which all tasks have to finish before any task starts. */
  private Set<String> awaited() {
    Set<String> awaited = new HashSet<>(getContext().getInputVertexEdgeProperties().keySet());
    awaited.removeAll(schedule.inputs().pushing());
    awaited.removeAll(schedule.inputs().oneToOne());
    return awaited;
  }

  private void schedule(BitSet ready) throws IOException {
    BitSet sampled = new BitSet();
    schedule.sample().ifPresent(sample -> sample.tasks().forEach(sampled::set));
    List<ScheduleTaskRequest> requests = new ArrayList<>();
    ready.andNot(scheduled);
    ready.stream().filter(sampled::get).forEach(task -> requests.add(request(task)));
    if (holding.isEmpty()) {
      ready.stream()
          .filter(task -> !sampled.get(task))
          .forEach(task -> requests.add(request(task)));
    }
    if (!requests.isEmpty()) {
      if (scheduled.isEmpty()) {
        JobMaster.of(schedule.jobId()).started(schedule.vertices());
        begun = true;
        tellConsumed(readOutputs.all());
        tellAnnounced();
      }
      requests.forEach(request -> scheduled.set(request.getTaskIndex()));
      getContext().scheduleTasks(requests);
    }
  }

  private ScheduleTaskRequest request(int task) {
    return ScheduleTaskRequest.create(task, locationHint(task));
  }

  private TaskLocationHint locationHint(int task) {
    return drawer
        .flatMap(ranges -> ranges.near(task))
        .or(
            () ->
                schedule.near().map(stage -> TaskLocationHint.createTaskLocationHint(stage, task)))
        .orElse(null);
  }

  @Override
  public void onVertexManagerEventReceived(VertexManagerEvent event) throws IOException {
    Record message = PlanCodec.read(event.getUserPayload(), Record.class);
    if (message instanceof MeasuredSizes measured) {
      draw(measured);
    } else if (message instanceof OutputAnnouncement output) {
      announcements.add(event.getProducerAttemptIdentifier(), output.announcement());
      scheduleIfStarted();
    } else {
      receivers.add((ReceiverAnnouncement) message);
    }
  }

  /**
   * Tells all tasks what those stages have announced that they await. What is announced after that
   * was made again, and is told by {@link GatheringEdgeManager}.
   */
  private void tellAnnounced() throws IOException {
    for (String source : awaited()) {
      gatheredLinks.add(source, getContext().getVertexName());
      try {
        tellTasks(
            GatheredAnnouncements.store(
                source, announcements.take(source), JobFiles.of(schedule.reportDirectory())));
      } catch (IOException | RuntimeException e) {
        noteFailure(e);
        throw e;
      }
    }
  }

  private void noteFailure(Exception failure) throws IOException {
    JobFiles.of(schedule.reportDirectory())
        .writeMasterFailure(getContext().getVertexName(), failure);
  }

  private void draw(MeasuredSizes measured) throws IOException {
    try {
      drawer.orElseThrow().add(measured);
    } catch (IOException | RuntimeException e) {
      noteFailure(e);
      throw e;
    }
    scheduleIfStarted();
  }

  /**
   * Tells what is not needed any more to the tasks on a cluster, which delete it on their nodes.
   * Also called by the managers of other stages.
   */
  private void tellConsumed(ConsumedOutputs consumed) {
    if (begun
        && outputs.isUnfinished()
        && ContainerEnvironment.here().isPresent()
        && !consumed.outputs().isEmpty()) {
      tellTasks(consumed);
    }
  }

  /** All tasks share the bytes. */
  private void tellTasks(Record news) {
    CustomProcessorEvent addresses =
        CustomProcessorEvent.create(ByteBuffer.wrap(PlanCodec.writeCompressed(news)));
    int tasks = tasks();
    for (int task = 0; task < tasks; task++) {
      getContext().sendEventToProcessor(List.of(addresses), task);
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
