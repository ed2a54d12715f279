// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusGeneratorTest {
  private static final long BYTES = 2_000_000;
  private static final int WORDS = 5_000;

  @TempDir private Path directory;

  @Test
  void theCountsAreThoseOfTheText() throws IOException {
    CorpusGenerator.Corpus corpus = generate("text", 7);

    Map<String, Integer> counted = new TreeMap<>();
    for (String line : Files.readAllLines(directory.resolve("text"))) {
      for (String word : line.split(" ", -1)) {
        counted.merge(word, 1, Integer::sum);
      }
    }
    assertThat(Files.readAllLines(directory.resolve("text.counts")))
        .isEqualTo(counted.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList());
    assertThat(corpus.words()).isEqualTo(counted.values().stream().mapToLong(n -> n).sum());
    assertThat(corpus.distinctWords()).isEqualTo(counted.size());
  }

  @Test
  void theTextHasTheAskedSizeAndTenWordsALine() throws IOException {
    CorpusGenerator.Corpus corpus = generate("text", 7);

    assertThat(corpus.bytes()).isEqualTo(Files.size(directory.resolve("text")));
    assertThat(corpus.bytes()).isBetween(BYTES, BYTES + 20);
    try (Stream<String> lines = Files.lines(directory.resolve("text"))) {
      assertThat(lines.limit(100)).allSatisfy(line -> assertThat(line.split(" ", -1)).hasSize(10));
    }
  }

  @Test
  void wordsHaveTheAverageLengthAndFollowZipfsLaw() throws IOException {
    CorpusGenerator.Corpus corpus = generate("text", 7);

    double averageLetters = (double) corpus.bytes() / corpus.words() - 1;
    assertThat(averageLetters).isCloseTo(CorpusGenerator.AVERAGE_WORD_LETTERS, within(0.3));
    long[] largest =
        Files.readAllLines(directory.resolve("text.counts")).stream()
            .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(": ") + 2)))
            .map(count -> -count)
            .sorted()
            .map(count -> -count)
            .toArray();
    double harmonic = 0;
    for (int rank = 1; rank <= WORDS; rank++) {
      harmonic += 1.0 / rank;
    }
    for (int rank : new int[] {1, 2, 5, 10, 50}) {
      double expected = corpus.words() / (rank * harmonic);
      assertThat((double) largest[rank - 1]).isCloseTo(expected, within(expected * 0.05));
    }
  }

  /** There are not enough words of three letters for so many. */
  @Test
  void theLargestVocabularyIsMade() {
    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          CorpusGenerator.Corpus corpus =
              new CorpusGenerator(BYTES, 1_000_000, 7)
                  .write(directory.resolve("text"), directory.resolve("text.counts"));
          assertThat(corpus.distinctWords()).isGreaterThan(50_000);
        });
  }

  @Test
  void theSameSeedGivesTheSameBytesAndAnotherSeedOthers() throws IOException {
    generate("first", 7);
    generate("second", 7);
    generate("third", 8);

    assertThat(directory.resolve("first")).hasSameBinaryContentAs(directory.resolve("second"));
    assertThat(Files.mismatch(directory.resolve("first"), directory.resolve("third")))
        .isNotNegative();
  }

  @Test
  void nothingUnfinishedIsLeftBehind() throws IOException {
    generate("text", 7);

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("text", "text.counts");
    }
  }

  @Test
  void refusesSizesThatMakeNoText() {
    assertThatThrownBy(() -> new CorpusGenerator(0, 10, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one byte");
    assertThatThrownBy(() -> new CorpusGenerator(10, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("distinct words");
  }

  private CorpusGenerator.Corpus generate(String name, long seed) throws IOException {
    return new CorpusGenerator(BYTES, WORDS, seed)
        .write(directory.resolve(name), directory.resolve(name + ".counts"));
  }
}
