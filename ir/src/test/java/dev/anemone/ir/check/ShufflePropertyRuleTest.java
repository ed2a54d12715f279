// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.check.RuleAssertions.withoutEdgeProperty;
import static dev.anemone.ir.testing.SampleDags.KEY_BYTES;
import static dev.anemone.ir.testing.SampleDags.KEY_OF_WORD;
import static dev.anemone.ir.testing.SampleDags.LINE;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.twoShuffles;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShufflePropertyRuleTest {

  private static final CheckRule RULE = new ShufflePropertyRule();

  @Test
  void acceptsAShuffleByKeyAndOneThatOnlySpreadsTheLoad() {
    assertGood(RULE, annotatedWordCount());
    assertGood(
        RULE,
        wordCount().toBuilder()
            .add(
                IREdge.of("spread", "read", "write", CommunicationPattern.SHUFFLE, LINE)
                    .with(Order.NONE)
                    .with(new Partitioner.Spread()))
            .build());
  }

  @Test
  void findsAShuffleByKeyWithoutAKey() {
    assertBroken(
        RULE,
        withoutEdgeProperty(wordCount(), "words", KeyExtractor.class),
        "words",
        "is ordered BY_KEY, but has no KeyExtractor");
    assertBroken(
        RULE,
        withoutEdgeProperty(wordCount(), "words", KeyEncoder.class),
        "words",
        "is ordered BY_KEY, but has no KeyEncoder");
  }

  @Test
  void findsHashPartitionsWithoutAKey() {
    IRDag unordered = withEdgeProperty(annotatedWordCount(), "words", Order.NONE);

    assertGood(RULE, unordered);
    assertBroken(
        RULE,
        withoutEdgeProperty(unordered, "words", KeyEncoder.class),
        "words",
        "partitions by Hash, but has no KeyEncoder");
  }

  @Test
  void findsAShuffleByKeyThatDoesNotPartitionByIt() {
    assertBroken(
        RULE,
        withEdgeProperty(wordCount(), "words", new Partitioner.Spread()),
        "words",
        "partitions by Spread");
  }

  @Test
  void findsShufflePropertiesOnOtherEdges() {
    assertBroken(
        RULE,
        withEdgeProperty(wordCount(), "lines", new Partitioner.Spread()),
        "lines",
        "is ONE_TO_ONE, but has a Partitioner");
    assertBroken(
        RULE,
        withEdgeProperty(wordCount(), "lines", PartitionSet.even(1, 1)),
        "lines",
        "has a PartitionSet");
    assertBroken(RULE, withEdgeProperty(wordCount(), "lines", Order.NONE), "lines", "has a Order");
    assertBroken(
        RULE,
        withEdgeProperty(wordCount(), "lines", new KeyExtractor(KEY_OF_WORD)),
        "lines",
        "has a KeyExtractor");
    assertBroken(
        RULE,
        withEdgeProperty(twoShuffles(), "side", new KeyEncoder(KEY_BYTES)),
        "side",
        "is BROADCAST, but has a KeyEncoder");
  }

  @Test
  void theEdgeIntoAMetricCollectionMayNameTheKey() {
    IRDag dag =
        wordCount().apply(InsertSampling.of("words", Set.of("split"), List.of(1), "m", "Test"));

    assertThat(dag.edge("m-collection-words").property(KeyExtractor.class)).isPresent();
    assertGood(RULE, dag);
    assertBroken(
        RULE,
        withEdgeProperty(dag, "m-collection-words", Order.BY_KEY),
        "m-collection-words",
        "has a Order");
  }
}
