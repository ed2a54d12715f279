// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/options.md} is what the option classes say. With {@code -Dgolden.update=true} the
 * file is written anew, to be read and committed by a person.
 */
class OptionsDocumentTest {

  private static final Path FILE = Path.of("..", "docs", "options.md");

  @Test
  void documentIsThatOfTheClasses() throws IOException {
    String rendered = OptionsDocument.render();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(FILE, rendered);
    }
    assertThat(Files.readString(FILE))
        .as("docs/options.md; run this test with -Dgolden.update=true, and read the difference")
        .isEqualTo(rendered);
  }

  @Test
  void linesAreNoLongerThanOthersInTheDocuments() {
    assertThat(OptionsDocument.render().lines()).allMatch(line -> line.length() <= 100);
  }
}
