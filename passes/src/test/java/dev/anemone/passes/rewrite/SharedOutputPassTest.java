// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.GoldenPlan;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.Plans;
import dev.anemone.passes.defaults.CompressionPass;
import dev.anemone.passes.defaults.DataFlowPass;
import dev.anemone.passes.defaults.DataStorePass;
import dev.anemone.passes.defaults.DecoderPass;
import dev.anemone.passes.defaults.EncoderPass;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.defaults.PartitionerPass;
import dev.anemone.passes.defaults.ScheduleGroupPass;
import org.junit.jupiter.api.Test;

class SharedOutputPassTest {

  private static final PassContext CONTEXT = Plans.CONTEXT;

  private static final CompileTimePass[] PASSES = {
    new ParallelismPass(),
    new EncoderPass(),
    new DecoderPass(),
    new PartitionerPass(),
    new DataFlowPass(),
    new ScheduleGroupPass(),
    new DataStorePass(),
    new CompressionPass(),
    new SharedOutputPass()
  };

  /** Ranks are joined with the same links twice; what is spread is not what is grouped. */
  private static IRDag iterations() {
    return IRDag.builder()
        .add(Plans.source("links", 20 * Plans.MB, 8))
        .add(Plans.operator("ranks-1"))
        .add(Plans.operator("ranks-2"))
        .add(Plans.operator("all"))
        .add(Plans.groupByKey("e1", "links", "ranks-1"))
        .add(Plans.groupByKey("e2", "links", "ranks-2"))
        .add(Plans.groupByKey("e3", "ranks-1", "ranks-2"))
        .add(Plans.reshuffle("e4", "links", "all"))
        .build();
  }

  private static IRDag after(IRDag dag) {
    return Plans.lastStep(dag, CONTEXT, PASSES).after();
  }

  @Test
  void planBeforeAndAfter() {
    OptimizationStep step = Plans.lastStep(iterations(), CONTEXT, PASSES);
    GoldenPlan.assertMatches("SharedOutputPass", step);
  }

  @Test
  void sharesABroadcast() {
    IRDag dag =
        IRDag.builder()
            .add(Plans.source("rates", Plans.MB, 1))
            .add(Plans.source("a", Plans.MB, 2))
            .add(Plans.source("b", Plans.MB, 2))
            .add(Plans.operator("convert-a"))
            .add(Plans.operator("convert-b"))
            .add(Plans.oneToOne("e1", "a", "convert-a"))
            .add(Plans.oneToOne("e2", "b", "convert-b"))
            .add(Plans.sideInput("e3", "rates", "convert-a"))
            .add(Plans.sideInput("e4", "rates", "convert-b"))
            .build();
    assertThat(after(dag).edge("e4").property(SharedOutput.class)).contains(new SharedOutput("e3"));
    assertThat(after(dag).edge("e3").property(SharedOutput.class)).isEmpty();
  }

  @Test
  void keepsApartWhatIsWrittenInOtherWays() {
    IRDag packed = iterations().apply(new SetEdgeProperty("e2", Compression.ZSTD));
    assertThat(after(packed).edge("e2").property(SharedOutput.class)).isEmpty();
    IRDag pushed = iterations().apply(new SetEdgeProperty("e1", DataFlow.PUSH));
    assertThat(after(pushed).edge("e2").property(SharedOutput.class)).isEmpty();
  }

  @Test
  void returnsTheSameGraphWhenNothingIsShared() {
    IRDag dag = after(Plans.wordCount());
    assertThat(new SharedOutputPass().apply(dag, CONTEXT)).isSameAs(dag);
  }
}
