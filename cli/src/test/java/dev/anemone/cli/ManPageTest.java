// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManPageTest {

  @TempDir Path directory;

  @Test
  void eachCommandHasAPageWithItsOptions() throws Exception {
    ManPages.main(new String[] {directory.resolve("man1").toString()});

    try (Stream<Path> pages = Files.list(directory.resolve("man1"))) {
      List<String> names = pages.map(page -> page.getFileName().toString()).toList();
      assertThat(names)
          .contains("anemone.1", "anemone-run.1", "anemone-explain.1", "anemone-pool-start.1");
    }
    String start = Files.readString(directory.resolve("man1/anemone-pool-start.1"));
    assertThat(start)
        .contains(
            ".TH \"ANEMONE-POOL-START\" \"1\"",
            "anemone-pool-start \\- Runs a server of the pool",
            "\\fB\\-\\-capacity=SIZE\\fR\nSize of a tier",
            ".BR \"anemone-pool\" \"(1)\"");
  }

  @Test
  void noLineOfTextIsTakenForARequest() throws Exception {
    ManPages.main(new String[] {directory.toString()});

    try (Stream<Path> pages = Files.list(directory)) {
      for (Path page : pages.toList()) {
        assertThat(Files.readAllLines(page))
            .as(page.toString())
            .filteredOn(line -> line.startsWith("."))
            .allMatch(line -> line.matches("\\.(\\\\\".*|(TH|SH|BR) .*|TP|nf|fi)"));
      }
    }
  }
}
