// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.message.TaskTimes;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.passes.OptimizationStep.Outcome;
import dev.anemone.passes.defaults.DecoderPass;
import dev.anemone.passes.defaults.EncoderPass;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.defaults.PartitionerPass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A run-time pass changes properties of what has not started, and nothing else. */
class RunTimePassTest {

  private static final SizeHistogram MESSAGE = SizeHistogram.of("sizes", new long[] {90, 1, 1, 1});

  private static final PartitionSet UNEVEN =
      new PartitionSet(
          List.of(
              List.of(new HashRange(0, 1)), List.of(new HashRange(1, 4)), List.of(), List.of()));

  /** Applies one edit when a histogram comes. */
  private record Editing(DagEdit edit, PassCondition condition)
      implements RunTimePass<SizeHistogram> {
    @Override
    public Class<SizeHistogram> messageType() {
      return SizeHistogram.class;
    }

    @Override
    public IRDag apply(IRDag dag, SizeHistogram message, PassContext context) {
      return dag.apply(edit);
    }
  }

  @Test
  void setsPropertiesOfWhatHasNotStarted() {
    OptimizationStep step = run(new SetEdgeProperty("e2", DataStore.MEMORY), Set.of("lines"));
    assertThat(step.outcome()).isEqualTo(Outcome.CHANGED);
    assertThat(step.path()).isEqualTo("Editing");
    assertThat(step.after().edge("e2").property(DataStore.class)).contains(DataStore.MEMORY);
  }

  @Test
  void redrawsThePartitionsOfARunningProducersEdge() {
    OptimizationStep step = run(new SetEdgeProperty("e2", UNEVEN), Set.of("lines", "words"));
    assertThat(step.after().edge("e2").property(PartitionSet.class)).contains(UNEVEN);
  }

  @Test
  void mustNotChangeWhatARunningProducerLooksAt() {
    assertThatThrownBy(
            () -> run(new SetEdgeProperty("e2", DataStore.MEMORY), Set.of("lines", "words")))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Pass Editing set MEMORY of edge e2")
        .hasMessageContaining("tasks of vertex words have started");
  }

  @Test
  void mustNotTouchTheInputOfAStartedVertex() {
    assertThatThrownBy(
            () -> run(new SetEdgeProperty("e2", UNEVEN), Set.of("lines", "words", "count")))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("tasks of vertex count have started");
  }

  @Test
  void mustNotTouchAStartedVertex() {
    assertThatThrownBy(
            () -> run(new SetVertexProperty("words", ResourcePriority.RESERVED), Set.of("words")))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("tasks of vertex words have started");
  }

  @Test
  void takesTasksFromVerticesThatMayLoseSome() {
    PassContext context = Plans.CONTEXT.withResizable(Set.of("groups"));
    IRDag dag = grouping();
    SetVertexProperty fewer = new SetVertexProperty("groups", new Parallelism(1));
    assertThat(
            PassRunner.standard()
                .runTime(new Editing(fewer, PassCondition.ALWAYS), dag, MESSAGE, context)
                .after()
                .vertex("groups")
                .property(Parallelism.class))
        .contains(new Parallelism(1));
    SetVertexProperty more = new SetVertexProperty("groups", new Parallelism(9));
    assertThatThrownBy(
            () ->
                PassRunner.standard()
                    .runTime(new Editing(more, PassCondition.ALWAYS), dag, MESSAGE, context))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("set Parallelism[tasks=9] of vertex groups, which has 4 tasks")
        .hasMessageContaining("can only get fewer");
  }

  @Test
  void mustNotTakeTasksFromOthers() {
    SetVertexProperty fewer = new SetVertexProperty("groups", new Parallelism(1));
    assertThatThrownBy(
            () ->
                PassRunner.standard()
                    .runTime(
                        new Editing(fewer, PassCondition.ALWAYS),
                        grouping(),
                        MESSAGE,
                        Plans.CONTEXT.withResizable(Set.of("others"))))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("of vertex groups, whose number of tasks is fixed")
        .hasMessageContaining("[others]");
  }

