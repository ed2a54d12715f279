// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.print.TextPrinter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares what a pass did with a file in {@code src/test/resources/golden}. With {@code
 * -Dgolden.update=true} the file is written anew, to be read and committed by a person.
 */
public final class GoldenPlan {

  private static final Path DIRECTORY = Path.of("src", "test", "resources", "golden");

  private GoldenPlan() {}

  /** Compares a step with {@code <name>.txt}. */
  public static void assertMatches(String name, OptimizationStep step) {
    TextPrinter printer = new TextPrinter();
    assertText(
        name + ".txt",
        "before: "
            + printer.print(step.before())
            + "\nafter: "
            + printer.print(step.before(), step.after()));
  }

  /** Compares any text with a golden file. */
  public static void assertText(String fileName, String actual) {
    Path file = DIRECTORY.resolve(fileName);
    try {
      if (Boolean.getBoolean("golden.update")) {
        Files.createDirectories(DIRECTORY);
        Files.writeString(file, actual);
      }
      assertThat(actual).as("golden file %s", file).isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
