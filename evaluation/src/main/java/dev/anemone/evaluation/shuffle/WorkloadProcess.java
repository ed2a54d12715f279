package dev.anemone.evaluation.shuffle;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.DirectoryTree;
import dev.anemone.evaluation.ExperimentFailure;
import dev.anemone.evaluation.process.JavaProgram;
import dev.anemone.evaluation.process.MeasuredProcess;
import dev.anemone.evaluation.process.ProcessFigures;
import java.io.IOException;
import java.nio.file.Files;
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
  private static final int LOG_LINES = 15;

  private final Path directory;
  private final String classPath;
  private final List<String> jvmOptions;
  private final Duration deadline;

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
    this.directory = directory;
    this.classPath = classPath;
    this.jvmOptions = List.copyOf(jvmOptions);
    this.deadline = deadline;
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
    Path log = directory.resolve(name + ".log");
    Path work = directory.resolve(name);
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("tmp"));
    try {
      Path reportFile = work.resolve("report.json");
      JavaProgram program = program(shape, runnerOptions, work, reportFile);
      ProcessFigures figures =
          MeasuredProcess.run(command.apply(program.command()), work, log, deadline);
      requireSuccess(name, figures, log);
      WorkloadReport report =
          new ObjectMapper().readValue(reportFile.toFile(), WorkloadReport.class);
      requireRight(name, report.totals(), expected(shape), log);
      return new WorkloadRun(figures, report);
    } finally {
      DirectoryTree.delete(work);
    }
  }

  private JavaProgram program(
      ShuffleShape shape, List<String> runnerOptions, Path work, Path reportFile) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--runner=NemoRunner",
                "--progress=off",
                "--tempDirectory=" + work.resolve("tmp"),
                "--producers=" + shape.producers(),
                "--parallelism=" + shape.consumers(),
                // As many tasks as the source has parts.
                "--passOptions=targetBytesPerTask=1",
                "--records=" + shape.records(),
                "--seed=" + shape.seed(),
                "--report=" + reportFile));
    arguments.addAll(runnerOptions);
    List<String> options = new ArrayList<>(jvmOptions);
    options.add("-Djava.io.tmpdir=" + work.resolve("tmp"));
    return new JavaProgram(ShuffleWorkload.class.getName(), classPath, options, arguments);
  }

  private void requireSuccess(String name, ProcessFigures figures, Path log) throws IOException {
    if (figures.exitCode().isEmpty()) {
      throw new ExperimentFailure(
          "The run "
              + name
              + " was killed after "
              + deadline.toSeconds()
              + " s. Its log is "
              + log
              + ". Give it more time with --deadline, or shuffle less.");
    }
    if (!figures.succeeded()) {
      throw new ExperimentFailure(
          "The run "
              + name
              + " failed with exit code "
              + figures.exitCode().getAsInt()
              + ". The end of its log, "
              + log
              + ":\n"
              + MeasuredProcess.lastMessages(log, LOG_LINES));
    }
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
