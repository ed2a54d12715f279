// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.OptimizationStep.Outcome;
import dev.anemone.passes.defaults.DataFlowPass;
import dev.anemone.passes.defaults.DataPersistencePass;
import dev.anemone.passes.defaults.EncoderPass;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PassConditionTest {

  private static final PassCondition MANY_SLOTS =
      new PassCondition("there are more than 10 slots", (dag, context) -> context.slots() > 10);

  private static final PassCondition HAS_A_SHUFFLE =
      new PassCondition("vertex count is there", (dag, context) -> dag.hasVertex("count"));

  /** A pass with a condition of its own. */
  private record Guarded(PassCondition condition) implements AnnotatingPass {
    @Override
    public Set<Class<? extends Property>> annotates() {
      return new DataFlowPass().annotates();
    }

    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      return new DataFlowPass().apply(dag, context);
    }
  }

  @Test
  void isHonouredOnASinglePass() {
    OptimizationTrace trace = run(new Guarded(MANY_SLOTS), new DataPersistencePass());
    assertThat(trace.steps().get(0).outcome()).isEqualTo(Outcome.SKIPPED);
    assertThat(trace.steps().get(0).reason()).isEqualTo("only when there are more than 10 slots");
    assertThat(trace.steps().get(1).outcome()).isEqualTo(Outcome.CHANGED);
    assertThat(run(new Guarded(HAS_A_SHUFFLE)).steps().get(0).outcome()).isEqualTo(Outcome.CHANGED);
  }

  @Test
  void isHonouredOnACompositeForAllItsParts() {
    OptimizationTrace trace =
        run(
            CompositePass.when(MANY_SLOTS, "inner", new DataFlowPass(), new DataPersistencePass()),
            CompositePass.when(HAS_A_SHUFFLE, "other", new EncoderPass()));
    assertThat(trace.steps())
        .extracting(OptimizationStep::path)
        .containsExactly("test/inner", "test/other/Encoder");
    assertThat(trace.steps().get(0).outcome()).isEqualTo(Outcome.SKIPPED);
    assertThat(trace.steps().get(1).outcome()).isEqualTo(Outcome.CHANGED);
  }

  @Test
  void isHonouredOnACompositeInsideAComposite() {
    OptimizationTrace trace =
        run(
            CompositePass.of(
                "outer",
                CompositePass.when(MANY_SLOTS, "inner", new DataFlowPass()),
                new DataPersistencePass()));
    assertThat(trace.steps())
        .extracting(OptimizationStep::path)
        .containsExactly("test/outer/inner", "test/outer/DataPersistence");
    assertThat(trace.steps().get(0).outcome()).isEqualTo(Outcome.SKIPPED);
  }

  @Test
  void whatRequiresASkippedPassIsSkippedToo() {
    record Needy(Set<String> requires) implements ReshapingPass {
      @Override
      public IRDag apply(IRDag dag, PassContext context) {
        throw new IllegalStateException("must not run");
      }
    }

    OptimizationTrace trace =
        run(
            CompositePass.when(MANY_SLOTS, "inner", new DataFlowPass()),
            new Needy(Set.of("DataFlow")));
    assertThat(trace.steps().get(1).outcome()).isEqualTo(Outcome.SKIPPED);
    assertThat(trace.steps().get(1).reason()).isEqualTo("requires DataFlow, which was skipped");
  }

  @Test
  void isTestedOnTheGraphAsItIsWhenThePassIsDue() {
    PassCondition persisted =
        new PassCondition(
            "data is kept",
            (dag, context) ->
                dag.edge("e2").properties().values().stream()
                    .anyMatch(p -> p.toString().equals("KEEP")));
    assertThat(run(new Guarded(persisted)).steps().get(0).outcome()).isEqualTo(Outcome.SKIPPED);
    assertThat(run(new DataPersistencePass(), new Guarded(persisted)).steps().get(1).outcome())
        .isEqualTo(Outcome.CHANGED);
  }

  @Test
  void combinesWithOthers() {
    PassCondition both = HAS_A_SHUFFLE.and(MANY_SLOTS.negate());
    assertThat(both.holds(Plans.wordCount(), Plans.CONTEXT)).isTrue();
    assertThat(both.description())
        .isEqualTo("vertex count is there and not (there are more than 10 slots)");
  }

  @Test
  void aConditionThatThrowsIsReportedWithThePass() {
    PassCondition broken =
        new PassCondition("it works", (dag, context) -> dag.vertex("nowhere") != null);
    assertThatThrownBy(() -> run(new Guarded(broken)))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Pass test/Guarded failed while its condition was tested");
  }

  private static OptimizationTrace run(CompileTimePass... passes) {
    return PassRunner.standard()
        .run("test", List.of(passes), List.of(), Plans.wordCount(), Plans.CONTEXT);
  }
}
