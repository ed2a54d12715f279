// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.cli.Anemone;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs programs of the command line, each in a JVM of its own.
 *
 * @param directory for their logs; must exist
 * @param classPath with the command line
 * @param jvmOptions that NemoRunner cannot do without
 * @param deadline after which a program is killed
 */
record TeraSortPrograms(
    Path directory, String classPath, List<String> jvmOptions, Duration deadline) {
  private static final int LOG_LINES = 15;

  /** One in so many MB of direct memory is left to Java's own reads and writes of files. */
  private static final int PART_FOR_OTHERS = 8;

  /** The bounds of a JVM that sorts. */
  static List<String> bounds(String heap, int offHeapMegabytes) {
    return List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=" + offHeapMegabytes + "m");
  }

  /** The arguments of a program that sorts within such bounds. */
  static List<String> sortArguments(
      Path input, Path output, Path temporary, int offHeapMegabytes, List<String> runnerOptions) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--input=" + input,
                "--output=" + output,
                "--tempDirectory=" + temporary,
                "--offHeapMemoryMb=" + (offHeapMegabytes - offHeapMegabytes / PART_FOR_OTHERS),
                "--progress=off",
                "--summary"));
    arguments.addAll(runnerOptions);
    return arguments;
  }

  /** Where the output of a run goes. */
  Path log(String run) {
    return directory.resolve(run + ".log");
  }

  /**
   * Runs a program to its end, however that comes.
   *
   * @param run its name, for its log
   * @param bounds further options of the JVM
   */
  ProcessFigures run(String run, String program, List<String> bounds, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(bounds);
    options.addAll(jvmOptions);
    List<String> all = new ArrayList<>(List.of(program));
    all.addAll(arguments);
    return MeasuredProcess.run(
        new JavaProgram(Anemone.class.getName(), classPath, options, all).command(),
        directory,
        log(run),
        deadline);
  }

  /**
   * Checks that a run has come to a good end.
   *
   * @throws ExperimentFailure if it was killed or failed; the message says which, and why
   */
  void requireSuccess(String run, ProcessFigures figures) throws IOException {
    if (figures.exitCode().isEmpty()) {
      throw new ExperimentFailure(
          run
              + " was killed after "
              + deadline.toSeconds()
              + " s. Its log is "
              + log(run)
              + ". Give it more time with --deadline, or sort less.");
    }
    if (!figures.succeeded()) {
      throw new ExperimentFailure(
          run
              + " failed with exit code "
              + figures.exitCode().getAsInt()
              + ". The end of its log, "
              + log(run)
              + ":\n"
              + MeasuredProcess.lastMessages(log(run), LOG_LINES));
    }
  }
}
