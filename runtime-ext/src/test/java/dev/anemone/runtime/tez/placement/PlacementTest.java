// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import dev.anemone.runtime.engine.ClusterWaits;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.InvalidJobException;
import dev.anemone.runtime.stage.StageGraph;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.TaskLocationHint;
import org.junit.jupiter.api.Test;

class PlacementTest {

  private static final FunctionSpec ANY = FunctionSpec.of("test:any");
  private static final Placement HERE = Placement.of(new Deployment.InProcess());

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final Placement TWO_KINDS =
      onYarn(
          new ExecutorGroup(
              ResourcePriority.TRANSIENT, 1024, 1, Optional.of(4), List.of("a", "b", "t")),
          new ExecutorGroup(ResourcePriority.RESERVED, 2048, 2, Optional.empty(), List.of("r")));

  private static Placement onYarn(ExecutorGroup... groups) {
    return Placement.of(
        new Deployment.Yarn(
            Path.of("conf"),
            List.of(groups),
            1024,
            Optional.empty(),
            List.of(),
            new Deployment.Lifetime.Attached(MINUTE),
            new ClusterWaits(MINUTE, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE),
            FetchSettings.DEFAULT,
            false,
            Map.of()));
  }

  /** A source of three parts on hosts a, b and c, and what reads it one to one. */
  private static IRDag readAndNext(VertexProperty... ofBoth) {
    IRDag dag =
        IRDag.builder()
            .add(
                SourceVertex.of("read", "read", ANY, List.of(part("a"), part("b"), part("c")))
                    .withProperties(ExecutionProperties.of(new Parallelism(3))))
            .add(
                OperatorVertex.of("next", "next", ANY)
                    .withProperties(ExecutionProperties.of(new Parallelism(3))))
            .add(
                IREdge.of("e", "read", "next", CommunicationPattern.ONE_TO_ONE, ANY)
                    .with(new Encoder(ANY))
                    .with(new Decoder(ANY)))
            .build();
    for (VertexProperty property : ofBoth) {
      dag = set(dag, "read", property);
      if (!(property instanceof SplitAssignment)) {
        dag = set(dag, "next", property);
      }
    }
    return dag;
  }

  private static IRDag set(IRDag dag, String vertex, VertexProperty property) {
    return dag.apply(new SetVertexProperty(vertex, property));
  }

  private static SourcePart part(String host) {
    return new SourcePart(ANY, 1, List.of(host));
  }

  private static List<StagePlan> plans(IRDag dag) {
    StageGraph graph = StagePartitioner.partition(dag);
    return new StagePlanner(graph, List.of())
        .plan(new StagePlan.Job("job", new byte[0], "file:///reports"));
  }

  private static StagePlacement placed(Placement placement, IRDag dag) {
    return placement.of(plans(dag).get(0).stage());
  }

  private static List<Set<String>> hosts(Placement placement, IRDag dag) {
    return placed(placement, dag).hints().stream().map(TaskLocationHint::getHosts).toList();
  }

  @Test
  void aTaskPrefersTheHostsOfItsParts() {
    assertThat(hosts(HERE, readAndNext())).containsExactly(Set.of("a"), Set.of("b"), Set.of("c"));
    assertThat(
            hosts(
                HERE,
                readAndNext(new SplitAssignment(List.of(List.of(0, 1), List.of(2), List.of())))))
        .containsExactly(Set.of("a", "b"), Set.of("c"), Set.of());
    assertThat(hosts(HERE, readAndNext(ResourceLocality.ANYWHERE)))
        .containsExactly(Set.of(), Set.of(), Set.of());
  }

  @Test
  void aResourceSiteComesBeforeTheData() {
    Map<String, Integer> tasks = new LinkedHashMap<>();
    tasks.put("t", 1);
    tasks.put("r", 1);
    IRDag dag = readAndNext(new ResourceSite(tasks));
    assertThat(hosts(HERE, dag)).containsExactly(Set.of("t"), Set.of("r"), Set.of("c"));
    assertThat(
            hosts(
                TWO_KINDS,
                set(
                    set(dag, "read", ResourcePriority.TRANSIENT),
                    "next",
                    ResourcePriority.TRANSIENT)))
        .as("r is a host of reserved executors, and c of none")
        .containsExactly(Set.of("t"), Set.of("b"), Set.of());
  }

  @Test
  void ofTheHostsOfItsPartsOnlyThoseOfItsExecutorsCount() {
    assertThat(hosts(TWO_KINDS, readAndNext(ResourcePriority.TRANSIENT)))
        .containsExactly(Set.of("a"), Set.of("b"), Set.of());
    assertThat(hosts(TWO_KINDS, readAndNext(ResourcePriority.RESERVED)))
        .containsExactly(Set.of(), Set.of(), Set.of());
  }

