// SPDX-License-Identifier: Apache-2.0
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
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
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
        "ends at partition 7, but the number of partitions must be a multiple of 2");
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 9)), List.of(), List.of(), List.of())),
        "words",
        "ends at partition 9, but the number of partitions must be a multiple of 2");
    assertBroken(
        RULE,
        with(List.of(List.of(range(0, 2)), List.of(), List.of(), List.of())),
        "words",
        "ends at partition 2, but there must be at least one for each of 4 consumer tasks");
  }

  @Test
  void aSpreadingShuffleHasAtLeastOnePartitionPerTask() {
    IRDag dag = withEdgeProperty(annotatedWordCount(), "words", new Partitioner.Spread());

    assertGood(RULE, dag);
    assertGood(RULE, withEdgeProperty(dag, "words", PartitionSet.even(4, 1)));
    assertBroken(
        RULE,
        withEdgeProperty(
            dag,
            "words",
            new PartitionSet(List.of(List.of(range(0, 3)), List.of(), List.of(), List.of()))),
        "words",
        "ends at partition 3, but there must be at least one for each of 4 consumer tasks");
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
        "ends at partition 4, but edge words-relay, which brings the same bytes on, has 8");
  }

  private static PartitionSet divided(List<Integer> tasks, int partition) {
    return new PartitionSet(
        List.of(
            List.of(range(0, 5), range(5, 6)),
            List.of(range(6, 8)),
            List.of(range(5, 6)),
            List.of()),
        List.of(new PartitionDivision(partition, tasks, false)));
  }

  @Test
  void aDividedPartitionIsARangeOfItsOwnWithEachOfItsTasks() {
    IRDag dag = annotatedWordCount();

    assertGood(RULE, withEdgeProperty(dag, "words", divided(List.of(2, 0), 5)));
    assertBroken(
        RULE,
        withEdgeProperty(dag, "words", divided(List.of(0, 1, 2), 5)),
        "words",
        "divides partition 5 among the tasks [0, 1, 2], but the tasks that have that as a range of"
            + " its own are [0, 2]");
    assertThat(RULE.check(withEdgeProperty(dag, "words", divided(List.of(0, 2), 6))))
        .extracting(Violation::message)
        .anyMatch(message -> message.contains("covers partitions [5, 6) more than once"))
        .anyMatch(message -> message.contains("divides partition 6 among the tasks [0, 2]"));
  }

  @Test
  void partitionsMayBeDividedTogether() {
    HashRange all = range(0, 8);
    List<List<HashRange>> perTask = List.of(List.of(all), List.of(all), List.of(all), List.of());
    assertGood(
        RULE,
        withEdgeProperty(
            annotatedWordCount(),
            "words",
            new PartitionSet(
                perTask, List.of(new PartitionDivision(all, List.of(2, 0, 1), false)))));
    assertThat(
            RULE.check(
                withEdgeProperty(
                    annotatedWordCount(),
                    "words",
                    new PartitionSet(
                        perTask,
                        List.of(new PartitionDivision(range(0, 7), List.of(2, 0, 1), false))))))
        .extracting(Violation::message)
        .anyMatch(message -> message.contains("covers partitions [0, 8) more than once"))
        .anyMatch(message -> message.contains("divides partitions [0, 7) among the tasks"));
  }

  @Test
  void findsAPartitionThatIsDividedTwice() {
    PartitionSet once = divided(List.of(0, 2), 5);
    PartitionDivision division = once.divisions().get(0);

    assertBroken(
        RULE,
        withEdgeProperty(
            annotatedWordCount(),
            "words",
            new PartitionSet(once.perTask(), List.of(division, division))),
        "words",
        "divides partition 5 twice");
  }

  @Test
  void aShuffleAndItsAliasCoverAllPartitionsTogether() {
    IRDag dag =
        annotatedWordCount()
            .apply(new InsertCombiner("count", "Test"))
            .apply(new InsertRecombiner("count", "Test"));
    PartitionSet rest =
        new PartitionSet(List.of(List.of(range(0, 4)), List.of(range(4, 7)), List.of(), List.of()));
    PartitionSet hot =
        new PartitionSet(
            List.of(List.of(), List.of(range(7, 8)), List.of(range(7, 8)), List.of()),
            List.of(new PartitionDivision(7, List.of(1, 2), false)));

    IRDag moved = withEdgeProperty(withEdgeProperty(dag, "words", rest), "words-divided", hot);
    assertGood(RULE, dag);
    assertGood(RULE, moved);
    assertBroken(
        RULE,
        withEdgeProperty(dag, "words-divided", hot),
        "words",
        "covers partitions [7, 8) more than once");
    assertBroken(
        RULE,
        withEdgeProperty(dag, "words", rest),
        "words",
        "the number of partitions must be a multiple of 2");
    assertBroken(
        RULE,
        withEdgeProperty(moved, "count-recombined", PartitionSet.even(4, 3)),
        "count",
        "different numbers of partitions [8, 12]");
    assertBroken(
        RULE,
        withEdgeProperty(moved, "words-divided", PartitionSet.none(3)).toBuilder()
            .replace(dag.edge("words"))
            .build(),
        "words-divided",
        "for 3 consumer tasks, but there are 4");
  }

  @Test
  void partitionsStayWhenAConsumerGetsFewerTasks() {
    IRDag dag =
        withVertexProperty(
            withVertexProperty(annotatedWordCount(), "count", new Parallelism(3)),
            "write",
            new Parallelism(3));

    assertGood(
        RULE,
        withEdgeProperty(
            dag,
            "words",
            new PartitionSet(List.of(List.of(range(0, 3)), List.of(range(3, 8)), List.of()))));
  }

  @Test
  void aRelayDividesNothing() {
    IRDag dag =
        withEdgeProperty(annotatedWordCount(), "words", divided(List.of(0, 2), 5))
            .apply(new InsertRelay(List.of("words"), "relay", "Test"));

    assertThat(dag.edge("words").property(PartitionSet.class)).isEmpty();
    assertThat(dag.edge("words-relay").property(PartitionSet.class))
        .contains(divided(List.of(0, 2), 5));
    assertGood(RULE, dag);
    assertBroken(
        RULE,
        withEdgeProperty(dag, "words", divided(List.of(0, 2), 5)),
        "words",
        "leads to a relay, which must read each once");
  }
}
