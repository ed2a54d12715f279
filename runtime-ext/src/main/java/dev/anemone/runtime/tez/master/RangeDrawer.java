// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.skew.PartitionLoads;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.event.RangesRedrawn.HotPartition;
import dev.anemone.runtime.sampling.MeasuredSizes;
import dev.anemone.runtime.sampling.RunTimeOptimizer.Decision;
import dev.anemone.runtime.sampling.SizeCollector;
import dev.anemone.runtime.stage.Redrawing;
import dev.anemone.runtime.stage.Redrawing.MeasuredShuffle;
import dev.anemone.runtime.stage.Redrawing.Reading;
import dev.anemone.runtime.tez.job.DrawnRanges;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.StageSchedule;
import dev.anemone.runtime.tez.task.LinkInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.EdgeProperty.DataMovementType;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.TaskLocationHint;
import org.apache.tez.dag.api.VertexManagerPluginContext;

/**
 * Gives the tasks of a stage their ranges while the job runs: puts together what sampled producer
 * tasks have measured, lets the job's run-time passes decide, and reconfigures the stage's Tez
 * vertex. Until then the vertex is not configured, which holds back whoever waits for it.
 *
 * <p>Used by the vertex manager of the stage.
 */
final class RangeDrawer {

  private final VertexManagerPluginContext context;
  private final StageSchedule schedule;
  private final Redrawing redrawing;
  private final SizeCollector collector;
  private final Map<Integer, TaskLocationHint> near = new HashMap<>();
  private boolean drawn;

  RangeDrawer(VertexManagerPluginContext context, StageSchedule schedule, Redrawing redrawing) {
    this.context = context;
    this.schedule = schedule;
    this.redrawing = redrawing;
    this.collector = new SizeCollector(redrawing);
    context.vertexReconfigurationPlanned();
  }

  /** Whether the stage's tasks know what to read. */
  boolean isDrawn() {
    return drawn;
  }

  /** Where a task should run since it reads all that some tasks of another stage wrote. */
  Optional<TaskLocationHint> near(int task) {
    return Optional.ofNullable(near.get(task));
  }

  /** Takes what a task has measured; draws the ranges after the last one. */
  void add(MeasuredSizes measured) throws IOException {
    if (!collector.add(measured)) {
      return;
    }
    long now = System.currentTimeMillis();
    JobMaster master = JobMaster.of(schedule.jobId());
    JobFiles files = JobFiles.of(schedule.reportDirectory());
    Decision decision =
        master
            .optimizer(files)
            .decide(collector.message(), collector.millis(), master.startedVertices());
    reconfigure(decision, files);
    if (schedule.reports()) {
      files.writeRedraw(report(decision, now - collector.startedMillis()));
    }
    drawn = true;
  }

  private void reconfigure(Decision decision, JobFiles files) throws IOException {
    Map<String, EdgeProperty> present = context.getInputVertexEdgeProperties();
    Map<String, EdgeProperty> changed = new HashMap<>();
    for (Map.Entry<String, Reading> input : redrawing.inputs().entrySet()) {
      PartitionSet set = partitions(decision.after(), input.getValue());
      if (!set.equals(partitions(decision.before(), input.getValue()))) {
        changed.put(
            input.getKey(), withRanges(present.get(input.getKey()), DrawnRanges.store(set, files)));
      }
      if (schedule.nearby().contains(input.getKey())) {
        follow(input.getKey(), set);
      }
    }
    int tasks =
        schedule.vertices().stream()
            .map(id -> decision.after().vertex(id).property(Parallelism.class).orElseThrow())
            .mapToInt(Parallelism::tasks)
            .max()
            .orElseThrow();
    if (!changed.isEmpty() || tasks != context.getVertexNumTasks(context.getVertexName())) {
      context.reconfigureVertex(tasks, null, changed);
    }
    context.doneReconfiguringVertex();
  }

  /** Where all partitions are divided, a task goes to the first of those whose share it reads. */
  private void follow(String stage, PartitionSet set) {
    for (PartitionDivision division : set.divisions()) {
      if (!division.replicated() && division.range().size() == set.partitions()) {
        int followed = Math.min(division.tasks().size(), context.getVertexNumTasks(stage));
        for (int share = 0; share < followed; share++) {
          near.put(
              division.tasks().get(share), TaskLocationHint.createTaskLocationHint(stage, share));
        }
      }
    }
  }

