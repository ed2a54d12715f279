// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.sampling.MeasuredSizes;
import dev.anemone.runtime.spi.TaskPhase;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StageSample;
import dev.anemone.runtime.task.CommitActions;
import dev.anemone.runtime.task.RecombiningTask;
import dev.anemone.runtime.task.RelayTask;
import dev.anemone.runtime.task.StageTask;
import dev.anemone.runtime.task.TaskLinks;
import dev.anemone.runtime.tez.job.ConsumedOutputs;
import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.tez.job.HadoopUser;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.JobScope;
import dev.anemone.runtime.tez.job.PlanCodec;
import dev.anemone.runtime.tez.job.ReceiverAnnouncement;
import dev.anemone.runtime.tez.job.ReceiverAnnouncements;
import dev.anemone.runtime.tez.job.StagePayload;
import dev.anemone.runtime.transfer.BlockLinks;
import dev.anemone.runtime.transfer.TaskAttempt;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.lineage.OutdatedInputException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.apache.tez.runtime.api.AbstractLogicalIOProcessor;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.LogicalInput;
import org.apache.tez.runtime.api.LogicalOutput;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;

/** Runs a task of a stage as a Tez processor. */
public final class StageProcessor extends AbstractLogicalIOProcessor {

  private final long startedMillis = System.currentTimeMillis();
  private final long startedNanos = System.nanoTime();
  private final FailureReport failureReport;
  private final CountedSteps steps;
  private final GatheredInbox gatheredInbox = new GatheredInbox();
  private StagePayload payload;
  private StagePlan plan;
  private CommitActions commitActions;
  private AttemptMeter meter;
  private boolean committed;

  /** Called by Tez. */
  public StageProcessor(ProcessorContext context) {
    super(context);
    failureReport = new FailureReport(context);
    steps = new CountedSteps(context);
  }

  @Override
  public void initialize() {
    payload = StagePayload.of(getContext().getUserPayload());
    commitActions =
        new CommitActions("task " + getContext().getTaskIndex() + " of " + payload.stage());
  }

  @Override
  public void run(Map<String, LogicalInput> inputs, Map<String, LogicalOutput> outputs)
      throws Exception {
    JobScope scope = JobScope.of(payload.jobId(), getContext());
    scope.asUser(
        () -> {
          run(scope, inputs, outputs);
          return null;
        });
  }

  private void run(
      JobScope scope, Map<String, LogicalInput> inputs, Map<String, LogicalOutput> outputs)
      throws Exception {
    JobFiles files = payload.files();
    Thread thread = Thread.currentThread();
    ClassLoader previous = thread.getContextClassLoader();
    thread.setContextClassLoader(scope.classLoader());
    try {
      plan = payload.load(scope, getContext().getTaskIndex());
      for (LogicalInput input : inputs.values()) {
        input.start();
      }
      for (LogicalOutput output : outputs.values()) {
        output.start();
      }
      TezLinks tezLinks = new TezLinks(plan, getContext().getTaskIndex(), scope, inputs, outputs);
      gatheredInbox.connect(tezLinks);
      plan = tezLinks.plan();
      reached(scope, TaskPhase.BEGUN);
      try (BlockLinks links = tezLinks.blockLinks(scope, attempt())) {
        meter =
            new AttemptMeter(
                getContext(), links.clock(), scope.dataPlane().memory().pool()::takenBytes);
        try {
          run(scope, files, links, tezLinks);
        } finally {
          meter.count(links);
        }
      }
      committed = true;
    } catch (Throwable t) {
      failureReport.write(files, payload.stage(), t);
      throw t;
    } finally {
      thread.setContextClassLoader(previous);
    }
  }

  private void run(JobScope scope, JobFiles files, BlockLinks links, TezLinks tezLinks)
      throws Exception {
    List<TaskReport> reports = runTask(scope, links);
    reached(scope, TaskPhase.WRITTEN);
    Map<String, BlockAnnouncement> announcements = links.finish();
    if (!plan.pushing().isEmpty()) {
      reached(scope, TaskPhase.PUSHED);
    }
    reached(scope, TaskPhase.COMMITTING);
    meter.commits();
    commit(scope, files, links, reports, announcements);
    tellMeasurements(links);
    tezLinks.finished(announcements, getContext(), scope);
  }

  private void commit(
      JobScope scope,
      JobFiles files,
      BlockLinks links,
      List<TaskReport> reports,
      Map<String, BlockAnnouncement> announcements)
      throws Exception {
    TaskCommit commit = new TaskCommit(getContext(), scope, files, plan);
    try {
      commit.commit(
          new JobFiles.TaskReports(
              reports, links.counters(), links.readBytes(), links.lineage(announcements)));
    } catch (OutdatedInputException e) {
      commit.runAgain(e);
      throw e;
    }
  }

