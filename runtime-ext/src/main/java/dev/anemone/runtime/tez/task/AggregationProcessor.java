// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.spi.TaskPhase;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.job.ConsumedOutputs;
import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.tez.job.HadoopUser;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.JobScope;
import dev.anemone.runtime.tez.job.PlanCodec;
import dev.anemone.runtime.tez.job.ReceiverAnnouncement;
import dev.anemone.runtime.tez.job.StagePayload;
import dev.anemone.runtime.transfer.Aggregation;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tez.runtime.api.AbstractLogicalIOProcessor;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.LogicalInput;
import org.apache.tez.runtime.api.LogicalOutput;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;

/**
 * Runs a task of an aggregation as a Tez processor: announces where it takes what is pushed, and
 * gathers until every producer task has succeeded.
 */
public final class AggregationProcessor extends AbstractLogicalIOProcessor {

  private final FailureReport failureReport;
  private final GatheredInbox gatheredInbox = new GatheredInbox();
  private StagePayload payload;
  private StagePlan plan;

  /** Called by Tez. */
  public AggregationProcessor(ProcessorContext context) {
    super(context);
    failureReport = new FailureReport(context);
  }

  @Override
  public void initialize() {
    payload = StagePayload.of(getContext().getUserPayload());
  }

  @Override
  public void run(Map<String, LogicalInput> inputs, Map<String, LogicalOutput> outputs)
      throws Exception {
    JobScope scope = JobScope.of(payload.jobId(), getContext());
    JobFiles files = payload.files();
    ProcessorContext context = getContext();
    try {
      plan = payload.load(scope, context.getTaskIndex());
      TezLinks links = new TezLinks(plan, context.getTaskIndex(), scope, inputs, outputs);
      gatheredInbox.connect(links);
      try (Aggregation aggregation =
          Aggregation.open(
              TezLinks.attempt(plan, context),
              scope.dataPlane(),
              links.sourceCounts(),
              links.commonFeed(),
              links.blockIds(scope).values().iterator().next())) {
        AttemptMeter meter =
            new AttemptMeter(
                context, aggregation.clock(), scope.dataPlane().memory().pool()::takenBytes);
        try {
          gather(scope, files, links, aggregation, meter);
        } finally {
          meter.count(aggregation);
        }
      }
    } catch (Throwable t) {
      failureReport.write(files, payload.stage(), t);
      throw t;
    }
  }

  private void gather(
      JobScope scope, JobFiles files, TezLinks links, Aggregation aggregation, AttemptMeter meter)
      throws Exception {
    ProcessorContext context = getContext();
    reached(scope, TaskPhase.BEGUN);
    aggregation.address().ifPresent(this::announce);
    Map<String, BlockAnnouncement> announcements = aggregation.run();
    reached(scope, TaskPhase.GATHERED);
    reached(scope, TaskPhase.COMMITTING);
    meter.commits();
    links.finished(announcements, context, scope);
    new TaskCommit(context, scope, files, plan)
        .commit(
            new JobFiles.TaskReports(
                List.of(), aggregation.counters(), Map.of(), aggregation.lineage(announcements)));
  }

  private void reached(JobScope scope, TaskPhase phase) throws Exception {
    scope.reached(
        phase,
        plan.stage().name(),
        new TezTaskContext(
            plan,
            getContext(),
            scope,
            new CountedSteps(getContext()),
            HadoopUser.current(),
            action -> {
              throw new UnsupportedOperationException(
                  "attempts of an aggregation do nothing after their commit");
            }));
  }

  /** Tells the vertex managers of the stages that push; they tell their tasks. */
  private void announce(PushAddress address) {
    ReceiverAnnouncement announcement =
        new ReceiverAnnouncement(
            plan.stage().name(),
            getContext().getTaskIndex(),
            getContext().getTaskAttemptNumber(),
            address.wire(),
            address.host(),
            address.port(),
            address.receiverId());
    List<Event> events = new ArrayList<>();
    for (Link link : plan.inputs()) {
      if (link.push()) {
        events.add(
            VertexManagerEvent.create(link.peer(), ByteBuffer.wrap(PlanCodec.write(announcement))));
      }
    }
    getContext().sendEvents(events);
  }

  @Override
  public void handleEvents(List<Event> processorEvents) {
    JobScope scope = JobScope.of(payload.jobId(), getContext());
    for (Event event : processorEvents) {
      Record news =
          PlanCodec.readCompressed(((CustomProcessorEvent) event).getPayload(), Record.class);
      if (news instanceof GatheredAnnouncements gathered) {
        gatheredInbox.take(gathered, scope, payload);
      } else {
        scope.written().consumed((ConsumedOutputs) news);
      }
    }
  }

  @Override
  public void abort() {
    failureReport.toldToEnd();
  }

  @Override
  public void close() {
    // All is closed when run ends.
  }
}