  @Test
  void tasksThatMustKeepApartAreDealtOutOverTheHosts() {
    AntiAffinity two = new AntiAffinity(Set.of(0, 2));
    SplitAssignment allInOne = new SplitAssignment(List.of(List.of(0, 1), List.of(), List.of(2)));
    assertThat(hosts(TWO_KINDS, readAndNext(allInOne, two, ResourcePriority.TRANSIENT)))
        .containsExactly(Set.of("a"), Set.of(), Set.of("b"));
    // What reads no source is spread over all hosts of its executors.
    IRDag apart = set(set(readAndNext(), "next", two), "next", ResourcePriority.TRANSIENT);
    assertThat(TWO_KINDS.of(plans(apart).get(1).stage()).hints())
        .extracting(TaskLocationHint::getHosts)
        .containsExactly(Set.of("a"), Set.of(), Set.of("b"));
    assertThat(HERE.of(plans(apart).get(1).stage()).hints())
        .extracting(TaskLocationHint::getHosts)
        .containsOnly(Set.of());
  }

  @Test
  void aContainerIsAnExecutorOfTheKind() {
    assertThat(placed(TWO_KINDS, readAndNext(ResourcePriority.TRANSIENT)).container())
        .contains(Resource.newInstance(1024, 1));
    assertThat(placed(TWO_KINDS, readAndNext(ResourcePriority.TRANSIENT)).executors()).contains(4);
    assertThat(placed(TWO_KINDS, readAndNext(ResourcePriority.RESERVED)).container())
        .contains(Resource.newInstance(2048, 2));
    assertThat(placed(TWO_KINDS, readAndNext(new ResourceSlot(1500, 0, 0))).container())
        .contains(Resource.newInstance(2048, 2));
  }

  @Test
  void hereASlotIsAContainer() {
    assertThat(placed(HERE, readAndNext(new ResourceSlot(700, 0, 0))).container())
        .contains(Resource.newInstance(700, 1));
    assertThat(placed(HERE, readAndNext(ResourcePriority.RESERVED)).container()).isEmpty();
    assertThat(placed(HERE, readAndNext(ResourcePriority.RESERVED)).settings()).isEmpty();
  }

  @Test
  void theHostsOfTheExecutorsTravelInTheSettings() {
    assertThat(placed(TWO_KINDS, readAndNext(ResourcePriority.RESERVED)).settings())
        .isEqualTo(new VertexHosts(List.of("r"), true).settings())
        .hasSize(2);
    assertThat(placed(TWO_KINDS, readAndNext(ResourcePriority.TRANSIENT)).settings())
        .isEqualTo(new VertexHosts(List.of("a", "b", "t"), false).settings());
  }

  @Test
  void aStageFollowsTheTaskThatItReadsOneToOneUnlessItMustNotGoThere() {
    assertThat(near(HERE, ResourcePriority.TRANSIENT, ResourcePriority.RESERVED))
        .contains("stage0");
    assertThat(near(TWO_KINDS, ResourcePriority.TRANSIENT, ResourcePriority.RESERVED)).isEmpty();
    assertThat(near(TWO_KINDS, ResourcePriority.RESERVED, ResourcePriority.TRANSIENT)).isEmpty();
    assertThat(near(TWO_KINDS, ResourcePriority.TRANSIENT, ResourcePriority.NONE))
        .contains("stage0");
    List<StagePlan> plans = plans(set(readAndNext(), "next", ResourceLocality.ANYWHERE));
    assertThat(HERE.near(plans.get(1), plans)).isEmpty();
  }

  private static Optional<String> near(
      Placement placement, ResourcePriority producer, ResourcePriority consumer) {
    List<StagePlan> plans = plans(set(set(readAndNext(), "read", producer), "next", consumer));
    assertThat(placement.near(plans.get(0), plans)).isEmpty();
    return placement.near(plans.get(1), plans);
  }

  @Test
  void aJobIsRefusedBeforeItStarts() {
    Placement transientOnly =
        onYarn(new ExecutorGroup(ResourcePriority.TRANSIENT, 1024, 1, Optional.empty(), List.of()));
    transientOnly.validate(readAndNext(ResourcePriority.TRANSIENT));
    HERE.validate(readAndNext(ResourcePriority.RESERVED));
    IRDag dag = set(readAndNext(), "next", ResourcePriority.RESERVED);
    assertThatThrownBy(() -> transientOnly.validate(dag))
        .isInstanceOf(InvalidJobException.class)
        .hasMessageContaining("vertex next (next) needs executors of kind RESERVED");
  }
}
