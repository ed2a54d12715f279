// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.stage.DiscardableOutput;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.tez.job.ConsumedOutput;
import dev.anemone.runtime.tez.job.DrawnRanges;
import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.JobScope;
import dev.anemone.runtime.tez.job.OutputAnnouncement;
import dev.anemone.runtime.transfer.BlockLinks;
import dev.anemone.runtime.transfer.TaskAttempt;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.LinkSources;
import dev.anemone.runtime.transfer.announcement.Loss;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.runtime.api.LogicalInput;
import org.apache.tez.runtime.api.LogicalOutput;
import org.apache.tez.runtime.api.ProcessorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Joins Tez's inputs and outputs of a task with the links of the data plane. */
final class TezLinks {

  private static final Logger LOG = LoggerFactory.getLogger(TezLinks.class);

  private final StagePlan plan;
  private final Map<String, LinkInput> inputs = new LinkedHashMap<>();
  private final Map<String, LinkOutput> outputs = new LinkedHashMap<>();

  TezLinks(
      StagePlan plan,
      int task,
      JobScope scope,
      Map<String, LogicalInput> logicalInputs,
      Map<String, LogicalOutput> logicalOutputs)
      throws Exception {
    logicalInputs.forEach((peer, input) -> inputs.put(peer, (LinkInput) input));
    logicalOutputs.forEach((peer, output) -> outputs.put(peer, (LinkOutput) output));
    List<Link> drawn = new ArrayList<>();
    for (Link link : plan.inputs()) {
      Optional<DrawnRanges> ranges = inputs.get(link.peer()).drawnRanges();
      drawn.add(
          ranges.isPresent()
              ? link.withRangesOf(
                  task, ranges.get().load(scope, JobFiles.of(plan.job().reportDirectory()), task))
              : link);
    }
    this.plan = plan.withInputs(drawn);
  }

  /** Takes what all tasks of a stage have announced. */
  void announced(String peer, List<GatheredAnnouncements.Entry> announcements) {
    inputs.get(peer).announced(announcements);
  }

  /** The stage's plan, with the ranges that were drawn while the job runs. */
  StagePlan plan() {
    return plan;
  }

  /** The links of a task whose inputs are read one after the other. */
  BlockLinks blockLinks(JobScope scope, TaskAttempt attempt) {
    Map<String, LinkSources> sources =
        plan.inputs().stream()
            .map(Link::peer)
            .collect(
                Collectors.toMap(
                    peer -> peer,
                    peer -> {
                      SourceFeed feed = new SourceFeed(this::reportLost);
                      LinkInput input = inputs.get(peer);
                      input.connect(feed);
                      return new LinkSources(
                          input.getNumPhysicalInputs(),
                          feed,
                          scope.blockId("spill", input.uniqueName()));
                    }));
    return new BlockLinks(
        attempt, scope.dataPlane(), sources, blockIds(scope), scope.pushTargets());
  }

  /** One feed for all inputs of a task, which takes what comes first. */
  SourceFeed commonFeed() {
    SourceFeed feed = new SourceFeed(this::reportLost);
    inputs.values().forEach(input -> input.connect(feed));
    return feed;
  }

  /** How many producer tasks feed the inputs, by stage. */
  Map<String, Integer> sourceCounts() {
    return inputs.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().getNumPhysicalInputs()));
  }

  /** The attempt of a processor's task. */
  static TaskAttempt attempt(StagePlan plan, ProcessorContext context) {
    // Killed attempts are numbered, too, so this may be said too early, but never too late.
    int most =
        context
            .getContainerConfiguration()
            .getInt(
                TezConfiguration.TEZ_AM_TASK_MAX_FAILED_ATTEMPTS,
                TezConfiguration.TEZ_AM_TASK_MAX_FAILED_ATTEMPTS_DEFAULT);
    int number = context.getTaskAttemptNumber();
    return new TaskAttempt(plan, context.getTaskIndex(), number, number + 1 >= most);
  }

  /** Names for the blocks of the outputs, by consumer stage. */
  Map<String, BlockId> blockIds(JobScope scope) {
    return outputs.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry ->
                    scope.blockId(
                        "output",
                        ConsumedOutput.blockName(
                            entry.getValue().uniqueName(), position(entry.getKey())))));
  }

  private void reportLost(Source source, int version, Loss loss, String reason) {
    LOG.warn(
        loss == Loss.GONE
            ? "Task {} of {} is to run again: {}"
            : "What task {} of {} wrote is out of reach: {}",
        source.index(),
        source.peer(),
        reason);
    inputs.get(source.peer()).reportLost(source.index(), version, loss, reason);
  }

  /** Position of the link, among the stage's outputs, for which a consumer's data is written. */
  private int position(String peer) {
    List<Link> links = plan.outputs();
    return IntStream.range(0, links.size())
        .filter(i -> links.get(i).peer().equals(peer))
        .map(i -> DiscardableOutput.writtenFor(plan, i))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no output for " + peer));
  }

  /** Hands what is to be told to the consumers to Tez's outputs, and notes the blocks. */
  void finished(
      Map<String, BlockAnnouncement> announcements, ProcessorContext context, JobScope scope) {
    for (int position = 0; position < plan.outputs().size(); position++) {
      Link link = plan.outputs().get(position);
      Optional<BlockId> block = announcements.get(link.peer()).block();
      if (DiscardableOutput.writtenFor(plan, position) == position && block.isPresent()) {
        scope
            .written()
            .add(
                context.getTaskVertexIndex(),
                position,
                context.getTaskAttemptNumber(),
                block.get(),
                link.push() || plan.isAggregation()
                    ? DataStore.LOCAL_FILE
                    : scope.dataPlane().storeOf(link));
      }
      outputs
          .get(link.peer())
          .finished(OutputAnnouncement.events(link, announcements.get(link.peer())));
    }
  }
}
