// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import static dev.anemone.ir.testing.GoldenFiles.assertMatches;

import org.junit.jupiter.api.Test;

class JsonPrinterTest {

  private static final IRPrinter PRINTER = new JsonPrinter();

  @Test
  void printsAGraph() {
    assertMatches("print/graph.json", PRINTER.print(PrintedDags.after()));
  }

  @Test
  void printsWhatChanged() {
    assertMatches(
        "print/difference.json", PRINTER.print(PrintedDags.before(), PrintedDags.after()));
  }
}
