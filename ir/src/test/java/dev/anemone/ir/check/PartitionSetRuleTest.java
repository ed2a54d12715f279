package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.check.RuleAssertions.withVertexProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.counting;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.HashRange;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartitionSetRuleTest {

  private static final CheckRule RULE = new PartitionSetRule();

  private static IRDag with(List<List<HashRange>> perTask) {
    return withEdgeProperty(annotatedWordCount(), "words", new PartitionSet(perTask));
  }

  private static HashRange range(int from, int to) {
    return new HashRange(from, to);
  }

  @Test
  void acceptsAnyDivisionOfAllPartitions() {
    assertGood(RULE, annotatedWordCount());
    assertGood(
        RULE,
        with(
            List.of(
                List.of(range(7, 8), range(0, 2)), List.of(), List.of(range(2, 7)), List.of())));
  }

  @Test
  void findsAnotherNumberOfTasks() {
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 4)), List.of(range(4, 8)))),
        "words",
        "for 2 consumer tasks, but there are 4");
  }

  @Test
  void findsAnOverlap() {
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 3)), List.of(range(2, 8)), List.of(), List.of())),
        "words",
        "covers partitions [2, 3) more than once");
  }

  @Test
  void findsARangeInsideAnother() {
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 8)), List.of(range(2, 4)), List.of(), List.of())),
        "words",
        "covers partitions [2, 4) more than once");
  }

  @Test
  void findsAGap() {
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 3)), List.of(range(4, 8)), List.of(), List.of())),
        "words",
        "leaves out partitions [3, 4)");
  }

  @Test
  void findsTooFewAndTooManyPartitions() {
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 7)), List.of(), List.of(), List.of())),
        "words",
        "ends at partition 7, but there are 8");
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 9)), List.of(), List.of(), List.of())),
        "words",
        "ends at partition 9, but there are 8");
  }

  @Test
  void roundRobinHasOnePartitionPerTask() {
    IRDag dag = withEdgeProperty(annotatedWordCount(), "words", new Partitioner.Spread());

    assertBroken(RULE, dag, "words", "ends at partition 8, but there are 4");
    assertGood(RULE, withEdgeProperty(dag, "words", PartitionSet.even(4, 1)));
  }

  @Test
  void aCloneDividesAsItsOriginal() {
    IRDag dag =
        annotatedWordCount().toBuilder()
            .add(counting("again"))
            .add(shuffle("more", "count", "again"))
            .build()
            .apply(InsertSampling.of("more", Set.of("count"), List.of(1, 2), "m", "Test"));

    assertThat(dag.edge("words-sampled").property(PartitionSet.class))
        .contains(PartitionSet.even(4, 2));
    assertGood(RULE, dag);
    assertBroken(
        RULE,
        withEdgeProperty(dag, "words-sampled", PartitionSet.even(2, 4)),
        "words-sampled",
        "for 2 consumer tasks, but there are 4");
  }

  @Test
  void aRelayOfRawBytesHasThePartitionsOfItsConsumer() {
    IRDag dag =
        withVertexProperty(
            annotatedWordCount().apply(new InsertRelay(List.of("words"), "relay", "Test")),
            "relay",
            new Parallelism(2));
    IRDag decoding = withEdgeProperty(dag, "words", PartitionSet.even(2, 2));
    IRDag raw =
        withEdgeProperty(
            withEdgeProperty(dag, "words", PartitionSet.even(2, 4)),
            "words",
            new Decoder(Encoder.RAW_BYTES));

    assertGood(RULE, decoding);
    assertGood(RULE, raw);
    assertBroken(
        RULE,
        withEdgeProperty(raw, "words", PartitionSet.even(2, 2)),
        "words",
        "ends at partition 4, but there are 8");
  }
}
