// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Runs the {@link ShuffleWorkload}, each time in a fresh JVM, and checks what it reports. Not
 * thread-safe.
 */
public final class WorkloadProcess {
  private final ReportingProcess process;

  /** Making all records to add them up takes a while, so it is done once for each shape. */
  private final Map<SyntheticShape, RecordTotals> expected = new HashMap<>();

  private record SyntheticShape(long records, long seed) {}

  /**
   * @param directory for logs and passing files; made if missing. The blocks of the shuffle lie
   *     below it, so its disk is the one that is measured
   * @param classPath with this program and NemoRunner
   * @param jvmOptions of the JVM that runs the workload
   * @param deadline after which a run is killed
   */
  public WorkloadProcess(
      Path directory, String classPath, List<String> jvmOptions, Duration deadline) {
    this.process = new ReportingProcess(directory, classPath, jvmOptions, deadline);
  }

  /**
   * Runs the workload once.
   *
   * @param name of the run, for its log
   * @param runnerOptions such as the policy
   * @param command turns the command into one that runs it under other conditions
   * @throws ExperimentFailure if the run failed, was killed at the deadline, or brought other
   *     records than were made; the message says which, and where the log is
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  public WorkloadRun run(
      String name,
      ShuffleShape shape,
      List<String> runnerOptions,
      UnaryOperator<List<String>> command)
      throws IOException, InterruptedException {
    ReportingProcess.Reported<WorkloadReport> reported =
        process.run(
            name,
            ShuffleWorkload.class,
            List.of(),
            arguments(shape, runnerOptions),
            WorkloadReport.class,
            command);
    requireRight(name, reported.report().totals(), expected(shape), reported.log());
    return new WorkloadRun(reported.figures(), reported.report());
  }

  private static List<String> arguments(ShuffleShape shape, List<String> runnerOptions) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--producers=" + shape.producers(),
                "--parallelism=" + shape.consumers(),
                // As many tasks as the source has parts.
                "--passOptions=targetBytesPerTask=1",
                "--records=" + shape.records(),
                "--seed=" + shape.seed()));
    arguments.addAll(runnerOptions);
    return arguments;
  }

  private RecordTotals expected(ShuffleShape shape) {
    return expected.computeIfAbsent(
        new SyntheticShape(shape.records(), shape.seed()),
        made -> new SyntheticRecords(made.records(), made.seed()).totals());
  }

  /** Checks what came against what was made. */
  static void requireRight(String name, RecordTotals found, RecordTotals right, Path log) {
    if (!found.equals(right)) {
      throw new ExperimentFailure(
          "The run "
              + name
              + " shuffled wrong, so its figures mean nothing: its consumers got "
              + found
              + ", and "
              + right
              + " was made. Its log is "
              + log
              + ".");
    }
  }
}
