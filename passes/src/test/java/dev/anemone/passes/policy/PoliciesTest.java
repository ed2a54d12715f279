// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationStep.Outcome;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.PassException;
import dev.anemone.passes.Plans;
import dev.anemone.passes.TracePrinter;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoliciesTest {

  private static final Optimizer OPTIMIZER = Optimizer.standard();

  @Test
  void defaultTraceOfAWordCount() {
    OptimizationTrace trace =
        OPTIMIZER.optimize(new DefaultPolicy(), Plans.wordCount(), Plans.CONTEXT);
    GoldenPlan.assertText("DefaultPolicy.txt", TracePrinter.TEXT.print(trace));
  }

  @Test
  void disaggregationTraceOfAWordCount() {
    OptimizationTrace trace =
        OPTIMIZER.optimize(new DisaggregationPolicy(), Plans.wordCount(), Plans.CONTEXT);
    GoldenPlan.assertText("DisaggregationPolicy.txt", TracePrinter.TEXT.print(trace));
  }

  @Test
  void defaultSharesFirstThenLiftsThenAnnotates() {
    OptimizationTrace trace =
        OPTIMIZER.optimize(new DefaultPolicy(), Plans.wordCount(), Plans.CONTEXT);
    assertThat(trace.steps())
        .extracting(OptimizationStep::path)
        .startsWith(
            "Default/CommonSubexpressionElimination",
            "Default/BuildSide",
            "Default/CombinerLifting",
            "Default/FilterFromBuildSide",
            "Default/Parallelism")
        .containsSubsequence("Default/DataFlow", "Default/ScheduleGroup", "Default/DataStore")
        .containsSubsequence("Default/Encoder", "Default/Decoder")
        .containsSubsequence("Default/Compression", "Default/Decompression");
  }

  @Test
  void basicPullLeavesTheGraphAsItIs() {
    IRDag dag = optimized(new BasicPullPolicy());
    assertThat(dag.vertices()).hasSize(4);
    assertThat(dag.edges())
        .allSatisfy(edge -> assertThat(edge.property(DataFlow.class)).contains(DataFlow.PULL));
  }

  @Test
  void basicPushPushesOverShuffles() {
    IRDag dag = optimized(new BasicPushPolicy());
    assertThat(dag.vertices()).hasSize(4);
    assertThat(dag.edge("e2").property(DataFlow.class)).contains(DataFlow.PUSH);
    assertThat(dag.edge("e1").property(DataFlow.class)).contains(DataFlow.PULL);
  }

  @Test
  void anAdHocListMayAnnotateBeforeItReshapes() {
    IRDag dag =
        optimized(AdHocPolicy.of(List.of(new ParallelismPass(), new CombinerLiftingPass())));
    assertThat(dag.vertex("count-combiner-0").property(Parallelism.class))
        .isEqualTo(dag.vertex("words").property(Parallelism.class));
  }

  @Test
  void anEmptyAdHocListAnnotates() {
    assertThat(optimized(AdHocPolicy.of(List.of()))).isEqualTo(optimized(new BasicPullPolicy()));
  }

  @Test
  void aPolicyThatLeavesSomethingOpenIsToldWhatAndHow() {
    class Half implements Policy {
      @Override
      public String description() {
        return "forgets most of it";
      }

      @Override
      public List<CompileTimePass> passes() {
        return List.of(new ParallelismPass());
      }
    }

    assertThatThrownBy(() -> optimized(new Half()))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Half leaves undecided the ScheduleGroup of vertex lines")
        .hasMessageContaining("DefaultAnnotations.after");
  }

  @Test
  void anOptionThatNoPassReadsIsRefused() {
    assertThatThrownBy(
            () ->
                OPTIMIZER.optimize(
                    new DefaultPolicy(),
                    Plans.wordCount(),
                    Plans.CONTEXT.withOption("compresion", "lz4")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "No pass of policy Default reads an option \"compresion\". Did you mean compression?"
                + " Known options: antiAffinity (spread the tasks that read a shuffle over the"
                + " nodes); broadcastJoinBytes (");
  }

  @Test
  void aPassWithoutAnythingToDoIsReportedAsUnchanged() {
    OptimizationTrace trace =
        OPTIMIZER.optimize(new DefaultPolicy(), Plans.wordCount(), Plans.CONTEXT);
    assertThat(trace.steps())
        .filteredOn(step -> step.path().equals("Default/ClonedScheduling"))
        .extracting(OptimizationStep::outcome)
        .containsExactly(Outcome.UNCHANGED);
  }

  private static IRDag optimized(Policy policy) {
    return OPTIMIZER.optimize(policy, Plans.wordCount(), Plans.CONTEXT).result();
  }
}
