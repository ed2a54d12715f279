// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.experiment;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.report.Circumstances;
import dev.anemone.evaluation.lab.report.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * An experiment: its options, what it measures and says. It is found as a service, and {@code
 * commands.properties} has its description. Used once and by one thread.
 */
@Command(sortOptions = false, showDefaultValues = true)
public abstract class ExperimentCommand implements Callable<Integer> {
  /** The raw figures, in the directory of every experiment. */
  public static final String FIGURES_FILE = "figures.json";

  @Spec private CommandSpec command;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  private EvaluationDirectory evaluation;
  private Circumstances circumstances;

  /** Throws an exception that names an option if it cannot be, before anything is done. */
  protected void check() {}

  /** Measures and publishes; returns whether all was right. No process runs on if it throws. */
  protected abstract boolean measure() throws Exception;

  /** Runs the experiment; returns the exit code, 0 or 1. */
  @Override
  public final Integer call() throws Exception {
    command.mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(CheckedOptions.class::isInstance)
        .forEach(options -> ((CheckedOptions) options).check(command.commandLine()));
    try {
      check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    evaluation = EvaluationDirectory.ofLauncher();
    Files.createDirectories(directory());
    circumstances =
        Circumstances.now(
            String.join(" ", command.root().commandLine().getParseResult().originalArgs()),
            evaluation.path().getParent());
    return measure() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** Where the files of all experiments lie. */
  protected final EvaluationDirectory evaluation() {
    return evaluation;
  }

  /** Where this experiment has its figures and logs; it is there. */
  protected Path directory() {
    return evaluation.results(command.name());
  }

  /** What the figures depend on, as it was when the experiment began. */
  protected final Circumstances circumstances() {
    return circumstances;
  }

  /** Writes the raw figures, and prints paragraphs that are not empty, one behind the other. */
  protected final void publish(Record figures, String headline, Object... paragraphs)
      throws IOException {
    Path file = directory().resolve(FIGURES_FILE);
    Findings.write(file, new Findings<>(circumstances, figures));
    PrintWriter out = command.commandLine().getOut();
    out.printf("%s%n%s%n", headline, circumstances.describe());
    for (Object paragraph : paragraphs) {
      String shown = paragraph.toString().stripTrailing();
      if (!shown.isEmpty()) {
        out.printf("%n%s%n", shown);
      }
    }
    out.printf("%nRaw figures: %s%n", file);
    out.flush();
  }

  /** Prints what is no figure, a list for example. */
  protected final void print(String text) {
    PrintWriter out = command.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /** Says how far it is, in a line of the form of {@link java.util.Formatter}. */
  protected final void progress(String pattern, Object... values) {
    PrintWriter err = command.commandLine().getErr();
    err.println(text(pattern, values));
    err.flush();
  }

  /** A text in the form of {@link java.util.Formatter}, whatever the user's language. */
  protected static String text(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  /** A paragraph on what does not work here, and why. */
  protected static String notMeasured(List<String> reasons) {
    return reasons.stream().map(why -> "Not measured: " + why).collect(Collectors.joining("\n"));
  }

  /** An error of the command line; says which option, what was wrong, and what would be right. */
  protected final ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Refuses an option if something does not hold of its value, and says why it must. */
  protected final void require(String option, Object value, boolean holds, String reason) {
    if (!holds) {
      throw wrong(option + "=" + value + ": " + reason + ".");
    }
  }

  /** Refuses numbers outside of a range; an option may have several. */
  protected final void requireRange(
      String option, Iterable<? extends Number> values, double least, double most, String reason) {
    for (Number value : values) {
      double number = value.doubleValue();
      require(option, value, number >= least && number <= most, reason);
    }
  }

  /** Refuses numbers below a least one; an option may have several. */
  protected final void requireLeast(
      String option, Iterable<? extends Number> values, double least, String reason) {
    requireRange(option, values, least, Double.POSITIVE_INFINITY, reason);
  }

  /** Shared options that do not take every value. */
  public interface CheckedOptions {
    /** Throws a {@link ParameterException}, before anything is done, if one of them cannot be. */
    void check(CommandLine command);

    /** Refuses a number below 1, and says why there must be one. */
    static void requirePositive(CommandLine command, String option, int value, String reason) {
      if (value < 1) {
        throw new ParameterException(command, option + "=" + value + ": " + reason + ".");
      }
    }
  }
}
