// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.edit.DeleteInserted;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.Parallelism;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SampledTaskRuleTest {

  private static final CheckRule RULE = new SampledTaskRule();

  private static final IRDag SAMPLED =
      annotatedWordCount()
          .apply(InsertSampling.of("words", Set.of("split"), List.of(0, 1), "m", "Test"));

  private static IRDag with(String original, List<Integer> sample) {
    return SAMPLED.toBuilder()
        .replace(
            new SampledVertex(
                "split-sampled",
                "clone",
                original,
                sample,
                "Test",
                ExecutionProperties.of(new Parallelism(sample.size()))))
        .build();
  }

  @Test
  void acceptsASampleOfTheOriginalsTasks() {
    assertGood(RULE, SAMPLED);
    assertGood(RULE, with("split", List.of(1)));
  }

  @Test
  void acceptsAnOriginalThatWasGivenFewerTasksAfterAllWereSampled() {
    assertGood(RULE, with("split", List.of(0, 1, 2)));
  }

  @Test
  void findsAMissingOriginal() {
    assertBroken(RULE, with("gone", List.of(0)), "split-sampled", "gone, which is not there");
  }

  @Test
  void findsASampleThatIsNotAscending() {
    assertBroken(RULE, with("split", List.of(1, 0)), "split-sampled", "not ascending");
    assertBroken(RULE, with("split", List.of(1, 1)), "split-sampled", "not ascending and distinct");
    assertBroken(RULE, with("split", List.of(-1)), "split-sampled", "not ascending and distinct");
  }

  @Test
  void findsATaskThatTheOriginalDoesNotHave() {
    assertBroken(RULE, with("split", List.of(0, 2)), "split-sampled", "but split has only 2");
  }

  @Test
  void findsAnotherParallelismThanTheSamples() {
    assertBroken(
        RULE,
        withVertexProperty(SAMPLED, "split-sampled", new Parallelism(1)),
        "split-sampled",
        "has Parallelism 1, but samples 2 tasks");
  }

  @Test
  void findsTheCloneOfARelay() {
    IRDag relayed =
        with("relay", List.of(0)).toBuilder()
            .add(new RelayVertex("relay", "relay", "Test", ExecutionProperties.empty()))
            .build();

    assertBroken(RULE, relayed, "split-sampled", "is a clone of relay relay");
  }

  @Test
  void findsTheCloneOfARecombiner() {
    IRDag dag =
        with("count-recombiner", List.of(0))
            .apply(new DeleteInserted("m-aggregation"))
            .apply(new InsertCombiner("count", "Test"))
            .apply(new InsertRecombiner("count", "Test"));
    IRDag recombined =
        dag.toBuilder().add(with("count-recombiner", List.of(0)).vertex("split-sampled")).build();

    assertBroken(RULE, recombined, "split-sampled", "is a clone of recombiner count-recombiner");
  }
}
