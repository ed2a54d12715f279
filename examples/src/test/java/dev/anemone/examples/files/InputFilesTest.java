// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.files;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFilesTest {

  @TempDir private Path directory;

  @Test
  void filesAndPatternsThatMatchPass() throws IOException {
    Files.writeString(directory.resolve("a.txt"), "a");

    assertThatCode(() -> InputFiles.require("--input", directory.resolve("a.txt").toString()))
        .doesNotThrowAnyException();
    assertThatCode(() -> InputFiles.require("--input", directory.resolve("*.txt").toString()))
        .doesNotThrowAnyException();
  }

  @Test
  void aMissingFileIsNamedWithItsOption() {
    assertThatThrownBy(
            () -> InputFiles.require("--input", directory.resolve("none.txt").toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--input=" + directory.resolve("none.txt") + ": no such file");
  }

  @Test
  void aPatternThatMatchesNothingIsNamedWithItsOption() {
    assertThatThrownBy(() -> InputFiles.require("--input", directory.resolve("*.txt").toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--input=" + directory.resolve("*.txt"));
  }

  @Test
  void aDirectoryIsNotAFile() {
    assertThatThrownBy(() -> InputFiles.require("--input", directory.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a directory")
        .hasMessageContaining("*'");
  }
}
