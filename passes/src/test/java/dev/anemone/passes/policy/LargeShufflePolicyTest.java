// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.print.TextPrinter;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataPersistence;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.testing.ArbitraryDags;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.Pass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.TracePrinter;
import dev.anemone.passes.defaults.PushDataFlowPass;
import dev.anemone.passes.largeshuffle.LargeShufflePass;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LargeShufflePolicyTest {

  private static final PassContext CONTEXT = PassContext.of(8, 512 * Plans.MB, Map.of());

  @Test
  void traceOfAWordCount() {
    GoldenPlan.assertText(
        "LargeShufflePolicy.txt",
        TracePrinter.TEXT.print(trace(new LargeShufflePolicy(), Plans.wordCount(), CONTEXT)));
  }

  @Test
  void twoShufflesThatShareARelay() {
    assertOutcome("LargeShufflePolicy-shared.txt", new LargeShufflePolicy(), Plans.join());
  }

  @Test
  void twoShufflesThatCannotShareARelay() {
    assertOutcome(
        "LargeShufflePolicy-apart.txt", new LargeShufflePolicy(), Plans.joinWithOwnTotals());
  }

  @Test
  void conditionalAggregatesTheLargeShuffleOnly() {
    PassContext context = CONTEXT.withOption("largeShuffleBytes", "500MB");
    OptimizationTrace trace = trace(new ConditionalLargeShufflePolicy(), Plans.join(), context);
    GoldenPlan.assertText("ConditionalLargeShufflePolicy.txt", outcome(trace));
  }

  @Test
  void conditionalIsTheDefaultForSmallJobs() {
    assertThat(trace(new ConditionalLargeShufflePolicy(), Plans.wordCount(), CONTEXT).result())
        .isEqualTo(trace(new DefaultPolicy(), Plans.wordCount(), CONTEXT).result());
  }

  @Test
  void compressedBytesPassTheRelayAsTheyAre() {
    IRDag dag =
        trace(
                new LargeShufflePolicy(),
                Plans.wordCount(),
                CONTEXT.withOption("compression", "zstd").withOption("speculation", "true"))
            .result();
    IREdge in = dag.incoming("count-aggregation-0").get(0);
    IREdge out = dag.outgoing("count-aggregation-0").get(0);
    assertThat(in.property(Compression.class)).contains(Compression.ZSTD);
    assertThat(in.property(Decompression.class)).contains(Decompression.NONE);
    assertThat(out.property(Compression.class)).contains(Compression.NONE);
    assertThat(out.property(Decompression.class)).contains(Decompression.ZSTD);
    assertThat(dag.vertex("words").property(ClonedScheduling.class)).isPresent();
    assertThat(dag.vertex("count-aggregation-0").property(ClonedScheduling.class)).isEmpty();
  }

  /** Puts what is still open into a remote pool, as a policy of disaggregation would. */
  private static final class RemoteMemoryPass implements AnnotatingPass {

    @Override
    public Set<Class<? extends dev.anemone.ir.property.Property>> annotates() {
      return Set.of(DataStore.class);
    }

    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      IRDag result = dag;
      for (IREdge edge : dag.edges()) {
        if (isShuffle(edge) && edge.property(DataStore.class).isEmpty()) {
          result = result.apply(new SetEdgeProperty(edge.id(), DataStore.REMOTE_MEMORY));
        }
      }
      return result;
    }
  }

  @Test
  void composesWithAStoreOnTopAndWithPush() {
    List<Pass> passes =
        List.of(new LargeShufflePass(), new RemoteMemoryPass(), new PushDataFlowPass());
    IRDag dag = trace(AdHocPolicy.of(passes), Plans.join(), CONTEXT).result();
    for (IREdge in : dag.incoming("join-aggregation-0")) {
      assertThat(in.property(DataStore.class)).contains(DataStore.MEMORY);
      assertThat(in.property(DataFlow.class)).contains(DataFlow.PUSH);
    }
    for (IREdge out : dag.outgoing("join-aggregation-0")) {
      assertThat(out.property(DataStore.class)).contains(DataStore.REMOTE_MEMORY);
      assertThat(out.property(DataFlow.class)).contains(DataFlow.PULL);
    }
  }

  @Provide
  Arbitrary<IRDag> fromFrontEnd() {
    return ArbitraryDags.fromFrontEnd();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void everyShuffleOfAProgramIsPushedIntoARelayAndPulledFromIt(
      @ForAll("fromFrontEnd") IRDag dag, @ForAll @IntRange(min = 1, max = 40) int slots) {
    PassContext context = PassContext.of(slots, Plans.MB, Map.of("keptShuffles", "1000"));
    IRDag result = trace(new LargeShufflePolicy(), dag, context).result();
    for (IREdge edge : result.edges()) {
      if (isShuffle(edge)) {
        boolean in = result.vertex(edge.to()) instanceof RelayVertex;
        boolean out = result.vertex(edge.from()) instanceof RelayVertex;
        assertThat(in ^ out).as("%s has one relay", edge).isTrue();
        assertThat(edge.property(DataFlow.class)).contains(in ? DataFlow.PUSH : DataFlow.PULL);
        assertThat(edge.property(DataStore.class))
            .contains(in ? DataStore.MEMORY : DataStore.LOCAL_FILE);
        assertThat(edge.property(DataPersistence.class)).contains(DataPersistence.KEEP);
        assertThat(in ? edge.property(Decoder.class).get().spec() : encoder(edge).spec())
            .isEqualTo(Encoder.RAW_BYTES);
      }
    }
    for (IRVertex vertex : result.vertices()) {
      if (vertex instanceof RelayVertex) {
        requireAggregation(result, vertex, Math.max(1, slots / 4));
      }
    }
  }

  private static void requireAggregation(IRDag dag, IRVertex relay, int mostTasks) {
    int tasks = relay.property(Parallelism.class).orElseThrow().tasks();
    assertThat(tasks).isLessThanOrEqualTo(mostTasks);
    assertThat(dag.incoming(relay.id()))
        .allSatisfy(
            in ->
                assertThat(dag.vertex(in.from()).property(ScheduleGroup.class))
                    .isEqualTo(relay.property(ScheduleGroup.class)));
    assertThat(dag.outgoing(relay.id()).stream().map(IREdge::to).distinct()).hasSize(1);
    List<PartitionSet> sets =
        dag.incoming(relay.id()).stream()
            .map(in -> in.property(PartitionSet.class).orElseThrow())
            .distinct()
            .toList();
    assertThat(sets).as("one space of partitions").hasSize(1);
    assertThat(sets.get(0).perTask())
        .hasSize(tasks)
        .allSatisfy(ranges -> assertThat(ranges).as("contiguous, not empty").hasSize(1));
    for (IREdge out : dag.outgoing(relay.id())) {
      assertThat(out.property(PartitionSet.class).orElseThrow().partitions())
          .isEqualTo(sets.get(0).partitions());
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void conditionalSaysOfEveryShuffleWhatBecameOfIt(
      @ForAll("fromFrontEnd") IRDag dag,
      @ForAll @IntRange(min = 1, max = 20_000_000) int leastBytes,
      @ForAll @IntRange(min = 1, max = 60) int leastBlocks) {
    PassContext context =
        PassContext.of(
            4,
            Plans.MB,
            Map.of(
                "largeShuffleBytes", Integer.toString(leastBytes),
                "largeShuffleBlocks", Integer.toString(leastBlocks)));
    OptimizationTrace trace = trace(new ConditionalLargeShufflePolicy(), dag, context);
    OptimizationStep step = reshaping(trace);
    List<IREdge> shuffles =
        step.before().edges().stream().filter(LargeShufflePolicyTest::isShuffle).toList();
    assertThat(step.notes()).hasSameSizeAs(shuffles);
    for (IREdge shuffle : shuffles) {
      boolean aggregated =
          step.after().vertex(step.after().edge(shuffle.id()).to()) instanceof RelayVertex;
      assertThat(step.notes())
          .filteredOn(note -> note.startsWith("shuffle " + shuffle.id() + " ("))
          .singleElement()
          .asString()
          .contains(aggregated ? ") is aggregated" : ") is not aggregated: ");
    }
    assertThat(trace(new ConditionalLargeShufflePolicy(), trace.result(), context).result())
        .isEqualTo(trace.result());
  }

  private static Encoder encoder(IREdge edge) {
    return edge.property(Encoder.class).orElseThrow();
  }

  private static boolean isShuffle(IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE;
  }

  private static OptimizationTrace trace(Policy policy, IRDag dag, PassContext context) {
    return Optimizer.standard().optimize(policy, dag, context);
  }

  private static void assertOutcome(String file, Policy policy, IRDag dag) {
    GoldenPlan.assertText(file, outcome(trace(policy, dag, CONTEXT)));
  }

  /** What the reshaping pass says, and the plan in the end. */
  private static String outcome(OptimizationTrace trace) {
    return String.join("\n", reshaping(trace).notes())
        + "\n\n"
        + new TextPrinter().print(trace.result());
  }

  private static OptimizationStep reshaping(OptimizationTrace trace) {
    return trace.steps().stream()
        .filter(step -> step.path().endsWith("LargeShuffleReshaping"))
        .findFirst()
        .orElseThrow();
  }
}
