// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.beam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.examples.DebuggingWordCount;
import org.apache.beam.examples.WordCount;
import org.apache.beam.examples.complete.TfIdf;
import org.apache.beam.examples.complete.game.HourlyTeamScore;
import org.apache.beam.examples.complete.game.UserScore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Beam's own examples as they are published, by their main methods. {@code MinimalWordCount} is not
 * among them: it reads from Google's storage, and takes no other input.
 */
class BeamExamplesTest {

  @TempDir Path directory;
  private Path input;

  @BeforeEach
  void createInput() throws IOException {
    input = Files.createDirectory(directory.resolve("input"));
  }

  private String[] arguments(String... own) {
    List<String> arguments = new ArrayList<>(List.of("--runner=NemoRunner", "--progress=off"));
    arguments.add("--output=" + directory.resolve("output"));
    arguments.addAll(List.of(own));
    return arguments.toArray(String[]::new);
  }

  private List<String> outputLines() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(Files::isRegularFile)
          .peek(file -> assertThat(file.getFileName().toString()).startsWith("output"))
          .flatMap(BeamExamplesTest::lines)
          .toList();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path write(String file, String... lines) throws IOException {
    return Files.write(input.resolve(file), List.of(lines));
  }

  @Test
  void wordCount() throws IOException {
    write("1.txt", "to be, or not to be:", "that is the question");
    write("2.txt", "To be");
    WordCount.main(arguments("--inputFile=" + input.resolve("*.txt")));
    assertThat(outputLines())
        .containsExactlyInAnyOrder(
            "to: 2",
            "be: 3",
            "or: 1",
            "not: 1",
            "that: 1",
            "is: 1",
            "the: 1",
            "question: 1",
            "To: 1");
  }

  @Test
  void debuggingWordCountFindsWhatItAsserts() throws IOException {
    Path text = write("lear.txt", "Flourish Flourish", "stomach Flourish other");
    DebuggingWordCount.main(arguments("--inputFile=" + text));
  }

  @Test
  void debuggingWordCountFailsOnAnotherText() throws IOException {
    Path text = write("lear.txt", "Flourish stomach");
    assertThatThrownBy(() -> DebuggingWordCount.main(arguments("--inputFile=" + text)))
        .hasStackTraceContaining("Flourish");
  }

  @Test
  void tfIdf() throws Exception {
    Path a = write("a.txt", "apple banana apple");
    Path b = write("b.txt", "banana cherry");
    Path c = write("c.txt", "banana");
    TfIdf.main(arguments("--input=" + input.toUri()));
    assertThat(outputLines())
        // 2/3 ln(3/1), 1/2 ln(3/1), and ln(3/3).
        .containsExactlyInAnyOrder(
            "apple,\t" + a.toFile().toURI() + ",\t0.732408",
            "cherry,\t" + b.toFile().toURI() + ",\t0.549306",
            "banana,\t" + a.toFile().toURI() + ",\t0.000000",
            "banana,\t" + b.toFile().toURI() + ",\t0.000000",
            "banana,\t" + c.toFile().toURI() + ",\t0.000000");
  }

  /** Scores of users in teams, with milliseconds since 1970 and the same in Los Angeles' time. */
  private Path game() throws IOException {
    return write(
        "game.csv",
        "ann,red,5,1447660800000,2015-11-16 00:00:00.000",
        "bob,red,7,1447662600000,2015-11-16 00:30:00.000",
        "cem,blue,1,1447660801000,2015-11-16 00:00:01.000",
        "ann,red,11,1447664400000,2015-11-16 01:00:00.000",
        "this is no event");
  }

  @Test
  void userScore() throws Exception {
    UserScore.main(arguments("--input=" + game()));
    assertThat(outputLines())
        .containsExactlyInAnyOrder(
            "total_score: 16, user: ann", "total_score: 7, user: bob", "total_score: 1, user: cem");
  }

  @Test
  void hourlyTeamScore() throws Exception {
    HourlyTeamScore.main(arguments("--input=" + game(), "--stopMin=2015-11-16-00-45"));
    assertThat(outputLines())
        // The example takes and prints the time of Los Angeles. Ann's second score is too late.
        .containsExactlyInAnyOrder(
            "window_start: 2015-11-16 00:00:00.000, total_score: 12, team: red",
            "window_start: 2015-11-16 00:00:00.000, total_score: 1, team: blue");
  }
}
