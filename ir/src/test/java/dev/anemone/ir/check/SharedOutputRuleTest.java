// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.testing.SampleDags.operator;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.source;
import static dev.anemone.ir.testing.SampleDags.spec;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.SharedOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedOutputRuleTest {

  private static final CheckRule RULE = new SharedOutputRule();

  /** Two consumers of one output, and one of another producer's; "second" is given the property. */
  private static IRDag dag(String original) {
    return IRDag.builder()
        .add(source("links", 3))
        .add(source("other", 3))
        .add(operator("a"))
        .add(operator("b"))
        .add(shuffle("first", "links", "a"))
        .add(shuffle("second", "links", "b").with(new SharedOutput(original)))
        .add(shuffle("third", "other", "b"))
        .add(shuffle("elsewhere", "links", "b").withSource("links", "another"))
        .build();
  }

  @Test
  void acceptsTwoEdgesThatAreAlike() {
    IRDag dag = dag("first");
    assertGood(RULE, dag);
    for (String id : new String[] {"first", "second"}) {
      for (EdgeProperty property :
          new EdgeProperty[] {
            DataFlow.PULL, DataStore.LOCAL_FILE, Compression.LZ4, PartitionSet.even(2, 2)
          }) {
        dag = withEdgeProperty(dag, id, property);
      }
    }
    assertGood(RULE, dag);
    assertGood(RULE, withEdgeProperty(dag, "second", PartitionSet.even(4, 1)));
  }

  @ParameterizedTest
  @CsvSource({"third", "elsewhere", "nowhere"})
  void findsAnotherOutput(String original) {
    assertBroken(RULE, dag(original), "second", "does not bring the same output");
  }

  @Test
  void findsAnEdgeForWhichNothingIsWritten() {
    assertBroken(RULE, dag("second"), "second", "nothing is written");
  }

  @Test
  void findsAPush() {
    assertBroken(RULE, withEdgeProperty(dag("first"), "first", DataFlow.PUSH), "second", "is PUSH");
    assertBroken(
        RULE, withEdgeProperty(dag("first"), "second", DataFlow.PUSH), "second", "is PUSH");
  }

  @Test
  void findsDifferences() {
    for (EdgeProperty property :
        new EdgeProperty[] {
          DataStore.REMOTE_MEMORY,
          Compression.LZ4,
          new Encoder(spec("other")),
          new Partitioner.Spread(),
        }) {
      assertBroken(
          RULE,
          withEdgeProperty(dag("first"), "second", property),
          "second",
          "another " + property.type().getSimpleName());
    }
    assertBroken(
        RULE,
        withEdgeProperty(
            withEdgeProperty(dag("first"), "first", PartitionSet.even(2, 2)),
            "second",
            PartitionSet.even(2, 1)),
        "second",
        "another number of partitions");
  }
}
