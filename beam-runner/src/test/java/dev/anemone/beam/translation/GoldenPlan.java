// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.print.TextPrinter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares plans with files in {@code golden/translation}. Run the tests with {@code
 * -Dgolden.update=true} to write the files anew; read the difference before you commit it.
 */
final class GoldenPlan {

  private static final Path FOLDER = Path.of("src", "test", "resources", "golden", "translation");

  private GoldenPlan() {}

  static void assertMatches(String name, IRDag dag) throws IOException {
    String actual = text(dag);
    Path file = FOLDER.resolve(name + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, actual);
    }
    assertThat(file).exists();
    assertThat(actual).as(name).isEqualTo(Files.readString(file));
  }

  /** The plan without what differs from run to run: payload hashes and the ids of views. */
  private static String text(IRDag dag) {
    return new TextPrinter()
        .print(dag)
        .replaceAll("#[0-9a-f]{8}", "")
        .replaceAll(" into \\S+", " into <view>");
  }
}
