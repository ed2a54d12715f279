// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the word count of {@code go/wordcount}, which Go builds first: minutes, the first time. */
@Tag("slow")
class GoWordCountTest {

  @TempDir Path directory;

  @Test
  void wordsAreCounted() throws Exception {
    GoPrograms go = GoPrograms.find(directory);
    Path program = directory.resolve("wordcount");
    Path text = directory.resolve("text");
    Path counts = directory.resolve("counts");
    Files.writeString(text, "a b c\na b\na\n");
    go.build(List.of("build", "-o", program.toString(), "./wordcount"));

    try (JobServer server =
        JobServer.start(new JobServerSettings(0, 0, 0, directory.resolve("artifacts")))) {
      go.submit(
          server.jobEndpoint(),
          List.of(program.toString(), "--input=" + text, "--output=" + counts));
    }

    assertThat(Files.readAllLines(counts)).containsExactlyInAnyOrder("a: 3", "b: 2", "c: 1");
  }
}
