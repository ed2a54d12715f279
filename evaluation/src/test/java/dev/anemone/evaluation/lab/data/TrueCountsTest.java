// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrueCountsTest {
  @TempDir private Path directory;
  private TrueCounts counts;

  @BeforeEach
  void readCounts() throws IOException {
    Path file = directory.resolve("text.counts");
    Files.writeString(file, "a: 3\nb: 1\nc: 20\n");
    counts = TrueCounts.read(file);
  }

  @Test
  void knowsTheSizeOfTheText() {
    assertThat(counts.words()).isEqualTo(24);
    assertThat(counts.distinctWords()).isEqualTo(3);
  }

  @Test
  void acceptsTheRightCountsInAnyOrderAndAnyShard() throws IOException {
    shard("result-00000-of-00002", "c: 20\n");
    shard("result-00001-of-00002", "b: 1\na: 3\n");
    shard("unrelated-00000-of-00001", "x: 1\n");

    assertThat(differences()).isEmpty();
  }

  @Test
  void seesAWrongCount() throws IOException {
    shard("result-00000-of-00001", "a: 3\nb: 2\nc: 20\n");

    assertThat(differences()).isEqualTo("1 differences: 'b' occurs 1 times, not 2");
  }

  @Test
  void seesAMissingWord() throws IOException {
    shard("result-00000-of-00001", "a: 3\nb: 1\n");

    assertThat(differences()).isEqualTo("1 differences: 'c' is missing");
  }

  @Test
  void seesAWordThatIsNotInTheText() throws IOException {
    shard("result-00000-of-00001", "a: 3\nb: 1\nc: 20\nd: 1\n");

    assertThat(differences()).isEqualTo("1 differences: 'd' does not occur");
  }

  @Test
  void seesAWordThatIsCountedInTwoShards() throws IOException {
    shard("result-00000-of-00002", "a: 3\nb: 1\nc: 20\n");
    shard("result-00001-of-00002", "a: 3\n");

    assertThat(differences()).isEqualTo("1 differences: 'a' has more than one line");
  }

  @Test
  void seesALineWithoutACount() throws IOException {
    shard("result-00000-of-00001", "a: 3\nb: 1\nc: 20\nd\n");

    assertThat(differences()).isEqualTo("1 differences: the line 'd' has no count");
  }

  @Test
  void countsAllDifferencesAndDescribesTheFirst() throws IOException {
    shard("result-00000-of-00001", "d: 1\n");

    assertThat(differences()).startsWith("4 differences: 'd' does not occur, ").endsWith(" ...");
  }

  @Test
  void missesEveryWordOfAResultThatIsNotThere() throws IOException {
    assertThat(differences()).startsWith("3 differences: ");
  }

  @Test
  void refusesACountsFileOfAnotherForm() throws IOException {
    Path file = directory.resolve("other.counts");
    Files.writeString(file, "a=3\n");

    assertThatThrownBy(() -> TrueCounts.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other.counts has a line without a count: a=3");
  }

  private void shard(String name, String lines) throws IOException {
    Files.writeString(directory.resolve(name), lines);
  }

  private String differences() throws IOException {
    return counts.differences(directory, "result");
  }
}
