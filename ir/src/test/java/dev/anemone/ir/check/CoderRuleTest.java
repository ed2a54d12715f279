// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.testing.SampleDags.LINE;
import static dev.anemone.ir.testing.SampleDags.WORD;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.shuffle;
import static dev.anemone.ir.testing.SampleDags.spec;
import static dev.anemone.ir.testing.SampleDags.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoderRuleTest {

  private static final CheckRule RULE = new CoderRule();

  /** A relay on the shuffle of word count. */
  private static IRDag relayed(String decodesTo, String encodesFrom, String decodesAtTheEnd) {
    return annotatedWordCount()
        .apply(new InsertRelay(List.of("words"), "relay", "Test"))
        .toBuilder()
        .replace(
            shuffle("words", "split", "relay")
                .with(new Encoder(WORD))
                .with(new Decoder(coder(decodesTo))))
        .replace(
            shuffle("words-relay", "relay", "count")
                .with(new Encoder(coder(encodesFrom)))
                .with(new Decoder(coder(decodesAtTheEnd))))
        .build();
  }

  private static FunctionSpec coder(String name) {
    return name.equals("raw") ? Encoder.RAW_BYTES : name.equals("word") ? WORD : spec(name);
  }

  @Test
  void acceptsEqualCodersAndMissingOnes() {
    assertGood(RULE, annotatedWordCount());
    assertGood(RULE, withEdgeProperty(wordCount(), "words", new Encoder(WORD)));
  }

  @Test
  void findsAnotherDecoder() {
    assertBroken(
        RULE,
        withEdgeProperty(annotatedWordCount(), "words", new Decoder(LINE)),
        "words",
        "is decoded by test:coder:line");
  }

  @Test
  void findsRawBytesWithoutARelay() {
    assertThat(
            RULE.check(
                withEdgeProperty(
                    withEdgeProperty(wordCount(), "words", new Encoder(Encoder.RAW_BYTES)),
                    "words",
                    new Decoder(Encoder.RAW_BYTES))))
        .extracting(Violation::message)
        .containsExactly(
            "edge words (split to count) encodes raw bytes, but split is no relay",
            "edge words (split to count) decodes to raw bytes, but count is no relay");
  }

  @Test
  void aRelayMayLookInsideOrNot() {
    assertGood(RULE, relayed("word", "word", "word"));
    assertGood(RULE, relayed("raw", "raw", "word"));
  }

  @Test
  void findsAnEndOfAChainThatDecodesOtherwise() {
    assertBroken(RULE, relayed("raw", "raw", "other"), "words-relay", "is decoded by test:other");
  }

  @Test
  void findsARelayThatTakesElementsAndGivesBytes() {
    assertBroken(
        RULE, relayed("word", "raw", "word"), "words-relay", "takes the data from edge words");
  }

  @Test
  void findsARelayThatTakesBytesAndGivesElements() {
    assertBroken(RULE, relayed("raw", "word", "word"), "words-relay", "both must be equal");
  }

  @Test
  void findsARelayThatChangesTheCoder() {
    assertBroken(RULE, relayed("word", "other", "other"), "words-relay", "both must be equal");
  }

  @Test
  void followsAChainOfRelays() {
    IRDag dag =
        relayed("raw", "raw", "word").apply(new InsertRelay(List.of("words-relay"), "next", "T"));
    IRDag raw =
        withEdgeProperty(
            withEdgeProperty(dag, "words-relay", new Decoder(Encoder.RAW_BYTES)),
            "words-relay-next",
            new Encoder(Encoder.RAW_BYTES));

    assertGood(RULE, raw);
    assertBroken(
        RULE,
        withEdgeProperty(raw, "words-relay-next", new Decoder(LINE)),
        "words-relay-next",
        "but was encoded by [test:coder:word");
  }
}
