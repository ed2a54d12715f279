// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PassOrderTest {

  private record Named(String name, Set<String> requires) implements ReshapingPass {
    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      return dag;
    }
  }

  private static Named pass(String name, String... requires) {
    return new Named(name, Set.of(requires));
  }

  @Test
  void passesWithoutRequirementsStayInOrder() {
    assertThat(ordered(pass("b"), pass("a"), pass("c"))).containsExactly("b", "a", "c");
  }

  @Test
  void aPassWaitsForWhatItRequiresAndTheOthersDoNot() {
    assertThat(ordered(pass("a", "c"), pass("b"), pass("c"), pass("d")))
        .containsExactly("b", "c", "a", "d");
  }

  @Test
  void aRequirementCanBeAClass() {
    class Other implements ReshapingPass {
      @Override
      public IRDag apply(IRDag dag, PassContext context) {
        return dag;
      }
    }

    assertThat(ordered(pass("a", Other.class.getName()), new Other()))
        .containsExactly("Other", "a");
  }

  @Test
  void aRequirementInsideACompositeIsMetInsideOrBefore() {
    CompositePass composite =
        CompositePass.of("composite", pass("b", "a"), pass("c", "b"), pass("a"));
    assertThat(ordered(composite)).containsExactly("composite");
    assertThat(ordered(CompositePass.of("composite", pass("b", "a")), pass("d", "b"), pass("a")))
        .containsExactly("a", "composite", "d");
  }

  @Test
  void theRunnerOrdersThePartsOfACompositeToo() {
    OptimizationTrace trace =
        PassRunner.standard()
            .run(
                "test",
                List.of(CompositePass.of("composite", pass("b", "a"), pass("a", "z")), pass("z")),
                List.of(),
                Plans.wordCount(),
                Plans.CONTEXT);
    assertThat(trace.steps())
        .extracting(OptimizationStep::path)
        .containsExactly("test/z", "test/composite/a", "test/composite/b");
  }

  @Test
  void anUnmetRequirementIsNamed() {
    assertThatThrownBy(() -> ordered(pass("a", "b"), pass("b", "nowhere")))
        .isInstanceOf(PassException.class)
        .hasMessage(
            "Pass b requires pass nowhere, which is not in the list. Add it, by that name, before"
                + " b.");
  }

  @Test
  void aCycleIsNamed() {
    assertThatThrownBy(() -> ordered(pass("a", "b"), pass("b", "c"), pass("c", "a")))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("wait for each other")
        .hasMessageContaining("a (requires b), b (requires c), c (requires a)");
  }

  private static List<String> ordered(CompileTimePass... passes) {
    return PassOrder.order(List.of(passes), Set.of()).stream().map(Pass::name).toList();
  }
}
