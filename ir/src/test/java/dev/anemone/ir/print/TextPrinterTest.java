package dev.anemone.ir.print;

import static dev.anemone.ir.testing.GoldenFiles.assertMatches;

import org.junit.jupiter.api.Test;

class TextPrinterTest {

  private static final IRPrinter PRINTER = new TextPrinter();

  @Test
  void printsAGraph() {
    assertMatches("print/graph.txt", PRINTER.print(PrintedDags.after()));
  }

  @Test
  void printsWhatChanged() {
    assertMatches("print/difference.txt", PRINTER.print(PrintedDags.before(), PrintedDags.after()));
  }
}
