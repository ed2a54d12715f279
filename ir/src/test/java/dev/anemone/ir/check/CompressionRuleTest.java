// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static dev.anemone.ir.check.RuleAssertions.assertBroken;
import static dev.anemone.ir.check.RuleAssertions.assertGood;
import static dev.anemone.ir.check.RuleAssertions.withEdgeProperty;
import static dev.anemone.ir.testing.SampleDags.annotatedWordCount;
import static dev.anemone.ir.testing.SampleDags.wordCount;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.InsertRelay;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.Decompression;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompressionRuleTest {

  private static final CheckRule RULE = new CompressionRule();

  private static IRDag with(IRDag dag, String edge, Compression in, Decompression out) {
    return withEdgeProperty(withEdgeProperty(dag, edge, in), edge, out);
  }

  private static IRDag relayed(
      Compression in, Decompression decompressed, Compression out, Decompression atTheEnd) {
    IRDag dag = annotatedWordCount().apply(new InsertRelay(List.of("words"), "relay", "Test"));
    return with(with(dag, "words", in, decompressed), "words-relay", out, atTheEnd);
  }

  @Test
  void acceptsEqualAndMissingCompression() {
    assertGood(RULE, with(wordCount(), "words", Compression.LZ4, Decompression.LZ4));
    assertGood(RULE, with(wordCount(), "words", Compression.NONE, Decompression.NONE));
    assertGood(RULE, withEdgeProperty(wordCount(), "words", Compression.LZ4));
    assertGood(RULE, withEdgeProperty(wordCount(), "words", Decompression.LZ4));
  }

  @Test
  void findsAnotherDecompression() {
    assertBroken(
        RULE,
        with(wordCount(), "words", Compression.LZ4, Decompression.ZSTD),
        "words",
        "is decompressed by ZSTD, but compressed by [LZ4]");
    assertBroken(
        RULE,
        with(wordCount(), "words", Compression.LZ4, Decompression.NONE),
        "words",
        "is decompressed by NONE, but compressed by [LZ4]");
    assertBroken(
        RULE,
        with(wordCount(), "words", Compression.NONE, Decompression.LZ4),
        "words",
        "is decompressed by LZ4, but compressed by [NONE]");
  }

  @Test
  void aRelayMayLeaveTheBytesCompressedOrNot() {
    assertGood(
        RULE, relayed(Compression.LZ4, Decompression.NONE, Compression.NONE, Decompression.LZ4));
    assertGood(
        RULE, relayed(Compression.LZ4, Decompression.LZ4, Compression.ZSTD, Decompression.ZSTD));
  }

  @Test
  void findsBytesThatStayCompressed() {
    assertBroken(
        RULE,
        relayed(Compression.LZ4, Decompression.NONE, Compression.NONE, Decompression.NONE),
        "words-relay",
        "is decompressed by NONE, but compressed by [LZ4]");
  }

  @Test
  void findsBytesThatAreDecompressedTwice() {
    assertBroken(
        RULE,
        relayed(Compression.LZ4, Decompression.LZ4, Compression.NONE, Decompression.LZ4),
        "words-relay",
        "is decompressed by LZ4, but compressed by [NONE]");
  }

  @Test
  void findsBytesThatAreCompressedTwice() {
    assertBroken(
        RULE,
        relayed(Compression.LZ4, Decompression.NONE, Compression.ZSTD, Decompression.ZSTD),
        "words-relay",
        "compresses by ZSTD what edge words brought compressed by LZ4");
  }

  @Test
  void findsARelayThatDecompressesOtherwise() {
    assertBroken(
        RULE,
        relayed(Compression.LZ4, Decompression.ZSTD, Compression.NONE, Decompression.NONE),
        "words",
        "is decompressed by ZSTD, but compressed by [LZ4]");
  }
}
