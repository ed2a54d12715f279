// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.cli.Anemone;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** TeraSort. */
public final class SortedRecords implements Workload {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final int RECORD_BYTES = 100;

  private final FigureRun figures;
  private final Path directory;
  private final long records;

  private SortedRecords(FigureRun figures, Path directory, long records) {
    this.figures = figures;
    this.directory = directory;
    this.records = records;
  }

  /** Makes the records, in a directory. */
  public static SortedRecords make(FigureRun figures, Path directory, int megabytes)
      throws IOException, InterruptedException {
    SortedRecords made =
        new SortedRecords(
            figures, Files.createDirectories(directory), megabytes * 1_000_000L / RECORD_BYTES);
    FileTrees.delete(made.input());
    made.run("teragen", "--records=" + made.records, "--output=" + made.input());
    return made;
  }

  private Path input() {
    return directory.resolve("input");
  }

  private Path output() {
    return directory.resolve("sorted");
  }

  private void run(String program, String... arguments) throws IOException, InterruptedException {
    JavaProgram java =
        JavaProgram.of(
            Anemone.class,
            figures.evaluation().ownClassPath(),
            NemoJvm.options(),
            program,
            List.of(arguments));
    MeasuredProcess.run(java.command(), directory, directory.resolve(program + ".log"), DEADLINE)
        .requireSuccess(program);
  }

  @Override
  public String describe() {
    return String.format(Locale.ROOT, "TeraSort of %,d MB", inputBytes() / 1_000_000);
  }

  @Override
  public long inputBytes() {
    return records * RECORD_BYTES;
  }

  @Override
  public Class<?> program() {
    return Anemone.class;
  }

  @Override
  public List<String> arguments() {
    return List.of("terasort", "--input=" + input(), "--output=" + output());
  }

  @Override
  public void check(String side) throws IOException, InterruptedException {
    run("teravalidate", "--input=" + input(), "--output=" + output());
    FileTrees.delete(output());
  }

  @Override
  public void close() throws IOException {
    FileTrees.delete(input());
    FileTrees.delete(output());
  }
}
