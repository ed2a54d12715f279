// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import static dev.anemone.ir.testing.GoldenFiles.assertMatches;

import org.junit.jupiter.api.Test;

class DotPrinterTest {

  private static final IRPrinter PRINTER = new DotPrinter();

  @Test
  void printsAGraph() {
    assertMatches("print/graph.dot", PRINTER.print(PrintedDags.after()));
  }

  @Test
  void printsWhatChanged() {
    assertMatches("print/difference.dot", PRINTER.print(PrintedDags.before(), PrintedDags.after()));
  }
}
