package dev.anemone.evaluation.ndpscan;

import dev.anemone.evaluation.EvaluationDirectory;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evaluation/run ndp-scan}: how fast a proxy filters text. */
@Command(
    name = "ndp-scan",
    sortOptions = false,
    description =
        "A proxy beside a data node filters TPC-H's lineitem as text, and in turn with it DuckDB"
            + " with one thread, on the same file. Prints the rates.%n")
public final class NdpScan implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--scale",
      defaultValue = "1",
      paramLabel = "X",
      description = "Scale factor of the data; 1 is a file of 750 MB (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--runs",
      defaultValue = "5",
      paramLabel = "N",
      description = "Rounds; both have a turn in each (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  /**
   * Runs the experiment.
   *
   * @return the exit code, 0
   * @throws IOException if a file cannot be read or written, or the proxy fails
   * @throws SQLException if DuckDB fails
   */
  @Override
  public Integer call() throws IOException, SQLException {
    CommandLine commandLine = command.commandLine();
    if (runs < 1) {
      throw new ParameterException(commandLine, "--runs=" + runs + ": there must be a round.");
    }
    try {
      TpchDataSet.check(scale, TpchSkew.NONE);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(commandLine, wrong.getMessage(), wrong);
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    ScanPlan plan =
        new ScanPlan(
            evaluation.results("ndp-scan"),
            evaluation.results("tpch").resolve(TpchDataSet.name(scale, TpchSkew.NONE)),
            scale,
            runs);
    new ScanExperiment(plan, commandLine.getOut(), commandLine.getErr()).run();
    return CommandLine.ExitCode.OK;
  }
}
