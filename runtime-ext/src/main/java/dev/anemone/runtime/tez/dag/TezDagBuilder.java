// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.dag;

import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.VertexProperty;
import dev.anemone.runtime.stage.DiscardableOutput;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.Stage;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.tez.job.StagePayload;
import dev.anemone.runtime.tez.job.StageSchedule;
import dev.anemone.runtime.tez.master.GatheringEdgeManager;
import dev.anemone.runtime.tez.master.LostBlocks;
import dev.anemone.runtime.tez.master.OneToOneEdgeManager;
import dev.anemone.runtime.tez.master.StageVertexManager;
import dev.anemone.runtime.tez.placement.Placement;
import dev.anemone.runtime.tez.placement.StagePlacement;
import dev.anemone.runtime.tez.task.AggregationProcessor;
import dev.anemone.runtime.tez.task.LinkInput;
import dev.anemone.runtime.tez.task.LinkOutput;
import dev.anemone.runtime.tez.task.StageProcessor;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.Edge;
import org.apache.tez.dag.api.EdgeManagerPluginDescriptor;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.EdgeProperty.DataMovementType;
import org.apache.tez.dag.api.EdgeProperty.DataSourceType;
import org.apache.tez.dag.api.EdgeProperty.SchedulingType;
import org.apache.tez.dag.api.InputDescriptor;
import org.apache.tez.dag.api.OutputDescriptor;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.VertexLocationHint;

/**
 * Lowers the plans of a job's stages to a Tez DAG: a stage becomes a Tez vertex, a link an edge,
 * and the execution properties become resources, location hints and settings of vertices and edges.
 */
public final class TezDagBuilder {

  private final int maxTaskAttempts;
  private final Placement placement;

  /**
   * A builder.
   *
   * @param maxTaskAttempts how often a task is tried
   * @param placement where tasks run
   */
  public TezDagBuilder(int maxTaskAttempts, Placement placement) {
    this.maxTaskAttempts = maxTaskAttempts;
    this.placement = placement;
  }

  /**
   * The DAG of these plans.
   *
   * @param payloads what the tasks of each stage are sent, by the stage's name
   */
  public DAG build(String name, List<StagePlan> plans, Map<String, StagePayload> payloads) {
    DAG dag = DAG.create(name);
    Map<String, Vertex> vertices = new HashMap<>();
    for (StagePlan plan : plans) {
      Vertex vertex = vertex(plan, plans, payloads.get(plan.stage().name()));
      vertices.put(plan.stage().name(), vertex);
      dag.addVertex(vertex);
    }
    for (StagePlan plan : plans) {
      for (Link link : plan.inputs()) {
        dag.addEdge(
            Edge.create(
                vertices.get(link.peer()),
                vertices.get(plan.stage().name()),
                edgeProperty(link, plan.job().id())));
      }
    }
    return dag;
  }

  private Vertex vertex(StagePlan plan, List<StagePlan> plans, StagePayload payload) {
    Stage stage = plan.stage();
    ProcessorDescriptor processor =
        ProcessorDescriptor.create(
                plan.isAggregation()
                    ? AggregationProcessor.class.getName()
                    : StageProcessor.class.getName())
            .setUserPayload(payload.toTez());
    StagePlacement placed = placement.of(stage);
    Vertex vertex =
        placed
            .container()
            .map(size -> Vertex.create(stage.name(), processor, stage.parallelism(), size))
            .orElseGet(() -> Vertex.create(stage.name(), processor, stage.parallelism()));
    placed.settings().forEach(vertex::setConf);
    LostBlocks.settings(goWithNodes(plan)).forEach(vertex::setConf);
    vertex.setVertexManagerPlugin(StageVertexManager.descriptor(schedule(plan, plans)));
    vertex.setLocationHint(VertexLocationHint.create(placed.hints()));
    // When what a task pushed is lost with its receiver, or what it wrote was deleted when it had
    // been read and is needed again, Tez counts that as a failure of the task.
    boolean losing = !plan.pushing().isEmpty() || !DiscardableOutput.of(plan, plans).isEmpty();
    int attempts = losing ? 2 * maxTaskAttempts : maxTaskAttempts;
    vertex.setConf(TezConfiguration.TEZ_AM_TASK_MAX_FAILED_ATTEMPTS, Integer.toString(attempts));
    property(stage, ResourceSlot.class)
        .filter(slot -> slot.maxConcurrentTasks() > 0)
        .ifPresent(
            slot ->
                vertex.setConf(
                    TezConfiguration.TEZ_AM_VERTEX_MAX_TASK_CONCURRENCY,
                    Integer.toString(slot.maxConcurrentTasks())));
    property(stage, ClonedScheduling.class).ifPresent(cloned -> speculate(vertex, stage, cloned));
    return vertex;
  }

