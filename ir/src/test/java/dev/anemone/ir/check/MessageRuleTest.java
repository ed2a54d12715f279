// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.edit.InsertSampling;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessageRuleTest {

  private static final CheckRule RULE = new MessageRule();

  private static final IRDag SAMPLED =
      wordCount().toBuilder()
          .add(operator("other"))
          .add(shuffle("more", "split", "other"))
          .build()
          .apply(InsertSampling.of("words", Set.of("split"), List.of(0), "m", "Test"));

  private static MetricCollectionVertex collection(String id, String message, String measured) {
    return new MetricCollectionVertex(
        id, id, message, measured, "Test", ExecutionProperties.empty());
  }

  private static MetricAggregationVertex aggregation(String id, String message) {
    return new MetricAggregationVertex(id, id, message, "Test", ExecutionProperties.empty());
  }

  @Test
  void acceptsACollectionAndItsAggregation() {
    assertGood(RULE, SAMPLED);
  }

  @Test
  void findsAnAggregationOfAnotherMessage() {
    IRDag dag = SAMPLED.toBuilder().replace(aggregation("m-aggregation", "other")).build();

    assertThat(RULE.check(dag))
        .extracting(Violation::subject)
        .containsExactly("m-collection-words", "m-aggregation");
  }

  @Test
  void findsAnAggregationThatNobodyFeeds() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder().add(aggregation("idle", "n")).build(),
        "idle",
        "aggregates message n, which nobody collects");
  }

  @Test
  void findsACollectionThatFeedsNobody() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder()
            .add(collection("idle", "m", "more"))
            .add(oneToOne("into", "split-sampled", "idle"))
            .build(),
        "idle",
        "must feed one aggregation, but has 0 out-edges");
  }

  @Test
  void findsACollectionOfSeveralEdges() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder().add(oneToOne("into", "split-sampled", "m-collection-words")).build(),
        "m-collection-words",
        "must measure one edge, but has 2");
  }

  @Test
  void findsAnAggregationOfSomethingElseThanACollection() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder().add(shuffle("into", "split", "m-aggregation")).build(),
        "m-aggregation",
        "takes the data of split, which does not collect for it");
  }

  @Test
  void findsTwoAggregationsOfOneMessage() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder()
            .add(collection("collection", "m", "more"))
            .add(aggregation("second", "m"))
            .add(oneToOne("into", "split-sampled", "collection"))
            .add(shuffle("outof", "collection", "second"))
            .build(),
        "second",
        "aggregates message m, as does m-aggregation");
  }

  private static IRDag measuring(String edgeId) {
    return SAMPLED.toBuilder().replace(collection("m-collection-words", "m", edgeId)).build();
  }

  @Test
  void findsACollectionThatMeasuresNoShuffle() {
    assertBroken(
        RULE,
        measuring("nothing"),
        "m-collection-words",
        "measures edge nothing, which is not there");
    assertThat(RULE.check(measuring("lines")))
        .extracting(Violation::message)
        .anyMatch(message -> message.contains("measures edge lines, which is ONE_TO_ONE"));
  }

  @Test
  void findsACollectionThatReadsSomethingElseThanWhatItMeasures() {
    IRDag dag = SAMPLED.toBuilder().add(shuffle("far", "count", "other")).build();

    assertBroken(
        RULE,
        dag.toBuilder().replace(collection("m-collection-words", "m", "far")).build(),
        "m-collection-words",
        "starts at output main of count, but it reads output main of split-sampled");
    assertBroken(
        RULE,
        SAMPLED.toBuilder()
            .replace(SAMPLED.edge("m-collection-words").withSource("split-sampled", "errors"))
            .build(),
        "m-collection-words",
        "but it reads output errors of split-sampled");
    assertBroken(
        RULE,
        SAMPLED.toBuilder()
            .replace(SAMPLED.edge("m-collection-words").withSource("split", "main"))
            .build(),
        "m-collection-words",
        "but it reads output main of split, which is no clone of that");
  }

  @Test
  void findsAnEdgeThatIsMeasuredTwice() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder()
            .add(collection("second", "m", "words"))
            .add(oneToOne("into", "split-sampled", "second"))
            .add(shuffle("outof", "second", "m-aggregation"))
            .build(),
        "second",
        "measures edge words, as does m-collection-words");
  }
}
