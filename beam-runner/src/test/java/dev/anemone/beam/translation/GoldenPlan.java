package dev.anemone.beam.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.print.TextPrinter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares plans with files in {@code golden/translation}. Run the tests with {@code
 * -Danemone.golden.write=<directory>} to write the files anew; read the difference before you
 * commit it.
 */
final class GoldenPlan {

  private GoldenPlan() {}

  static void assertMatches(String name, IRDag dag) throws IOException {
    String actual = text(dag);
    String directory = System.getProperty("anemone.golden.write");
    if (directory != null) {
      Files.writeString(Path.of(directory, name + ".txt"), actual);
      return;
    }
    try (InputStream golden =
        GoldenPlan.class.getResourceAsStream("/golden/translation/" + name + ".txt")) {
      assertThat(golden).as("golden file of " + name).isNotNull();
      assertThat(actual).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** The plan without what differs from run to run: payload hashes and the ids of views. */
  private static String text(IRDag dag) {
    return new TextPrinter()
        .print(dag)
        .replaceAll("#[0-9a-f]{8}", "")
        .replaceAll(" into \\S+", " into <view>");
  }
}
