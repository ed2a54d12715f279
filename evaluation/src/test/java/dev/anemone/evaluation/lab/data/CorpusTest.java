// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusTest {
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

  @TempDir private Path directory;

  @Test
  void theCountsAreThoseOfTheText() throws Exception {
    Corpus corpus = Corpus.of(directory, 50_000, 500, 7);

    TrueCounts counts = TrueCounts.read(corpus.counts());
    String[] words = Files.readString(corpus.text()).strip().split("\\s+", -1);
    assertThat(counts.words()).isEqualTo(words.length);
    assertThat(counts.distinctWords()).isBetween(300, 500);
    assertThat(Corpus.load(corpus.text()))
        .isEqualTo(Files.size(corpus.text()))
        .isBetween(50_000L, 50_020L);
  }

  @Test
  void isGeneratedOnce() throws Exception {
    Corpus corpus = Corpus.of(directory, 10_000, 500, 7);
    Files.setLastModifiedTime(corpus.text(), LONG_AGO);

    assertThat(Corpus.of(directory, 10_000, 500, 7)).isEqualTo(corpus);
    assertThat(Files.getLastModifiedTime(corpus.text())).isEqualTo(LONG_AGO);
  }

  @Test
  void isGeneratedAgainWhenItsCountsAreMissing() throws Exception {
    Corpus corpus = Corpus.of(directory, 10_000, 500, 7);
    Files.setLastModifiedTime(corpus.text(), LONG_AGO);
    Files.delete(corpus.counts());

    assertThat(Corpus.of(directory, 10_000, 500, 7).counts()).exists();
    assertThat(Files.getLastModifiedTime(corpus.text())).isGreaterThan(LONG_AGO);
  }

  @Test
  void otherParametersGiveOtherFiles() throws Exception {
    Path text = Corpus.of(directory, 10_000, 500, 7).text();

    assertThat(Corpus.of(directory, 10_001, 500, 7).text()).isNotEqualTo(text);
    assertThat(Corpus.of(directory, 10_000, 501, 7).text()).isNotEqualTo(text);
    assertThat(Corpus.of(directory, 10_000, 500, 8).text()).isNotEqualTo(text);
  }

  @Test
  void inFilesItIsTheSameTextCutBetweenLines() throws Exception {
    Corpus corpus = Corpus.of(directory, 100_000, 500, 1);

    Path pattern = corpus.inFiles(7);

    List<Path> files;
    try (Stream<Path> found = Files.list(pattern.getParent())) {
      files = found.sorted().toList();
    }
    assertThat(files).hasSize(7);
    StringBuilder text = new StringBuilder();
    for (Path file : files) {
      assertThat(Files.size(file)).isBetween(13_000L, 16_000L);
      text.append(Files.readString(file));
    }
    assertThat(text).hasToString(Files.readString(corpus.text()));
    assertThat(Corpus.load(pattern)).isEqualTo(Files.size(corpus.text()));
    assertThat(corpus.inFiles(7)).isEqualTo(pattern);
    assertThat(directory).isDirectoryNotContaining("glob:**unfinished*");
  }
}