  private static PartitionSet partitions(IRDag dag, Reading reading) {
    return dag.edge(reading.edge()).property(PartitionSet.class).orElseThrow();
  }

  private static EdgeProperty withRanges(EdgeProperty edge, DrawnRanges ranges) {
    InputDescriptor input =
        InputDescriptor.create(LinkInput.class.getName()).setUserPayload(ranges.toTez());
    return edge.getDataMovementType() == DataMovementType.CUSTOM
        ? EdgeProperty.create(
            edge.getEdgeManagerDescriptor(),
            edge.getDataSourceType(),
            edge.getSchedulingType(),
            edge.getEdgeSource(),
            input)
        : EdgeProperty.create(
            edge.getDataMovementType(),
            edge.getDataSourceType(),
            edge.getSchedulingType(),
            edge.getEdgeSource(),
            input);
  }

  private Redraw report(Decision decision, long sampleMillis) {
    Map<String, Loads> byLink = new LinkedHashMap<>();
    Loads total = null;
    int sampled = 0;
    for (int i = 0; i < redrawing.shuffles().size(); i++) {
      MeasuredShuffle shuffle = redrawing.shuffles().get(i);
      ShuffleSizes.Shuffle sizes = decision.message().shuffles().get(i);
      sampled += sizes.sampledTasks();
      for (Reading reading : shuffle.readings()) {
        PartitionSet after = partitions(decision.after(), reading);
        Loads loads =
            new Loads(
                PartitionLoads.of(partitions(decision.before(), reading), sizes),
                PartitionLoads.of(after, sizes),
                hot(after, sizes));
        byLink.merge(reading.link(), loads, Loads::plus);
        if (redrawing.inputs().containsValue(reading)) {
          total = total == null ? loads : total.plus(loads);
        }
      }
    }
    if (redrawing.inputs().size() > 1 && total != null) {
      byLink.put(
          String.join("+", redrawing.inputs().values().stream().map(Reading::link).toList()),
          total);
    }
    List<Redraw.Shuffle> shuffles = new ArrayList<>();
    int partitions = decision.message().partitions();
    byLink.forEach((link, loads) -> shuffles.add(loads.ofLink(link, partitions)));
    return new Redraw(
        redrawing.messageId(),
        shuffles,
        sampled,
        redrawing.heldTasks(),
        sampleMillis,
        decision.passMillis(),
        decision.notes());
  }

  private static Map<Integer, HotPartition> hot(PartitionSet set, ShuffleSizes.Shuffle sizes) {
    Map<Integer, HotPartition> hot = new TreeMap<>();
    for (PartitionDivision division : set.divisions()) {
      // What is replicated is another shuffle's partition of this number that is too large; and
      // where all partitions are divided together, none is so for its size.
      if (!division.replicated() && division.range().size() == 1) {
        int partition = division.range().from();
        long bytes = Math.round(sizes.estimatedBytes(partition));
        hot.put(partition, new HotPartition(partition, bytes, division.tasks().size()));
      }
    }
    return hot;
  }

  /**
   * Bytes for each consumer task, before and after.
   *
   * @param hot divided partitions, by their numbers
   */
  @SuppressWarnings("ArrayRecordComponent") // added up, never compared
  private record Loads(double[] before, double[] after, Map<Integer, HotPartition> hot) {

    Loads plus(Loads other) {
      Map<Integer, HotPartition> all = new TreeMap<>(hot);
      other.hot.forEach((partition, more) -> all.merge(partition, more, Loads::both));
      return new Loads(sum(before, other.before), sum(after, other.after), all);
    }

    private static HotPartition both(HotPartition a, HotPartition b) {
      return new HotPartition(
          a.partition(), a.bytes() + b.bytes(), Math.max(a.dividedInto(), b.dividedInto()));
    }

    private static double[] sum(double[] a, double[] b) {
      double[] sum = Arrays.copyOf(a, Math.max(a.length, b.length));
      for (int task = 0; task < b.length; task++) {
        sum[task] += b[task];
      }
      return sum;
    }

    Redraw.Shuffle ofLink(String link, int partitions) {
      return new Redraw.Shuffle(
          link, rounded(before), rounded(after), partitions, List.copyOf(hot.values()));
    }

    private static List<Long> rounded(double[] bytes) {
      return Arrays.stream(bytes).mapToObj(Math::round).toList();
    }
  }
}
