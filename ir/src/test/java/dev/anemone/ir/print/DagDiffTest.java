// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.spec;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.print.DagDiff.AttributeChange;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.testing.ArbitraryDags;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DagDiffTest {

  @Provide
  Arbitrary<IRDag> edited() {
    return ArbitraryDags.edited();
  }

  @Property(tries = 200)
  void graphsDifferWhenTheyAreNotEqual(
      @ForAll("edited") IRDag first, @ForAll("edited") IRDag second) {
    assertThat(DagDiff.between(first, first).isEmpty()).isTrue();
    assertThat(DagDiff.between(first, second).isEmpty()).isEqualTo(first.equals(second));
    DagDiff there = DagDiff.between(first, second);
    DagDiff back = DagDiff.between(second, first);
    assertThat(there.vertices().added())
        .containsExactlyInAnyOrderElementsOf(back.vertices().removed());
    assertThat(there.edges().changed().keySet()).isEqualTo(back.edges().changed().keySet());
    assertThat(there.vertices().changed().values()).noneMatch(List::isEmpty);
    assertThat(there.edges().changed().values()).noneMatch(List::isEmpty);
  }

  @Property(tries = 200)
  void everyPrinterPrintsEveryGraph(@ForAll("edited") IRDag first, @ForAll("edited") IRDag second) {
    for (IRPrinter printer : List.of(new TextPrinter(), new JsonPrinter(), new DotPrinter())) {
      assertThat(printer.print(first)).endsWith("\n").isEqualTo(printer.print(first));
      assertThat(printer.print(first, second)).endsWith("\n");
    }
  }

  @Test
  void namesWhatWasSetReplacedAndMoved() {
    IRDag before = wordCount().apply(new SetEdgeProperty("lines", DataStore.MEMORY));
    IRDag after =
        before
            .apply(new SetEdgeProperty("lines", DataStore.LOCAL_FILE))
            .apply(new SetVertexProperty("count", new Parallelism(4)))
            .apply(new InsertRelay(List.of("words"), "relay", "Test"));
    DagDiff diff = DagDiff.between(before, after);

    assertThat(diff.vertices().added()).containsExactly("relay");
    assertThat(diff.edges().added()).containsExactly("words-relay");
    assertThat(diff.vertices().changed())
        .isEqualTo(
            Map.of(
                "count",
                List.of(new AttributeChange("Parallelism", Optional.empty(), Optional.of("4")))));
    assertThat(diff.edges().changed())
        .isEqualTo(
            Map.of(
                "lines",
                List.of(
                    new AttributeChange(
                        "DataStore", Optional.of("MEMORY"), Optional.of("LOCAL_FILE"))),
                "words",
                List.of(new AttributeChange("to", Optional.of("count"), Optional.of("relay")))));
    assertThat(DagDiff.between(after, before).vertices().changed().get("count"))
        .containsExactly(new AttributeChange("Parallelism", Optional.of("4"), Optional.empty()));
  }

  @Test
  void namesControlDependencies() {
    IRDag before = wordCount();
    IRDag after =
        before.apply(InsertSampling.of("words", Set.of("split"), List.of(0), "m", "Test"));
    ControlDependency dependency = new ControlDependency("m-aggregation", "split");

    assertThat(DagDiff.between(before, after).addedDependencies()).containsExactly(dependency);
    assertThat(DagDiff.between(after, before).removedDependencies()).containsExactly(dependency);
  }

  @Test
  void payloadsAreNeverPrintedButToldApart() {
    String secret = "secret-payload".repeat(20);
    FunctionSpec function = FunctionSpec.of("urn:f", secret.getBytes(StandardCharsets.UTF_8));
    IRDag dag = wordCount().toBuilder().replace(operator("write").withOperator(function)).build();
    for (IRPrinter printer : List.of(new TextPrinter(), new JsonPrinter(), new DotPrinter())) {
      assertThat(printer.print(dag)).doesNotContain("secret");
      assertThat(printer.print(wordCount(), dag)).contains("urn:f#").doesNotContain("secret");
    }
    assertThat(ShortForm.of(spec("a"))).isNotEqualTo(ShortForm.of(spec("b")));
  }

  @Test
  void longValuesAreCutButToldApart() {
    SplitAssignment first =
        new SplitAssignment(IntStream.range(0, 100).mapToObj(List::of).toList());
    SplitAssignment second =
        new SplitAssignment(IntStream.range(0, 100).mapToObj(i -> List.of(99 - i)).toList());

    assertThat(ShortForm.of(first)).matches("\\(100 tasks#[0-9a-f]{8}\\)");
    assertThat(ShortForm.of(first)).isNotEqualTo(ShortForm.of(second));
    assertThat(ShortForm.of(CommunicationPattern.SHUFFLE)).isEqualTo("SHUFFLE");
  }
}
