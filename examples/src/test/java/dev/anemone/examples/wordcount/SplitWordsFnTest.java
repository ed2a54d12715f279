// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.values.OutputBuilder;
import org.apache.beam.sdk.values.WindowedValues;
import org.junit.jupiter.api.Test;

class SplitWordsFnTest {

  @Test
  void wordsAreRunsOfLetters() {
    assertThat(split("It's a test, isn't it?"))
        .containsExactly("It", "s", "a", "test", "isn", "t", "it");
  }

  @Test
  void lettersOutsideOfAsciiAndOutsideOfTheBasicPlaneAreLetters() {
    assertThat(split("übergrößen 2x \uD801\uDC00b Ελλάδα"))
        .containsExactly("übergrößen", "x", "\uD801\uDC00b", "Ελλάδα");
  }

  @Test
  void aLineWithoutLettersHasNoWords() {
    assertThat(split("")).isEmpty();
    assertThat(split(" 12 .. 4 ")).isEmpty();
  }

  @Property
  void splitsAsBeamsRegularExpressionDoes(@ForAll("lines") String line) {
    assertThat(split(line))
        .isEqualTo(
            Arrays.stream(line.split("[^\\p{L}]+", -1)).filter(word -> !word.isEmpty()).toList());
  }

  @Provide
  Arbitrary<String> lines() {
    return Arbitraries.oneOf(
        Arbitraries.strings().all().ofMaxLength(40),
        Arbitraries.strings().withChars("aZz {@[`é ß\uD801\uDC00\uDC00-0").ofMaxLength(40));
  }

  private static List<String> split(String line) {
    Words words = new Words();
    new SplitWordsFn().processElement(line, words);
    return words.received;
  }

  private static final class Words implements OutputReceiver<String> {
    private final List<String> received = new ArrayList<>();

    @Override
    public OutputBuilder<String> builder(String value) {
      return WindowedValues.builder(WindowedValues.valueInGlobalWindow(value))
          .setReceiver(windowed -> received.add(windowed.getValue()));
    }
  }
}