  /** What lies in the pool is not on the node of the task that wrote it. */
  private static boolean goWithNodes(StagePlan plan) {
    return plan.outputs().stream()
        .anyMatch(
            link ->
                link.property(DataStore.class)
                    .filter(store -> store == DataStore.REMOTE_MEMORY)
                    .isEmpty());
  }

  private StageSchedule schedule(StagePlan plan, List<StagePlan> plans) {
    return new StageSchedule(
        plan.job().id(),
        plan.job().reportDirectory(),
        plan.stage().vertices().stream().map(IRVertex::id).collect(Collectors.toSet()),
        new StageSchedule.Inputs(
            earlyInputs(plan), oneToOneInputs(plan), after(plan, plans), drawn(plan, plans)),
        DiscardableOutput.of(plan, plans),
        placement.near(plan, plans),
        placement.nearby(plan, plans),
        plan.sample(),
        plan.redrawing(),
        !plan.isRecombining());
  }

  /**
   * An aggregation counts the tasks that push to it when it starts, so these must be as many as
   * there will be.
   */
  private static Set<String> drawn(StagePlan plan, List<StagePlan> plans) {
    Set<String> early = earlyInputs(plan);
    return plans.stream()
        .filter(other -> other.redrawing().isPresent())
        .map(other -> other.stage().name())
        .filter(early::contains)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * Tez counts speculative tasks against two fractions and a minimum number, and takes the largest;
   * all three are set to what the property allows. The threshold is a setting of the session.
   */
  private static void speculate(Vertex vertex, Stage stage, ClonedScheduling cloned) {
    int allowed = (int) Math.max(1, cloned.maxClonedFraction() * stage.parallelism());
    String fraction = Double.toString(cloned.maxClonedFraction());
    vertex.setConf(TezConfiguration.TEZ_AM_SPECULATION_ENABLED, "true");
    vertex.setConf(
        TezConfiguration.TEZ_AM_MINIMUM_ALLOWED_SPECULATIVE_TASKS, Integer.toString(allowed));
    vertex.setConf(TezConfiguration.TEZ_AM_PROPORTION_TOTAL_TASKS_SPECULATABLE, fraction);
    vertex.setConf(TezConfiguration.TEZ_AM_PROPORTION_RUNNING_TASKS_SPECULATABLE, fraction);
  }

  private static Set<String> oneToOneInputs(StagePlan plan) {
    return plan.inputs().stream()
        .filter(link -> link.transfer() == Transfer.ONE_TO_ONE)
        .map(Link::peer)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * An aggregation starts with the tasks that push to it, so it waits for what these pull. Any
   * other stage waits for its inputs as Tez reports them task by task.
   */
  private static Set<String> after(StagePlan plan, List<StagePlan> plans) {
    Set<String> after = new LinkedHashSet<>();
    if (plan.isAggregation()) {
      Set<String> early = earlyInputs(plan);
      for (StagePlan producer : plans) {
        if (early.contains(producer.stage().name())) {
          producer.inputs().forEach(link -> after.add(link.peer()));
        }
      }
    }
    return after;
  }

  /** The stages that run beside this one. */
  private static Set<String> earlyInputs(StagePlan plan) {
    return plan.inputs().stream()
        .filter(Link::isReadEarly)
        .map(Link::peer)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static <P extends VertexProperty> Optional<P> property(Stage stage, Class<P> type) {
    // Vertices of one stage agree in what concerns placement.
    return stage.vertices().get(0).property(type);
  }

  /** Which partitions a task reads is decided by the task, not by Tez's routing of events. */
  private static EdgeProperty edgeProperty(Link link, String jobId) {
    OutputDescriptor output = OutputDescriptor.create(LinkOutput.class.getName());
    InputDescriptor input = InputDescriptor.create(LinkInput.class.getName());
    if (link.isReadEarly() && link.transfer() != Transfer.ONE_TO_ONE) {
      return EdgeProperty.create(
          DataMovementType.BROADCAST,
          DataSourceType.PERSISTED,
          SchedulingType.SEQUENTIAL,
          output,
          input);
    }
    return EdgeProperty.create(
        link.transfer() == Transfer.ONE_TO_ONE
            ? EdgeManagerPluginDescriptor.create(OneToOneEdgeManager.class.getName())
            : GatheringEdgeManager.descriptor(jobId),
        DataSourceType.PERSISTED,
        SchedulingType.SEQUENTIAL,
        output,
        input);
  }
}
