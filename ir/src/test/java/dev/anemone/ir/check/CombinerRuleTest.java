// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.testing.SampleDags.COUNTING;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.counting;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CombinerRuleTest {

  private static final CheckRule RULE = new CombinerRule();

  private static final IRDag COMBINED = wordCount().apply(new InsertCombiner("count", "Test"));

  @Test
  void acceptsCombinersWithAndWithoutRelays() {
    assertGood(RULE, COMBINED);
    assertGood(RULE, COMBINED.apply(new InsertRelay(List.of("words"), "relay", "Test")));
    assertGood(
        RULE,
        wordCount()
            .apply(new InsertRelay(List.of("words"), "relay", "Test"))
            .apply(new InsertCombiner("count", "Test")));
  }

  @Test
  void findsValuesForAMergingVertex() {
    assertBroken(
        RULE,
        COMBINED.toBuilder().add(shuffle("values", "split", "count")).build(),
        "values",
        "brings values of split to count, which merges accumulators");
  }

  @Test
  void findsValuesBehindARelay() {
    IRDag dag =
        wordCount().toBuilder()
            .replace(counting("count").withOperator(COUNTING.merging()))
            .build()
            .apply(new InsertRelay(List.of("words"), "relay", "Test"));

    assertBroken(RULE, dag, "words", "a combiner is missing");
  }

  @Test
  void findsAccumulatorsForAVertexThatDoesNotMerge() {
    assertBroken(
        RULE,
        COMBINED.toBuilder().add(shuffle("wrong", "count-combiner-0", "write")).build(),
        "wrong",
        "to input main of write, which does not merge them");
  }

  @Test
  void findsACombinerThatDoesNotShuffle() {
    IRDag dag =
        COMBINED.toBuilder()
            .removeEdge("words")
            .add(oneToOne("words", "count-combiner-0", "count"))
            .build();

    assertBroken(RULE, dag, "words", "leaves a combiner, but is ONE_TO_ONE");
  }

  @Test
  void accumulatorsMayBeMeasured() {
    assertGood(
        RULE,
        COMBINED.apply(
            InsertSampling.of("words", Set.of("count-combiner-0"), List.of(0), "m", "Test")));
  }

  @Test
  void accumulatorsMayGoThroughARecombiner() {
    IRDag dag =
        annotatedWordCount()
            .apply(new InsertCombiner("count", "Test"))
            .apply(new InsertRecombiner("count", "Test"));

    assertGood(RULE, dag);
    assertBroken(
        RULE,
        dag.toBuilder().add(shuffle("wrong", "count-recombiner", "write")).build(),
        "wrong",
        "to input main of write, which does not merge them");
    assertBroken(
        RULE,
        dag.toBuilder()
            .replace(dag.edge("words-divided").withDestination("count-recombiner", "side"))
            .build(),
        "words-divided",
        "to input side of count-recombiner, which does not merge them");
  }
}
