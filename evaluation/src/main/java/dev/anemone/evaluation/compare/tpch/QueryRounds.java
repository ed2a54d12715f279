// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.data.Answer;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs queries on several runners in turn, query by query and round by round, each run in a fresh
 * JVM. All runs of a query must give the answer of its first one. A runner that has failed on a
 * query has no further runs of it.
 */
final class QueryRounds {
  private static final int LOG_LINES = 15;

  private final Path directory;
  private final List<String> dataArguments;
  private final List<String> jvmOptions;
  private final Duration deadline;

  /**
   * @param directory for logs and passing files; made if missing
   * @param dataArguments which data is queried
   * @param jvmOptions that every run gets
   * @param deadline of a run, after which it is killed
   */
  QueryRounds(
      Path directory, List<String> dataArguments, List<String> jvmOptions, Duration deadline) {
    this.directory = directory;
    this.dataArguments = List.copyOf(dataArguments);
    this.jvmOptions = List.copyOf(jvmOptions);
    this.deadline = deadline;
  }

  /**
   * Runs all.
   *
   * @param finished is told of every run as soon as its answer has been compared
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  List<TpchFigures.Run> run(
      List<TpchQuery> queries, List<Side> sides, int rounds, Consumer<TpchFigures.Run> finished)
      throws IOException, InterruptedException {
    List<TpchFigures.Run> runs = new ArrayList<>();
    for (TpchQuery query : queries) {
      Answer answer = null;
      Set<String> failed = new HashSet<>();
      for (int round = 1; round <= rounds; round++) {
        for (Side side : sides) {
          if (failed.contains(side.name())) {
            continue;
          }
          Path work = directory.resolve(query.label() + "-" + side.name() + "-" + round);
          try {
            TpchFigures.Run run = run(query, side, round, work, answer);
            if (run.succeeded() && answer == null) {
              answer = Answer.read(file(work, query));
            }
            if (!run.succeeded()) {
              failed.add(side.name());
            }
            runs.add(run);
            finished.accept(run);
          } finally {
            DirectoryTree.delete(work);
          }
        }
      }
    }
    return runs;
  }

  private TpchFigures.Run run(TpchQuery query, Side side, int round, Path work, Answer answer)
      throws IOException, InterruptedException {
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("tmp"));
    Path log = work.resolveSibling(work.getFileName() + ".log");
    List<String> options = new ArrayList<>(jvmOptions);
    options.addAll(side.jvmOptions());
    options.add("-Djava.io.tmpdir=" + work.resolve("tmp"));
    List<String> arguments = new ArrayList<>(side.arguments());
    arguments.addAll(dataArguments);
    arguments.add("--query=" + query.number());
    arguments.add("--output=" + work);
    double load = Machine.load();
    ProcessFigures figures =
        MeasuredProcess.run(
            new JavaProgram(Tpch.class.getName(), side.classPath(), options, arguments).command(),
            work,
            log,
            deadline);
    return new TpchFigures.Run(
        query.number(),
        side.name(),
        round,
        load,
        failure(figures, file(work, query), log, answer),
        figures.wall().toNanos() / 1e9,
        figures.userCpu().toNanos() / 1e9,
        figures.peakResidentBytes());
  }

  private String failure(ProcessFigures figures, Path file, Path log, Answer answer)
      throws IOException {
    if (figures.exitCode().isEmpty()) {
      return String.format(Locale.ROOT, "killed after %d s", deadline.toSeconds());
    }
    if (!figures.succeeded()) {
      return String.format(
          Locale.ROOT,
          "failed with exit code %d:%n%s",
          figures.exitCode().getAsInt(),
          MeasuredProcess.lastMessages(log, LOG_LINES));
    }
    Answer found = Answer.read(file);
    return answer == null || found.isSameAs(answer)
        ? ""
        : "another answer than the first run of the query: " + found.lines();
  }

  private static Path file(Path work, TpchQuery query) {
    return work.resolve(query.label() + ".csv");
  }
}
