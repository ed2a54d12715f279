// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.explain.ShortExplanation;
import dev.anemone.beam.options.ExplainFormat;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.terminal.Screen;
import dev.anemone.beam.view.PlanPainter;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.print.DotPrinter;
import dev.anemone.ir.print.IRPrinter;
import dev.anemone.ir.print.JsonPrinter;
import dev.anemone.passes.OptimizationStep;
import dev.anemone.passes.OptimizationTrace;
import dev.anemone.passes.TracePrinter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Shows what each pass did to a pipeline's plan. */
final class Explanation {

  private final OptimizationTrace trace;

  Explanation(OptimizationTrace trace) {
    this.trace = trace;
  }

  /**
   * Prints it.
   *
   * @param loader finds what draws pictures
   */
  void print(ExplainFormat format, PrintStream out, ClassLoader loader) {
    switch (format) {
      case NONE -> {}
      case TREE -> out.print(tree(Screen.outputColumns()));
      case SVG -> out.print(PlanPainter.find(loader).svg(trace.policy(), trace.result()));
      case TEXT -> out.print(TracePrinter.TEXT.print(trace));
      case JSON -> out.print(TracePrinter.JSON.print(trace));
      case DOT -> out.print(TracePrinter.DOT.print(trace));
    }
    out.flush();
  }

  /**
   * The last plan as a tree, and what passes decided.
   *
   * @param columns no line is longer, but for words that are
   */
  String tree(int columns) {
    return ShortExplanation.of(trace, columns);
  }

  /**
   * Writes the plan before the first pass and after each, as {@code <number>-<pass>.json} and
   * {@code .dot}. Files of these names are replaced.
   *
   * @param directory is made when it does not exist
   * @throws InvalidPipelineException when the files cannot be written
   */
  void write(Path directory) {
    try {
      Files.createDirectories(directory);
      write(directory, 0, "input", trace.input());
      int number = 0;
      for (OptimizationStep step : trace.steps()) {
        number++;
        write(directory, number, step.path().replace('/', '-'), step.after());
      }
    } catch (IOException e) {
      throw new InvalidPipelineException(
          "--dagDirectory="
              + directory
              + " cannot be written: "
              + e
              + ". Name a local directory that this user can write, or leave the option out.",
          e);
    }
  }

  private static void write(Path directory, int number, String name, IRDag dag) throws IOException {
    String base = String.format("%02d-%s", number, name);
    write(directory.resolve(base + ".json"), new JsonPrinter(), dag);
    write(directory.resolve(base + ".dot"), new DotPrinter(), dag);
  }

  private static void write(Path file, IRPrinter printer, IRDag dag) throws IOException {
    Files.writeString(file, printer.print(dag));
  }
}
