// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of every experiment that runs the {@link ShuffleWorkload}. */
public final class WorkloadOptions {
  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seed of the records (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--heap",
      defaultValue = "2g",
      paramLabel = "SIZE",
      description =
          "Largest heap of every JVM, as -Xmx takes it, and as much direct memory (default:"
              + " ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "A further option of every JVM; may be given several times.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description =
          "A further option of NemoRunner for every run, such as --nemo-option=--slots=8; may be"
              + " given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "900",
      paramLabel = "SECONDS",
      description = "After which a run is killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  /** Seed of the records. */
  public long seed() {
    return seed;
  }

  /** What is compared, in this order. */
  public List<Side> sides() {
    return Side.both(nemoOptions);
  }

  /** The options of every JVM that differ from the defaults. */
  public List<String> jvmOptions() {
    List<String> options = new ArrayList<>(List.of("-Xmx" + heap));
    options.addAll(jvmOptions);
    return options;
  }

  /**
   * Runs the workload with these options.
   *
   * @param directory for logs and for what is shuffled
   * @param neededJvmOptions those that NemoRunner cannot do without
   */
  public WorkloadProcess process(Path directory, String classPath, List<String> neededJvmOptions) {
    List<String> options = new ArrayList<>(jvmOptions());
    options.addAll(neededJvmOptions);
    return new WorkloadProcess(directory, classPath, options, Duration.ofSeconds(deadlineSeconds));
  }
}
