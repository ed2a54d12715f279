// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.VersionText;
import dev.anemone.examples.terasort.TeraSummary;
import dev.anemone.examples.terasort.TeraValidator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code anemone teravalidate}: see {@link TeraValidator}. */
@Command(
    name = "teravalidate",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Checks that the result of terasort is sorted, as the program valsort does.",
      "With --input also, by a checksum, that it has the records of the input. Fails if not.",
      ""
    })
final class TeraValidateCommand implements Callable<Integer> {
  private static final int VALID = 0;
  private static final int NOT_VALID = 1;

  @Option(
      names = "--output",
      required = true,
      paramLabel = "FILES",
      description = "The result: a directory with files part-..., a file, or a quoted pattern.")
  private String output;

  @Option(
      names = "--input",
      paramLabel = "FILES",
      description = "What was sorted: a directory, a file, or a quoted pattern.")
  private String input;

  @Override
  public Integer call() throws Exception {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    TeraSummary sorted = TeraValidator.summarize("--output", output);
    Optional<TeraSummary> unsorted = Optional.empty();
    if (input != null) {
      unsorted = Optional.of(TeraValidator.summarize("--input", input));
    }
    System.out.println("records         " + sorted.records());
    System.out.println("checksum        " + sorted.checksumText());
    System.out.println("duplicate keys  " + sorted.duplicateKeys());
    List<String> faults = sorted.faults(unsorted);
    for (String fault : faults) {
      System.err.println("anemone: " + fault);
    }
    return faults.isEmpty() ? VALID : NOT_VALID;
  }
}
