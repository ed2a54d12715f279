// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.dag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.stage.Sampling;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.stage.TransferSeparation;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.PlanCodec;
import dev.anemone.runtime.tez.job.StagePayload;
import dev.anemone.runtime.tez.job.StageSchedule;
import dev.anemone.runtime.tez.master.GatheringEdgeManager;
import dev.anemone.runtime.tez.placement.Placement;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.EdgeProperty.DataMovementType;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.records.DAGProtos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TezDagBuilderTest {

  @TempDir private Path directory;

  private DAG lower(IRDag dag) throws IOException {
    URI uri = directory.toUri();
    List<StagePlan> plans =
        new StagePlanner(
                TransferSeparation.separate(StagePartitioner.partition(dag)), Sampling.of(dag))
            .plan(new StagePlan.Job("job", new byte[0], uri.toString()));
    Map<String, StagePayload> payloads = new HashMap<>();
    for (StagePlan plan : plans) {
      payloads.put(plan.stage().name(), StagePayload.store(plan, JobFiles.of(uri.toString())));
    }
    return new TezDagBuilder(4, Placement.of(new Deployment.InProcess()))
        .build("dag", plans, payloads);
  }

  /** A source of three parts on hosts a, b and c. */
  private static IRDag source(VertexProperty... properties) {
    SourceVertex source =
        SourceVertex.of(
            "read",
            "read",
            FunctionSpec.of(TestFunctions.LINES),
            List.of(part("a"), part("b"), part("c")));
    IRDag dag =
        IRDag.builder()
            .add(source.withProperties(ExecutionProperties.of(new Parallelism(3))))
            .build();
    for (VertexProperty property : properties) {
      dag = dag.apply(new SetVertexProperty("read", property));
    }
    return dag;
  }

  private static SourcePart part(String host) {
    return new SourcePart(TestFunctions.spec(TestFunctions.LINES, host), 1, List.of(host));
  }

  private static List<Set<String>> hosts(DAG dag) {
    return plan(dag).getVertex(0).getTaskLocationHintList().stream()
        .map(hint -> Set.copyOf(hint.getHostList()))
        .toList();
  }

  @Test
  void aStageBecomesAVertexAndALinkAnEdge() throws IOException {
    DAG dag =
        lower(
            new TestDags()
                .source("read", "a=1", "b=2")
                .operator("sum", TestFunctions.SUM, 3)
                .grouped("read", "sum", 3)
                .build());
    assertThat(dag.getVertices()).extracting(Vertex::getName).containsExactly("stage0", "stage1");
    assertThat(dag.getVertices()).extracting(Vertex::getParallelism).containsExactly(2, 3);
    assertThat(dag.getVertex("stage1").getInputVertices()).containsExactly(dag.getVertex("stage0"));
    assertThat(dag.getVertex("stage0").getConf())
        .containsEntry(TezConfiguration.TEZ_AM_TASK_MAX_FAILED_ATTEMPTS, "4");
  }

  @Test
  void aTaskOfALargeStageIsSentFewBytes() throws IOException {
    String path = "hdfs://name-node:8020/warehouse/lineitem/ship_month=1995-03/part-";
    DAG dag =
        lower(
            new TestDags()
                .source(
                    "read",
                    IntStream.range(0, 10_000).mapToObj(i -> path + i).toArray(String[]::new))
                .operator("sum", TestFunctions.SUM, 10_000)
                .grouped("read", "sum", 10_000)
                .build());
    assertThat(dag.getVertices())
        .allSatisfy(
            vertex ->
                assertThat(
                        vertex.getProcessorDescriptor().getUserPayload().getPayload().remaining())
                    .isLessThan(20_000));
  }

  @Test
  void resourceSlotBecomesResourceAndConcurrency() throws IOException {
    Vertex vertex = lower(source(new ResourceSlot(2048, 3, 5))).getVertex("stage0");
    assertThat(vertex.getTaskResource().getMemorySize()).isEqualTo(2048);
    assertThat(vertex.getTaskResource().getVirtualCores()).isEqualTo(3);
    assertThat(vertex.getConf())
        .containsEntry(TezConfiguration.TEZ_AM_VERTEX_MAX_TASK_CONCURRENCY, "5");
  }

  @Test
  void aTaskPrefersTheHostsOfTheParts() throws IOException {
    assertThat(hosts(lower(source()))).containsExactly(Set.of("a"), Set.of("b"), Set.of("c"));
    assertThat(
            hosts(
                lower(source(new SplitAssignment(List.of(List.of(0, 1), List.of(2), List.of()))))))
        .containsExactly(Set.of("a", "b"), Set.of("c"), Set.of());
    assertThat(hosts(lower(source(ResourceLocality.ANYWHERE))))
        .containsExactly(Set.of(), Set.of(), Set.of());
  }

  @Test
  void tasksThatMustKeepApartGetDifferentHosts() throws IOException {
    assertThat(
            hosts(
                lower(
                    source(
                        new SplitAssignment(List.of(List.of(0, 1, 2), List.of(), List.of())),
                        new AntiAffinity(Set.of(0, 1, 2))))))
        .doesNotHaveDuplicates()
        .allMatch(hosts -> hosts.size() == 1);
  }

  @Test
  void clonedSchedulingSwitchesSpeculationOn() throws IOException {
    Vertex cloned = lower(source(new ClonedScheduling(1.5, 0.5))).getVertex("stage0");
    assertThat(cloned.getConf())
        .containsEntry(TezConfiguration.TEZ_AM_SPECULATION_ENABLED, "true")
        .containsEntry(TezConfiguration.TEZ_AM_PROPORTION_TOTAL_TASKS_SPECULATABLE, "0.5")
        .containsEntry(TezConfiguration.TEZ_AM_MINIMUM_ALLOWED_SPECULATIVE_TASKS, "1");
    assertThat(lower(source()).getVertex("stage0").getConf())
        .doesNotContainKey(TezConfiguration.TEZ_AM_SPECULATION_ENABLED);
  }

  @Test
  void whatOtherStagesMadeIsGatheredForAllTasks() throws IOException {
    DAG dag =
        lower(
            new TestDags()
                .source("read", "x")
                .source("side", "y")
                .operator("with", TestFunctions.WITH_SIDE, 2)
                .spread("read", "with")
                .broadcast("side", "with", "side")
                .build());
    assertThat(dag.getVertex("stage2").getInputVertices()).hasSize(2);
    assertThat(plan(dag).getEdgeList())
        .hasSize(2)
        .allSatisfy(
            edge ->
                assertThat(edge.getEdgeManager().getClassName())
                    .isEqualTo(GatheringEdgeManager.class.getName()));
  }

  @Test
  void ofWhatIsPushedEveryTaskLearnsAtOnce() throws IOException {
    IRDag pushed =
        new TestDags()
            .source("read", "a=1")
            .operator("sum", TestFunctions.SUM, 1)
            .grouped("read", "sum", 1)
            .build();
    pushed = pushed.apply(new SetEdgeProperty("e0", DataFlow.PUSH));
    assertThat(movements(lower(pushed))).containsExactly(DataMovementType.BROADCAST);
  }

  /** The DAG as it is sent to Tez. */
  private static DAGProtos.DAGPlan plan(DAG dag) {
    return dag.createDag(new TezConfiguration(false), null, null, null, true);
  }

  private static List<DataMovementType> movements(DAG dag) {
    return plan(dag).getEdgeList().stream()
        .map(edge -> DataMovementType.valueOf(edge.getDataMovementType().name()))
        .toList();
  }

  @Test
  void onlyAStageWhoseLinkIsPushedStartsBeforeItsProducerHasFinished() throws IOException {
    IRDag pull =
        new TestDags()
            .source("read", "a=1")
            .operator("sum", TestFunctions.SUM, 1)
            .grouped("read", "sum", 1)
            .build();
    assertThat(schedule(pull).inputs().pushing()).isEmpty();
    assertThat(schedule(pull.apply(new SetEdgeProperty("e0", DataFlow.PUSH))).inputs().pushing())
        .containsExactly("stage0");
  }

  @Test
  void aStageFollowsTheTaskThatItReadsOneToOne() throws IOException {
    IRDag dag =
        IRDag.builder()
            .add(source().vertex("read"))
            .add(
                OperatorVertex.of("next", "next", FunctionSpec.of(TestFunctions.COLLECT))
                    .withProperties(
                        ExecutionProperties.of(new Parallelism(3), new ResourceSlot(100, 1, 0))))
            .add(
                IREdge.of(
                    "e", "read", "next", CommunicationPattern.ONE_TO_ONE, TestFunctions.STRING))
            .build();
    assertThat(schedule(dag).near()).isEqualTo(Optional.of("stage0"));
    assertThat(schedule(dag.apply(new SetVertexProperty("next", ResourceLocality.ANYWHERE))).near())
        .isEmpty();
  }

  @Test
  void aStageMayFollowTasksWhoseSharesItMayTurnOutToRead() throws IOException {
    IRDag dag =
        new TestDags()
            .source("read", "a=1")
            .operator("sum", TestFunctions.SUM, 2)
            .grouped("read", "sum", 2)
            .build();
    IRDag measured = dag.apply(new SetVertexProperty("sum", new Divisibility.Measured("sizes")));
    assertThat(schedule(dag).nearby()).isEmpty();
    assertThat(schedule(measured).nearby()).containsExactly("stage0");
    IRDag anywhere = measured.apply(new SetVertexProperty("sum", ResourceLocality.ANYWHERE));
    assertThat(schedule(anywhere).nearby()).isEmpty();
  }

  private StageSchedule schedule(IRDag dag) throws IOException {
    return PlanCodec.read(
        plan(lower(dag))
            .getVertex(1)
            .getVertexManagerPlugin()
            .getTezUserPayload()
            .getUserPayload()
            .asReadOnlyByteBuffer(),
        StageSchedule.class);
  }
}
