// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.portable;

import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A server that is compared, and how programs are run on it.
 *
 * @param options of pipelines for this server alone
 * @param home where its files and logs lie
 */
record PortableSide(String name, ListeningProcess server, List<String> options, Path home)
    implements AutoCloseable {

  /** What a program has to do, and what is wrong with what it did. */
  interface Task {
    /** The program's arguments; its result goes below a directory. */
    List<String> arguments(Path work);

    /** What is wrong with the result in a directory; empty when it is right. */
    Optional<String> problem(Path work) throws IOException;
  }

  /** Runs a program of Python once, from before its start to after its end. */
  MeasuredRun run(Path python, Path program, Task task, int round, Duration deadline)
      throws IOException, InterruptedException {
    Path work = home.resolve("round-" + round);
    FileTrees.delete(work);
    Files.createDirectories(work);
    try {
      double load = Machine.load();
      List<String> command = new ArrayList<>(List.of(python.toString(), program.toString()));
      command.addAll(task.arguments(work));
      command.addAll(options);
      command.addAll(List.of("--runner=PortableRunner", "--job_endpoint=" + server.endpoint()));
      ProcessFigures figures =
          MeasuredProcess.run(command, work, home.resolve("program-" + round + ".log"), deadline);
      Optional<String> problem = figures.problem();
      if (problem.isEmpty()) {
        problem = task.problem(work);
      }
      return new MeasuredRun(
          name, round, load, problem.orElse(MeasuredRun.CORRECT), figures.cost());
    } finally {
      FileTrees.delete(work);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    server.close();
  }
}
