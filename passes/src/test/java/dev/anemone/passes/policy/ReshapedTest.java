// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.CompileTimePass;
import dev.anemone.passes.CompositePass;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.PassRunner;
import dev.anemone.passes.Plans;
import dev.anemone.passes.Reshaped;
import dev.anemone.passes.ReshapingPass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a pass makes of a graph and says of that are the same, asked for at once or by turns. */
class ReshapedTest {

  static Stream<Policy> policies() {
    return PolicyRegistry.of(ReshapedTest.class.getClassLoader()).policies().stream();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void isWhatIsFoundByTurns(Policy policy) {
    Map<String, ReshapingPass> passes = new HashMap<>();
    policy.passes().forEach(pass -> collect(pass, passes));
    for (IRDag dag : List.of(Plans.wordCount(), Plans.join(), Plans.withSideInputOfSameData())) {
      for (OptimizationStep step :
          Optimizer.standard().optimize(policy, dag, Plans.CONTEXT).steps()) {
        ReshapingPass pass = passes.get(step.path().substring(step.path().lastIndexOf('/') + 1));
        if (pass != null && step.outcome() != OptimizationStep.Outcome.SKIPPED) {
          assertThat(pass.reshape(step.before(), Plans.CONTEXT))
              .as(step.path())
              .isEqualTo(
                  new Reshaped(
                      pass.apply(step.before(), Plans.CONTEXT),
                      pass.notes(step.before(), Plans.CONTEXT)));
        }
      }
    }
  }

  private static void collect(CompileTimePass pass, Map<String, ReshapingPass> found) {
    if (pass instanceof ReshapingPass reshaping) {
      found.put(pass.name(), reshaping);
    } else if (pass instanceof CompositePass composite) {
      composite.passes().forEach(each -> collect(each, found));
    }
  }

  /** A pass that must not be asked twice. */
  private record AtOncePass() implements ReshapingPass {
    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      throw new AssertionError("asked for the graph alone");
    }

    @Override
    public List<String> notes(IRDag dag, PassContext context) {
      throw new AssertionError("asked for the notes alone");
    }

    @Override
    public Reshaped reshape(IRDag dag, PassContext context) {
      return new Reshaped(dag, List.of("both"));
    }
  }

  @Test
  void theHarnessAsksForBothAtOnce() {
    OptimizationStep step =
        PassRunner.standard()
            .run("Example", List.of(new AtOncePass()), List.of(), Plans.wordCount(), Plans.CONTEXT)
            .steps()
            .get(0);

    assertThat(step.notes()).containsExactly("both");
  }

  /** A pass of somebody who has forgotten to return something. */
  private record ForgetfulPass() implements ReshapingPass {
    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      return dag;
    }

    @Override
    public Reshaped reshape(IRDag dag, PassContext context) {
      return null;
    }
  }

  @Test
  void aPassThatReturnsNothingIsNamed() {
    assertThatThrownBy(
            () ->
                PassRunner.standard()
                    .run(
                        "Example",
                        List.of(new ForgetfulPass()),
                        List.of(),
                        Plans.wordCount(),
                        Plans.CONTEXT))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Example/Forgetful")
        .hasMessageContaining("returned null");
  }
}
