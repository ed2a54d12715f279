// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares texts with files in {@code src/test/resources/golden} of the module under test. Run the
 * tests with {@code -Dgolden.update=true} to write the files, and read the difference before it is
 * committed.
 */
public final class GoldenFiles {

  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private GoldenFiles() {}

  /**
   * Fails when the text is not what the file holds.
   *
   * @param name path below the folder of golden files
   */
  public static void assertMatches(String name, String actual) {
    Path file = FOLDER.resolve(name);
    try {
      if (Boolean.getBoolean("golden.update")) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, actual);
      }
      assertThat(file).exists();
      assertThat(actual).as(name).isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
