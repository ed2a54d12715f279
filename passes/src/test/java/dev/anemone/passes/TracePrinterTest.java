// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.ir.IRDag;
import dev.anemone.passes.defaults.DataFlowPass;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.defaults.PushDataFlowPass;
import dev.anemone.passes.rewrite.CombinerLiftingPass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracePrinterTest {

  private static final OptimizationTrace TRACE =
      PassRunner.standard()
          .run(
              "Example",
              List.of(
                  new CombinerLiftingPass(),
                  CompositePass.when(
                      new PassCondition(
                          "there are more than 10 slots", (dag, context) -> context.slots() > 10),
                      "Wide",
                      new PushDataFlowPass()),
                  new ParallelismPass(),
                  new DataFlowPass(),
                  new DataFlowPass()),
              List.of(),
              Plans.wordCount(),
              Plans.CONTEXT);

  @Test
  void textShowsEachStepWithItsChangesMarked() {
    GoldenPlan.assertText("TracePrinter.txt", TracePrinter.TEXT.print(TRACE));
  }

  @Test
  void whatIsSaidOfTheResultIsPrintedBehindThePasses() throws IOException {
    OptimizationTrace noted = TRACE.withNotes("Lowering", List.of("edge e1 is kept elsewhere"));

    assertThat(noted.result()).isEqualTo(TRACE.result());
    assertThat(TracePrinter.TEXT.print(noted))
        .contains("== Lowering: unchanged\nnote: edge e1 is kept elsewhere\n");
    JsonNode steps = new ObjectMapper().readTree(TracePrinter.JSON.print(noted)).get("steps");
    assertThat(steps.get(steps.size() - 1).get("notes").get(0).asText())
        .isEqualTo("edge e1 is kept elsewhere");
    assertThat(TRACE.withNotes("Lowering", List.of())).isEqualTo(TRACE);
  }

  @Test
  void dotIsOneGraphForEachStepThatChangedSomething() {
    GoldenPlan.assertText("TracePrinter.dot", TracePrinter.DOT.print(TRACE));
  }

  @Test
  void jsonHasEachStep() throws IOException {
    JsonNode root = new ObjectMapper().readTree(TracePrinter.JSON.print(TRACE));
    assertThat(root.get("policy").asText()).isEqualTo("Example");
    assertThat(root.get("input").get("vertices")).hasSize(4);
    assertThat(root.get("result").get("vertices")).hasSize(5);
    JsonNode steps = root.get("steps");
    assertThat(texts(steps, "pass"))
        .containsExactly(
            "Example/CombinerLifting",
            "Example/Wide",
            "Example/Parallelism",
            "Example/DataFlow",
            "Example/DataFlow");
    assertThat(texts(steps, "outcome"))
        .containsExactly("changed", "skipped", "changed", "changed", "unchanged");
    assertThat(steps.get(0).get("plan").toString()).contains("\"mark\":\"added\"");
    assertThat(steps.get(1).get("reason").asText())
        .isEqualTo("only when there are more than 10 slots");
    assertThat(steps.get(4).has("plan")).isFalse();
  }

  /** A pass that says what it thinks. */
  private record Talkative(List<String> thoughts) implements ReshapingPass {
    @Override
    public IRDag apply(IRDag dag, PassContext context) {
      return dag;
    }

    @Override
    public List<String> notes(IRDag dag, PassContext context) {
      return thoughts;
    }
  }

  @Test
  void whatAPassNotesIsPrintedWithItsStep() throws IOException {
    OptimizationTrace trace = traceOf(new Talkative(List.of("it is cold", "it is late")));
    assertThat(TracePrinter.TEXT.print(trace))
        .contains("== Example/Talkative: unchanged\nnote: it is cold\nnote: it is late\n\n");
    assertThat(TracePrinter.DOT.print(trace))
        .contains("// Example/Talkative: unchanged\n// note: it is cold\n// note: it is late\n");
    JsonNode step = new ObjectMapper().readTree(TracePrinter.JSON.print(trace)).get("steps").get(0);
    assertThat(step.get("notes").toString()).isEqualTo("[\"it is cold\",\"it is late\"]");
  }

  @Test
  void aStepOfASilentPassHasNoNotes() throws IOException {
    OptimizationTrace trace = traceOf(new Talkative(List.of()));
    assertThat(TracePrinter.TEXT.print(trace)).doesNotContain("note");
    assertThat(TracePrinter.JSON.print(trace)).doesNotContain("notes");
  }

  @Test
  void aPassThatFailsWhileItNotesIsNamed() {
    record Broken() implements ReshapingPass {
      @Override
      public IRDag apply(IRDag dag, PassContext context) {
        return dag;
      }

      @Override
      public List<String> notes(IRDag dag, PassContext context) {
        throw new IllegalStateException("lost for words");
      }
    }

    assertThatThrownBy(() -> traceOf(new Broken()))
        .isInstanceOf(PassException.class)
        .hasMessageContaining("Pass Example/Broken failed: lost for words");
  }

  private static OptimizationTrace traceOf(CompileTimePass pass) {
    return PassRunner.standard()
        .run("Example", List.of(pass), List.of(), Plans.wordCount(), Plans.CONTEXT);
  }

  private static List<String> texts(JsonNode steps, String field) {
    List<String> texts = new ArrayList<>();
    steps.forEach(step -> texts.add(step.get(field).asText()));
    return texts;
  }
}
