// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.cli.Anemone;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs programs of the command line in fresh JVMs; deletes the records when it is closed. */
record TeraSortPrograms(
    Path directory,
    String classPath,
    List<String> jvmOptions,
    List<String> runnerOptions,
    Duration deadline)
    implements AutoCloseable {
  static final int RECORD_BYTES = 100;

  /** One in so many MB of direct memory is left to Java's own reads and writes of files. */
  private static final int PART_FOR_OTHERS = 8;

  static List<String> bounds(String heap, int offHeapMegabytes) {
    return List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=" + offHeapMegabytes + "m");
  }

  private Path input() {
    return directory.resolve("input");
  }

  private Path output() {
    return directory.resolve("sorted");
  }

  private Path temporary() {
    return directory.resolve("tmp");
  }

  ProcessFigures generate(long records) throws IOException, InterruptedException {
    close();
    return run(
            "teragen", "teragen", List.of(), List.of("--records=" + records, "--output=" + input()))
        .requireSuccess("teragen");
  }

  /** Sorts them, in place of what was sorted before, with further options of the JVM. */
  ProcessFigures sort(
      String run, List<String> bounds, int offHeapMegabytes, List<String> moreOptions)
      throws IOException, InterruptedException {
    FileTrees.delete(output());
    FileTrees.delete(temporary());
    Files.createDirectories(temporary());
    List<String> arguments =
        Arguments.of(
            "--input=" + input(),
            "--output=" + output(),
            "--tempDirectory=" + temporary(),
            "--offHeapMemoryMb=" + (offHeapMegabytes - offHeapMegabytes / PART_FOR_OTHERS),
            List.of("--progress=off", "--summary"),
            moreOptions,
            runnerOptions);
    return run(run, "terasort", bounds, arguments);
  }

  ProcessFigures validate() throws IOException, InterruptedException {
    return run(
            "teravalidate",
            "teravalidate",
            List.of(),
            List.of("--input=" + input(), "--output=" + output()))
        .requireSuccess("teravalidate");
  }

  private ProcessFigures run(
      String run, String program, List<String> bounds, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> options = Arguments.of(bounds, jvmOptions);
    return MeasuredProcess.run(
        JavaProgram.of(Anemone.class, classPath, options, program, arguments).command(),
        directory,
        directory.resolve(run + ".log"),
        deadline);
  }

  @Override
  public void close() throws IOException {
    for (Path made : List.of(input(), output(), temporary())) {
      FileTrees.delete(made);
    }
  }
}
