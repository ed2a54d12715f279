// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.shell.ShellCommands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code evaluation/run warm-query}: a query of a small file in the SQL shell, first and later
 * times, as the shell's own timer says it.
 */
@Command(name = "warm-query")
public final class WarmQuery extends ExperimentCommand {
  private static final Pattern TIMED = Pattern.compile("(\\d+\\.\\d{3}) s");
  private static final int SHOPS = 7;

  @Option(names = "--rows", description = "Rows of the file.")
  private int rows = 10_000;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description = "An option of the shell, such as --nemo-option=--columnar=off.")
  private List<String> nemoOptions = List.of();

  @Mixin private Runs runs = new Runs(20);

  /** Seconds from the text of the query to its last row on the screen. */
  record Figures(double firstSeconds, List<Double> laterSeconds) {}

  @Override
  protected void check() {
    require("--rows", rows, rows >= SHOPS, "there are seven shops");
  }

  @Override
  protected boolean measure() throws Exception {
    Path directory = Files.createTempDirectory("warm-query");
    Path sales = directory.resolve("sales.csv");
    Path script = directory.resolve("script.sql");
    List<Double> seconds;
    try {
      writeRows(sales);
      Files.writeString(
          script,
          ".timer on\n"
              + ("SELECT shop, SUM(amount) AS amount FROM '" + sales + "' GROUP BY shop;\n")
                  .repeat(1 + runs.count()));
      seconds = seconds(script);
    } finally {
      Files.deleteIfExists(sales);
      Files.deleteIfExists(script);
      Files.delete(directory);
    }
    if (seconds.size() != 1 + runs.count()) {
      throw new IllegalStateException(
          "The shell has timed " + seconds.size() + " of " + (1 + runs.count()) + " queries.");
    }
    List<Double> later = seconds.subList(1, seconds.size());
    Summary summary = Summary.of(later);
    publish(
        new Figures(seconds.get(0), later),
        "A query of a small file, again and again in one shell",
        new MarkdownTable(
                "rows|%d; first s|%.3f; later queries|%d; median s|%.3f; min s|%.3f; max s|%.3f")
            .row(
                rows,
                seconds.get(0),
                later.size(),
                summary.median(),
                summary.min(),
                summary.max()));
    return true;
  }

  private void writeRows(Path sales) throws IOException {
    StringBuilder lines = new StringBuilder("shop,amount\n");
    for (int row = 0; row < rows; row++) {
      lines.append("shop").append(row % SHOPS).append(',').append(row).append('\n');
    }
    Files.writeString(sales, lines);
  }

  private List<Double> seconds(Path script) throws Exception {
    List<String> arguments = Arguments.of("-f", script.toString(), "--progress=off", nemoOptions);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream realOut = System.out;
    PrintStream realErr = System.err;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      new ShellCommands().programs().get(0).call(arguments);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the shell has failed", e);
    } finally {
      System.setOut(realOut);
      System.setErr(realErr);
    }
    requireAnswers(out.toString(StandardCharsets.UTF_8));
    List<Double> seconds = new ArrayList<>();
    for (String line : err.toString(StandardCharsets.UTF_8).lines().toList()) {
      Matcher timed = TIMED.matcher(line);
      if (timed.matches()) {
        seconds.add(Double.parseDouble(timed.group(1)));
      }
    }
    return seconds;
  }

  private void requireAnswers(String printed) {
    long answers = printed.lines().filter(line -> line.contains("shop6")).count();
    if (answers != 1 + runs.count()) {
      throw new IllegalStateException(
          "Of " + (1 + runs.count()) + " queries " + answers + " have an answer:\n" + printed);
    }
  }
}