  /** Only spreads, so that nothing else depends on the number of tasks. */
  private static IRDag grouping() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("words", 20 * Plans.MB, 8))
            .add(Plans.operator("groups"))
            .add(Plans.reshuffle("e1", "words", "groups"))
            .build();
    return Plans.lastStep(dag, Plans.CONTEXT, new ParallelismPass()).after();
  }

  @Test
  void itsNotesAreInTheStep() {
    RunTimePass<SizeHistogram> talking =
        new RunTimePass<>() {
          @Override
          public String name() {
            return "Talking";
          }

          @Override
          public Class<SizeHistogram> messageType() {
            return SizeHistogram.class;
          }

          @Override
          public IRDag apply(IRDag dag, SizeHistogram message, PassContext context) {
            return dag;
          }

          @Override
          public List<String> notes(IRDag dag, SizeHistogram message, PassContext context) {
            return List.of(message.totalBytes() + " bytes in " + dag.vertices().size());
          }
        };
    assertThat(PassRunner.standard().runTime(talking, plan(), MESSAGE, Plans.CONTEXT).notes())
        .containsExactly("93 bytes in 4");
  }

  @Test
  void mustNotReshape() {
    assertThatThrownBy(() -> run(new InsertRelay(List.of("e2"), "relay", "Editing"), Set.of()))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("is a run-time pass but reshaped the graph");
  }

  @Test
  void mustNotBreakARule() {
    PartitionSet incomplete = new PartitionSet(List.of(List.of(new HashRange(0, 1))));
    assertThatThrownBy(() -> run(new SetEdgeProperty("e2", incomplete), Set.of()))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("broke the graph")
        .hasMessageContaining("partition-set");
  }

  @Test
  void aConditionThatDoesNotHoldSkipsIt() {
    PassCondition never =
        new PassCondition("pigs fly", (dag, context) -> context.startedVertices().contains("pig"));
    IRDag dag = plan();
    OptimizationStep step =
        PassRunner.standard()
            .runTime(
                new Editing(new SetEdgeProperty("e2", UNEVEN), never), dag, MESSAGE, Plans.CONTEXT);
    assertThat(step.outcome()).isEqualTo(Outcome.SKIPPED);
    assertThat(step.reason()).isEqualTo("only when pigs fly");
    assertThat(step.after()).isSameAs(dag);
  }

  @Test
  void aMessageOfAnotherKindIsRefused() {
    TaskTimes times = new TaskTimes("times", "words", List.of(1L));
    Editing pass = new Editing(new SetEdgeProperty("e2", UNEVEN), PassCondition.ALWAYS);
    assertThatThrownBy(() -> PassRunner.standard().runTime(pass, plan(), times, Plans.CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("SizeHistogram")
        .hasMessageContaining("TaskTimes");
  }

  @Test
  void isHandedOnInTheTraceUnlessWhatItRequiresWasSkipped() {
    Editing free = new Editing(new SetEdgeProperty("e2", UNEVEN), PassCondition.ALWAYS);
    RunTimePass<SizeHistogram> needy =
        new RunTimePass<>() {
          @Override
          public String name() {
            return "Needy";
          }

          @Override
          public Set<String> requires() {
            return Set.of("Guarded");
          }

          @Override
          public Class<SizeHistogram> messageType() {
            return SizeHistogram.class;
          }

          @Override
          public IRDag apply(IRDag dag, SizeHistogram message, PassContext context) {
            return dag;
          }
        };
    CompileTimePass guarded =
        CompositePass.when(
            new PassCondition("there is a moon", (dag, context) -> false),
            "Guarded",
            new ParallelismPass());
    OptimizationTrace trace =
        PassRunner.standard()
            .run("test", List.of(guarded), List.of(free, needy), plan(), Plans.CONTEXT);
    assertThat(trace.runTimePasses()).containsExactly(free);
    assertThat(trace.steps().get(1).path()).isEqualTo("test/Needy");
    assertThat(trace.steps().get(1).reason()).isEqualTo("requires Guarded, which was skipped");
  }

  private static IRDag plan() {
    return Plans.lastStep(
            Plans.wordCount(),
            Plans.CONTEXT,
            new ParallelismPass(),
            new EncoderPass(),
            new DecoderPass(),
            new PartitionerPass())
        .after();
  }

  private static OptimizationStep run(DagEdit edit, Set<String> started) {
    return PassRunner.standard()
        .runTime(
            new Editing(edit, PassCondition.ALWAYS),
            plan(),
            MESSAGE,
            Plans.CONTEXT.withStarted(started));
  }
}
