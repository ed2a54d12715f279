// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardedOutputTest {

  @TempDir private Path directory;

  @Test
  void aPathIsAPrefixAndADirectoryGetsFilesInIt() throws IOException {
    Path prefix = directory.resolve("result");
    assertThat(prepare(prefix.toString()).prefix()).isEqualTo(prefix.toString());
    assertThat(prepare(directory.toString()).prefix())
        .isEqualTo(directory.resolve("counts").toString());
    assertThat(prepare(directory + "/new/").prefix())
        .isEqualTo(directory.resolve("new/counts").toString());
  }

  @Test
  void preparingLeavesNoFile() throws IOException {
    prepare(directory.resolve("result").toString());

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void shardsOfAnEarlierRunDoNotMixWithThoseOfThisRun() throws IOException {
    write("result-00000-of-00003", "result-00001-of-00003", "result-00002-of-00003");
    ShardedOutput output = prepare(directory.resolve("result").toString());
    write("result-00000-of-00002", "result-00001-of-00002");

    assertThat(output.finish())
        .containsExactly(
            directory.resolve("result-00000-of-00002").toString(),
            directory.resolve("result-00001-of-00002").toString());
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void shardsOfAnEarlierRunAreRefusedWhereNobodyWouldDeleteThem() throws IOException {
    prepare(directory.resolve("result").toString()).requireFree();
    write("result-00000-of-00003");
    ShardedOutput output = prepare(directory.resolve("result").toString());

    assertThatThrownBy(output::requireFree)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--output=" + directory.resolve("result"))
        .hasMessageContaining("another prefix");
  }

  @Test
  void overwrittenShardsAreTheResult() throws IOException {
    write("result-00000-of-00001", "result-00000-of-00004");
    Files.setLastModifiedTime(
        directory.resolve("result-00000-of-00001"), FileTime.fromMillis(1_000_000));
    ShardedOutput output = prepare(directory.resolve("result").toString());
    write("result-00000-of-00001");

    assertThat(output.finish())
        .containsExactly(directory.resolve("result-00000-of-00001").toString());
    assertThat(directory.resolve("result-00000-of-00004")).doesNotExist();
  }

  @Test
  void otherFilesOfTheUserStay() throws IOException {
    write("result-00000-of-00003", "result-notes-of-today", "result.txt", "result-00000-of-abcde");
    ShardedOutput output = prepare(directory.resolve("result").toString());
    write("result-00000-of-00001");

    output.finish();

    assertThat(directory.resolve("result-notes-of-today")).exists();
    assertThat(directory.resolve("result.txt")).exists();
    assertThat(directory.resolve("result-00000-of-abcde")).exists();
    assertThat(directory.resolve("result-00000-of-00003")).doesNotExist();
  }

  @Test
  void aRunThatWroteNothingDeletesNothing() throws IOException {
    write("result-00000-of-00001");

    prepare(directory.resolve("result").toString()).finish();

    assertThat(directory.resolve("result-00000-of-00001")).exists();
  }

  @Test
  void aPlaceThatCannotHoldFilesIsRefusedByName() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "not a directory");

    assertThatThrownBy(() -> prepare(file.resolve("result").toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--output=" + file.resolve("result"))
        .hasMessageContaining("cannot be written to");
  }

  private static ShardedOutput prepare(String output) throws IOException {
    return ShardedOutput.prepare("--output", output, "counts");
  }

  private void write(String... names) throws IOException {
    for (String name : names) {
      Files.writeString(directory.resolve(name), name);
    }
  }
}
