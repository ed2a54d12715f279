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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** TeraSort. */
public final class SortedRecords implements Workload {
  private static final Duration DEADLINE = Duration.ofMinutes(10);
  private static final int RECORD_BYTES = 100;

  private final FigureRun figures;
  private final Path directory;
  private final long records;
  private final OptionalInt tasks;

  private SortedRecords(FigureRun figures, Path directory, long records, OptionalInt tasks) {
    this.figures = figures;
    this.directory = directory;
    this.records = records;
    this.tasks = tasks;
  }

  /** Makes the records, in a directory. */
  public static SortedRecords make(FigureRun figures, Path directory, int megabytes)
      throws IOException, InterruptedException {
    SortedRecords made =
        new SortedRecords(
            figures,
            Files.createDirectories(directory),
            megabytes * 1_000_000L / RECORD_BYTES,
            OptionalInt.empty());
    FileTrees.delete(made.input());
    made.run("teragen", "--records=" + made.records, "--output=" + made.input());
    return made;
  }

  /** The same records, which so many tasks sort. */
  public SortedRecords inTasks(int number) {
    return new SortedRecords(figures, directory, records, OptionalInt.of(number));
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
    String in = tasks.isPresent() ? " in " + tasks.getAsInt() + " tasks" : "";
    return String.format(Locale.ROOT, "TeraSort of %,d MB%s", inputBytes() / 1_000_000, in);
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
    List<String> arguments =
        new ArrayList<>(List.of("terasort", "--input=" + input(), "--output=" + output()));
    tasks.ifPresent(number -> arguments.add("--parallelism=" + number));
    return List.copyOf(arguments);
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