  private TezTaskContext taskContext(JobScope scope) {
    return new TezTaskContext(
        plan, getContext(), scope, steps, HadoopUser.current(), commitActions::add);
  }

  private void reached(JobScope scope, TaskPhase phase) throws Exception {
    scope.reached(phase, plan.stage().name(), taskContext(scope));
  }

  /** A sampled task tells the vertex managers of its consumers what it wrote. */
  private void tellMeasurements(BlockLinks links) {
    int task = getContext().getTaskIndex();
    if (plan.sample().isEmpty() || !plan.sample().get().tasks().contains(task)) {
      return;
    }
    int tasks = getContext().getVertexParallelism();
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    List<Event> events = new ArrayList<>();
    for (StageSample.MeasuredLink measured : plan.sample().get().measured()) {
      MeasuredSizes sizes =
          new MeasuredSizes(
              measured.messageId(),
              plan.stage().name(),
              measured.peer(),
              task,
              plan.sample().get().sampledOf(tasks),
              tasks,
              startedMillis,
              tookMillis,
              SizeHistogram.of(measured.messageId(), links.partitionBytes(measured.peer()))
                  .toBytes());
      byte[] bytes = PlanCodec.write(sizes);
      for (String reader : measured.readers()) {
        events.add(VertexManagerEvent.create(reader, ByteBuffer.wrap(bytes)));
      }
    }
    getContext().sendEvents(events);
  }

  private List<TaskReport> runTask(JobScope scope, BlockLinks links) throws Exception {
    if (plan.stage().vertices().get(0) instanceof RelayVertex) {
      try (ProgressTicker ticker = ticker(links, () -> ofLinks(links))) {
        new RelayTask(plan, links).run();
      }
      return List.of();
    }
    if (plan.isRecombining()) {
      try (ProgressTicker ticker = ticker(links, () -> ofLinks(links))) {
        new RecombiningTask(plan, scope.providers(), taskContext(scope), links).run();
      }
      return List.of();
    }
    Path spillDirectory = Path.of(getContext().getWorkDirs()[0]);
    Files.createDirectories(spillDirectory);
    StageTask task =
        new StageTask(plan, scope.providers(), taskContext(scope), links, spillDirectory);
    try (ProgressTicker ticker = ticker(links, task::progress)) {
      return task.run();
    } finally {
      steps.tell();
    }
  }

  private ProgressTicker ticker(BlockLinks links, DoubleSupplier progress) {
    return ProgressTicker.start(
        getContext(),
        () -> {
          meter.counting(links);
          steps.tell();
          return progress.getAsDouble();
        });
  }

  private double ofLinks(TaskLinks links) {
    return plan.inputs().stream()
        .mapToDouble(link -> links.progress(link.peer()))
        .average()
        .orElse(0);
  }

  private TaskAttempt attempt() {
    return TezLinks.attempt(plan, getContext());
  }

  @Override
  public void handleEvents(List<Event> processorEvents) {
    for (Event event : processorEvents) {
      Record news =
          PlanCodec.readCompressed(((CustomProcessorEvent) event).getPayload(), Record.class);
      if (news instanceof ConsumedOutputs consumed) {
        JobScope.of(payload.jobId(), getContext()).written().consumed(consumed);
      } else if (news instanceof GatheredAnnouncements gathered) {
        gatheredInbox.take(gathered, JobScope.of(payload.jobId(), getContext()), payload);
      } else {
        ((ReceiverAnnouncements) news).receivers().forEach(this::announced);
      }
    }
  }

  private void announced(ReceiverAnnouncement receiver) {
    JobScope.of(payload.jobId(), getContext())
        .pushTargets()
        .announced(
            receiver.stage(),
            receiver.task(),
            receiver.attempt(),
            new PushAddress(
                receiver.wire(), receiver.host(), receiver.port(), receiver.receiverId()));
  }

  @Override
  public void abort() {
    failureReport.toldToEnd();
  }

  /**
   * Does what is to be done after the commit. Tez calls this also for attempts that have failed, or
   * were told to end; of one that succeeds it announces the outputs next.
   */
  @Override
  public void close() throws Exception {
    if (!committed || failureReport.isToldToEnd() || commitActions.isEmpty()) {
      return;
    }
    JobScope scope = JobScope.of(payload.jobId(), getContext());
    Thread thread = Thread.currentThread();
    ClassLoader previous = thread.getContextClassLoader();
    thread.setContextClassLoader(scope.classLoader());
    try {
      scope.asUser(
          () -> {
            commitActions.run();
            return null;
          });
      meter.tell();
    } finally {
      thread.setContextClassLoader(previous);
    }
  }
}
