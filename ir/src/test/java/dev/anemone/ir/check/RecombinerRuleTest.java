// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.testing.SampleDags.COUNT;
import static dev.anemone.ir.testing.SampleDags.WORD;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Partitioner;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecombinerRuleTest {

  private static final CheckRule RULE = new RecombinerRule();

  private static final IRDag COMBINED =
      annotatedWordCount().apply(new InsertCombiner("count", "Test"));

  private static final IRDag RECOMBINED = COMBINED.apply(new InsertRecombiner("count", "Test"));

  @Test
  void acceptsRecombinersWithAndWithoutRelays() {
    assertGood(RULE, COMBINED);
    assertGood(RULE, RECOMBINED);
    assertGood(
        RULE,
        COMBINED
            .apply(new InsertRelay(List.of("words"), "relay", "Test"))
            .apply(new InsertRecombiner("count", "Test")));
  }

  @Test
  void findsWhatIsNoShuffleByKey() {
    assertBroken(
        RULE,
        withEdgeProperty(RECOMBINED, "words-divided", Order.NONE),
        "words-divided",
        "is no shuffle BY_KEY");
    assertBroken(
        RULE,
        RECOMBINED.toBuilder()
            .add(oneToOne("more", "count-combiner-0", "count-recombiner"))
            .build(),
        "more",
        "is no shuffle BY_KEY");
  }

  @Test
  void findsValuesForARecombiner() {
    IRDag dag =
        RECOMBINED.toBuilder()
            .add(shuffle("values", "split", "count"))
            .add(shuffle("values-divided", "split", "count-recombiner"))
            .build();

    assertBroken(RULE, dag, "values-divided", "brings values of split to recombiner");
  }

  @Test
  void findsAShuffleWithoutOriginal() {
    IRDag dag =
        COMBINED.apply(new InsertRecombiner("count", "Test")).toBuilder()
            .removeEdge("words")
            .build();

    assertBroken(RULE, dag, "words-divided", "no shuffle brings output main of count-combiner-0");
    assertBroken(new PartitionSetRule(), dag, "words-divided", "of a shuffle that is not there");
  }

  @Test
  void findsACombinerThatOnlyLooksLikeARecombiner() {
    IRDag dag =
        RECOMBINED.toBuilder().add(source("other", 1)).build().toBuilder()
            .replace(RECOMBINED.edge("words-divided").withSource("other", "main"))
            .build();

    assertThat(RULE.check(dag))
        .extracting(Violation::message)
        .anyMatch(message -> message.contains("brings values of other"))
        .anyMatch(message -> message.contains("no shuffle brings output main of other"));
  }

  @Test
  void findsAnAliasThatWouldBeWrittenInAnotherWay() {
    assertBroken(
        RULE,
        withEdgeProperty(RECOMBINED, "words-divided", new Partitioner.Hash(3)),
        "words-divided",
        "reads what is written for edge words, but has another Partitioner");
    assertBroken(
        RULE,
        withEdgeProperty(RECOMBINED, "words-divided", new Encoder(WORD)),
        "words-divided",
        "another Encoder");
    assertBroken(
        RULE,
        withEdgeProperty(
            withEdgeProperty(RECOMBINED, "words", Compression.LZ4),
            "words-divided",
            Compression.NONE),
        "words-divided",
        "another Compression");
    assertThat(RECOMBINED.edge("words-divided").elementCoder()).isEqualTo(COUNT);
    assertBroken(
        RULE,
        RECOMBINED.toBuilder()
            .replace(RECOMBINED.edge("words-divided").withElementCoder(WORD))
            .build(),
        "words-divided",
        "another element coder");
  }
}
