package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.testing.SampleDags.oneToOne;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.ExecutionProperties;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessageRuleTest {

  private static final CheckRule RULE = new MessageRule();

  private static final IRDag SAMPLED =
      wordCount().apply(InsertSampling.of("words", Set.of("split"), List.of(0), "m", "Test"));

  private static MetricCollectionVertex collection(String id, String message) {
    return new MetricCollectionVertex(
        id, id, message, "words", "Test", ExecutionProperties.empty());
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
            .add(collection("idle", "m"))
            .add(oneToOne("into", "split", "idle"))
            .build(),
        "idle",
        "must feed one aggregation, but has 0 out-edges");
  }

  @Test
  void findsACollectionOfSeveralEdges() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder().add(oneToOne("into", "read", "m-collection-words")).build(),
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
            .add(collection("collection", "m"))
            .add(aggregation("second", "m"))
            .add(oneToOne("into", "split", "collection"))
            .add(shuffle("outof", "collection", "second"))
            .build(),
        "m-aggregation",
        "aggregates message m, as does second");
  }
}
