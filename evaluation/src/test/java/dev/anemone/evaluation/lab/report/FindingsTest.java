// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindingsTest {
  private record Figures(String name, List<Summary> summaries) {}

  @TempDir private Path directory;

  @Test
  void replaceThoseOfAnEarlierExperimentAndAreReadAgain() throws Exception {
    Path file = directory.resolve("figures.json");
    Circumstances now = Circumstances.now("startup --runs=3", directory);
    Findings<Figures> second =
        new Findings<>(now, new Figures("second", List.of(new Summary(2, 1, 3))));
    Findings.write(file, new Findings<>(now, new Figures("a first one with more", List.of())));
    Findings.write(file, second);
    assertThat(Findings.read(file, Figures.class)).isEqualTo(second);
    var json = new ObjectMapper().readTree(file.toFile()).get("circumstances");
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("command", "commit", "started", "machine", "loadBefore");
    assertThat(json.get("command").asText()).isEqualTo("startup --runs=3");
    assertThat(json.get("commit").asText()).isEqualTo("unknown");
  }

  @Test
  void theCommitIsThatOfTheCheckoutAndSaysWhenFilesDiffer() throws Exception {
    git("init", "-q");
    Files.writeString(directory.resolve("file"), "one");
    git("add", "file");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one");
    assertThat(Circumstances.now("", directory).commit()).matches("[0-9a-f]{10}");
    Files.writeString(directory.resolve("file"), "two");
    assertThat(Circumstances.now("", directory).commit()).matches("[0-9a-f]{10}-dirty");
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    assertThat(git.waitFor()).isZero();
  }
}
