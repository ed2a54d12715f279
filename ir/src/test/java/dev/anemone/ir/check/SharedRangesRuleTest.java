// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.twoShuffles;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedRangesRuleTest {

  private static final CheckRule RULE = new SharedRangesRule();

  /** Four partitions, the last of which both tasks read. */
  private static PartitionSet divided(boolean replicated) {
    return new PartitionSet(
        List.of(List.of(range(0, 1), range(3, 4)), List.of(range(1, 3), range(3, 4))),
        List.of(new PartitionDivision(3, List.of(1, 0), replicated)));
  }

  private static HashRange range(int from, int to) {
    return new HashRange(from, to);
  }

  private static PartitionSet set(List<HashRange> first, List<HashRange> second) {
    return new PartitionSet(List.of(first, second));
  }

  private static IRDag join(PartitionSet big, PartitionSet small) {
    return IRDag.builder()
        .add(source("a", 1))
        .add(source("b", 1))
        .add(operator("join"))
        .add(shuffle("big", "a", "join").with(Divisibility.DIVISIBLE).with(big))
        .add(shuffle("small", "b", "join").with(small))
        .build();
  }

  private static IRDag recombined() {
    return twoShuffles()
        .apply(new SetVertexProperty("count", new Parallelism(2)))
        .apply(new InsertCombiner("count", "Test"))
        .apply(new InsertRecombiner("count", "Test"));
  }

  @Test
  void acceptsEqualRangesHoweverTheyAreCut() {
    assertGood(RULE, join(PartitionSet.even(2, 2), PartitionSet.even(2, 2)));
    assertGood(
        RULE,
        join(
            PartitionSet.even(2, 2), set(List.of(range(1, 2), range(0, 1)), List.of(range(2, 4)))));
  }

  @Test
  void findsKeysThatDoNotMeet() {
    assertBroken(
        RULE,
        join(PartitionSet.even(2, 2), set(List.of(range(0, 3)), List.of(range(3, 4)))),
        "small",
        "brings partition 2 to other tasks than edge big");
  }

  @Test
  void onlyShufflesByKeyIntoOneInputHaveToMeet() {
    IRDag dag = join(PartitionSet.even(2, 2), set(List.of(), List.of(range(0, 4))));

    assertGood(RULE, withEdgeProperty(dag, "small", Order.NONE));
    assertGood(
        RULE, dag.toBuilder().replace(dag.edge("small").withDestination("join", "other")).build());
  }

  @Test
  void acceptsAPartitionThatOneSideDividesAndTheOtherReplicates() {
    assertGood(RULE, join(divided(false), divided(true)));
  }

  @Test
  void findsAPartitionThatBothSidesDivideOrReplicate() {
    assertBroken(
        RULE,
        withEdgeProperty(join(divided(false), divided(false)), "small", Divisibility.DIVISIBLE),
        "join",
        "partition 3 divided over the edges [big, small]");
    assertBroken(
        RULE, join(divided(true), divided(true)), "join", "partition 3 divided over the edges []");
  }

  /** All four partitions, which both tasks read. */
  private static PartitionSet allDivided(boolean replicated) {
    HashRange all = range(0, 4);
    return new PartitionSet(
        List.of(List.of(all), List.of(all)),
        List.of(new PartitionDivision(all, List.of(0, 1), replicated)));
  }

  @Test
  void allPartitionsMayBeDividedTogether() {
    IRDag good = join(allDivided(false), allDivided(true));
    assertGood(RULE, good);
    assertGood(new PartitionSetRule(), good);
    assertBroken(
        RULE,
        withEdgeProperty(
            join(allDivided(false), allDivided(false)), "small", Divisibility.DIVISIBLE),
        "join",
        "partitions [0, 4) divided over the edges [big, small]");
  }

  @Test
  void findsPartitionsThatOneSideDividesTogetherAndTheOtherInParts() {
    HashRange first = range(0, 1);
    HashRange rest = range(1, 4);
    PartitionSet inParts =
        new PartitionSet(
            List.of(List.of(first, rest), List.of(first, rest)),
            List.of(
                new PartitionDivision(first, List.of(0, 1), false),
                new PartitionDivision(rest, List.of(1, 0), true)));
    assertThat(
            RULE.check(
                withEdgeProperty(
                    join(allDivided(false), inParts), "small", Divisibility.DIVISIBLE)))
        .extracting(Violation::message)
        .anyMatch(message -> message.contains("both must divide the same ranges"));
  }

  @Test
  void findsADividedShuffleThatIsNotDivisible() {
    assertBroken(RULE, join(divided(true), divided(false)), "small", "is not DIVISIBLE");
  }

  @Test
  void findsAPartitionThatIsNotReplicated() {
    assertBroken(
        RULE,
        join(divided(false), PartitionSet.even(2, 2)),
        "small",
        "brings partition 1 to other tasks than edge big");
    assertBroken(
        RULE,
        join(divided(false), set(List.of(range(0, 1)), List.of(range(1, 4)))),
        "small",
        "brings partition 3 to other tasks than edge big");
  }

  @Test
  void whatAnAliasReadsIsDividedAmongRecombiners() {
    PartitionSet rest = set(List.of(range(0, 1)), List.of(range(1, 3)));
    PartitionSet hot =
        new PartitionSet(
            List.of(List.of(range(3, 4)), List.of(range(3, 4))),
            List.of(new PartitionDivision(3, List.of(0, 1), false)));
    IRDag dag = recombined();
    for (String edge : List.of("fromA", "fromB")) {
      dag = dag.apply(new SetEdgeProperty(edge, rest));
      dag = dag.apply(new SetEdgeProperty(edge + "-divided", hot));
    }
    dag =
        dag.apply(
            new SetEdgeProperty(
                "count-recombined", set(List.of(range(0, 1), range(3, 4)), List.of(range(1, 3)))));

    assertGood(RULE, dag);
    assertGood(new PartitionSetRule(), dag);
    assertGood(new RecombinerRule(), dag);
    PartitionSet replicated =
        new PartitionSet(hot.perTask(), List.of(new PartitionDivision(3, List.of(0, 1), true)));
    assertBroken(
        RULE,
        withEdgeProperty(dag, "fromB-divided", replicated),
        "fromB-divided",
        "so that its accumulators would count several times");
    assertBroken(
        RULE,
        withEdgeProperty(dag, "count-recombined", PartitionSet.even(2, 2)),
        "count-recombined",
        "brings partition 1 to other tasks than edge fromA");
  }

  @Test
  void aRelayKeepsItsEdgesApart() {
    IRDag dag =
        join(PartitionSet.even(2, 2), PartitionSet.even(2, 2))
            .apply(new InsertRelay(List.of("big", "small"), "relay", "Test"));

    assertGood(
        RULE, withEdgeProperty(dag, "small", set(List.of(range(0, 3)), List.of(range(3, 4)))));
  }
}
