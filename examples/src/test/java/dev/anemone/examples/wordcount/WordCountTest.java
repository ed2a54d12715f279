// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordCountTest {

  @TempDir private Path directory;

  @Test
  void countsAZipfTextToTheLastWord() throws IOException {
    Path text = directory.resolve("text");
    Path counts = directory.resolve("true-counts");
    new CorpusGenerator(3_000_000, 20_000, 42).write(text, counts);

    run("--input=" + text, "--output=" + directory.resolve("counts"));

    assertThat(lines("counts-")).isEqualTo(Files.readAllLines(counts));
  }

  @Test
  void readsEveryFileOfAPattern() throws IOException {
    Files.writeString(directory.resolve("a.txt"), "one two two\n\nThree");
    Files.writeString(directory.resolve("b.txt"), "two, three\n");

    run("--input=" + directory.resolve("*.txt"), "--output=" + directory.resolve("counts"));

    assertThat(lines("counts-")).containsExactly("Three: 1", "one: 1", "three: 1", "two: 3");
  }

  @Test
  void anEmptyFileHasNoWords() throws IOException {
    Files.writeString(directory.resolve("empty.txt"), "");

    run("--input=" + directory.resolve("empty.txt"), "--output=" + directory.resolve("counts"));

    assertThat(lines("counts-")).isEmpty();
  }

  @Test
  void aMissingInputIsRefusedAndNothingIsWritten() throws IOException {
    assertThatThrownBy(
            () ->
                run(
                    "--input=" + directory.resolve("missing.txt"),
                    "--output=" + directory.resolve("counts")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--input=" + directory.resolve("missing.txt"))
        .hasMessageContaining("no such file");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  private static void run(String input, String output) throws IOException {
    WordCount.main(new String[] {input, output, "--runner=NemoRunner"});
  }

  private List<String> lines(String prefix) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith(prefix)).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines.stream().sorted().toList();
  }
}
