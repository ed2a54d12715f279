// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.spi.ElementDecoder;
import dev.anemone.runtime.spi.ElementEncoder;
import dev.anemone.runtime.spi.FunctionProvider;
import dev.anemone.runtime.spi.Operator;
import dev.anemone.runtime.spi.RecordEncoder;
import dev.anemone.runtime.spi.SourceReader;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceChainsTest {

  /** Readers of lines run these themselves. */
  private static final String ABSORBED = "test:absorbed";

  @Test
  void aReaderRunsTheOperatorsBehindItsSourceThatItsProviderNames() {
    StagePlan plan =
        stageOf(
            new TestDags()
                .source("read", "a")
                .operator("filter", ABSORBED, 1)
                .operator("project", ABSORBED, 1)
                .operator("words", TestFunctions.WORDS, 1)
                .operator("late", ABSORBED, 1)
                .oneToOne("read", "filter")
                .oneToOne("filter", "project")
                .oneToOne("project", "words")
                .oneToOne("words", "late")
                .build());

    SourceChains chains = chains(plan);

    assertThat(chains.operatorsOf(source(plan), List.of()).absorbed())
        .containsExactly(FunctionSpec.of(ABSORBED), FunctionSpec.of(ABSORBED));
    assertThat(chains.lastOf(source(plan))).isEqualTo("project");
    assertThat(List.of("read", "filter", "project", "words", "late"))
        .filteredOn(chains::isAbsorbed)
        .containsExactly("filter", "project");
  }

  @Test
  void whatTwoReadIsNotHidden() {
    StagePlan plan =
        stageOf(
            new TestDags()
                .source("read", "a")
                .operator("filter", ABSORBED, 1)
                .operator("one", ABSORBED, 1)
                .operator("other", ABSORBED, 1)
                .oneToOne("read", "filter")
                .oneToOne("filter", "one")
                .oneToOne("filter", "other")
                .build());

    assertThat(chains(plan).lastOf(source(plan))).isEqualTo("filter");
    assertThat(chains(plan).isAbsorbed("one")).isFalse();
  }

  @Test
  void whatLeavesTheStageIsNotHidden() {
    StagePlan plan =
        stageOf(
            new TestDags()
                .source("read", "a")
                .operator("filter", ABSORBED, 1)
                .operator("project", ABSORBED, 1)
                .operator("sum", TestFunctions.SUM, 2)
                .oneToOne("read", "filter")
                .oneToOne("filter", "project")
                .grouped("filter", "sum", 2)
                .build());

    assertThat(chains(plan).lastOf(source(plan))).isEqualTo("filter");
    assertThat(chains(plan).isAbsorbed("project")).isFalse();
  }

  @Test
  void anOperatorThatReadsSomethingElseTooStays() {
    StagePlan plan =
        stageOf(
            new TestDags()
                .source("read", "a")
                .operator("filter", ABSORBED, 1)
                .source("side", "b")
                .oneToOne("read", "filter")
                .broadcast("side", "filter", "side")
                .build());

    assertThat(chains(plan).lastOf(source(plan))).isEqualTo("read");
    assertThat(chains(plan).isAbsorbed("filter")).isFalse();
  }

  /** The stage of the vertex {@code read}. */
  private static StagePlan stageOf(IRDag dag) {
    return new StagePlanner(StagePartitioner.partition(dag), List.of())
        .plan(new StagePlan.Job("job", new byte[0], "file:///reports")).stream()
            .filter(plan -> plan.stage().vertices().stream().anyMatch(v -> v.id().equals("read")))
            .findFirst()
            .orElseThrow();
  }

  private static SourceVertex source(StagePlan plan) {
    return plan.stage().vertices().stream()
        .filter(vertex -> vertex.id().equals("read"))
        .map(SourceVertex.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static SourceChains chains(StagePlan plan) {
    return SourceChains.of(plan, new FunctionProviders(List.of(new Absorbing())));
  }

  private static final class Absorbing implements FunctionProvider {

    @Override
    public boolean provides(String urn) {
      return true;
    }

    @Override
    public boolean absorbs(FunctionSpec source, FunctionSpec operator) {
      return source.urn().equals(TestFunctions.LINES) && operator.urn().equals(ABSORBED);
    }

    @Override
    public SourceReader sourceReader(SourceVertex source, FunctionSpec part, TaskContext context) {
      throw new AssertionError("nothing is read");
    }

    @Override
    public Operator operator(FunctionSpec spec, TaskContext context) {
      throw new AssertionError("nothing runs");
    }

    @Override
    public ElementEncoder encoder(FunctionSpec encoder, TaskContext context) {
      throw new AssertionError("nothing is written");
    }

    @Override
    public RecordEncoder recordEncoder(
        FunctionSpec keyExtractor,
        FunctionSpec keyEncoder,
        FunctionSpec encoder,
        TaskContext context) {
      throw new AssertionError("nothing is written");
    }

    @Override
    public ElementDecoder decoder(FunctionSpec decoder, TaskContext context) {
      throw new AssertionError("nothing is read");
    }
  }
}
