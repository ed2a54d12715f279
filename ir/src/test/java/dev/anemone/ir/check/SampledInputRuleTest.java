// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.testing.SampleDags.LINE;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.broadcast;
import static dev.anemone.ir.testing.SampleDags.counting;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.PartitionSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SampledInputRuleTest {

  private static final CheckRule RULE = new SampledInputRule();

  private static final IRDag SAMPLED =
      annotatedWordCount().toBuilder()
          .add(counting("again"))
          .add(shuffle("more", "count", "again"))
          .build()
          .apply(InsertSampling.of("words", Set.of("read", "split"), List.of(0), "m", "Test"))
          .apply(InsertSampling.of("more", Set.of("count"), List.of(1, 2), "n", "Test"));

  @Test
  void acceptsClonesThatReadWhatTheirOriginalsRead() {
    assertGood(RULE, SAMPLED);
  }

  @Test
  void findsAMissingEdge() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder().removeEdge("words-sampled").build(),
        "count-sampled",
        "by the edges [], but its original by [words]");
  }

  @Test
  void findsAnEdgeThatTheOriginalDoesNotHave() {
    assertBroken(
        RULE,
        SAMPLED.toBuilder().add(broadcast("extra", "read", "count-sampled")).build(),
        "count-sampled",
        "by the edges [extra], but its original by []");
  }

  @Test
  void findsAnEdgeOfAnotherPortCoderOrPattern() {
    IREdge edge = SAMPLED.edge("words-sampled");
    for (IREdge other :
        List.of(
            edge.withDestination("count-sampled", "side"),
            edge.withSource("split", "errors"),
            edge.withElementCoder(LINE),
            edge.with(CommunicationPattern.BROADCAST))) {
      assertThat(RULE.check(SAMPLED.toBuilder().replace(other).build()))
          .hasSize(2)
          .allMatch(violation -> violation.subject().equals("count-sampled"));
    }
  }

  @Test
  void findsAnEdgeFromACloneOfAnotherSample() {
    IREdge edge = SAMPLED.edge("words-sampled");

    assertThat(
            RULE.check(
                SAMPLED.toBuilder().replace(edge.withSource("split-sampled", IREdge.MAIN)).build()))
        .extracting(Violation::subject)
        .containsExactly("count-sampled", "count-sampled");
  }

  @Test
  void findsOtherPartitions() {
    assertBroken(
        RULE,
        withEdgeProperty(
            SAMPLED,
            "words",
            new PartitionSet(
                List.of(
                    List.of(new HashRange(0, 5)),
                    List.of(new HashRange(5, 6)),
                    List.of(new HashRange(6, 7)),
                    List.of(new HashRange(7, 8))))),
        "count-sampled",
        "reads other partitions of split by the edges [words-sampled]");
  }
}
