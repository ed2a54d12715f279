// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-throughput}: rates of one-sided reads and writes. */
@Command(
    name = "pool-throughput",
    sortOptions = false,
    description =
        "Reads and writes memory of another process over every transport that works here, beside"
            + " plain NIO and ucx_perftest. Prints rates by size and number of threads.%n")
public final class PoolThroughput extends ExperimentCommand {
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=512m",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");

  @Option(
      names = "--sizes-kb",
      split = ",",
      defaultValue = "4,16,64,256,1024",
      paramLabel = "KB,...",
      description = "Sizes of an operation, up to 1024 (default: ${DEFAULT-VALUE}).")
  private List<Integer> kilobytes;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2,4,8,16,32",
      paramLabel = "N,...",
      description = "Threads of the client, up to 64 (default: ${DEFAULT-VALUE}).")
  private List<Integer> threads;

  @Option(
      names = "--window",
      defaultValue = "16",
      paramLabel = "N",
      description = "Operations that a thread has under way (default: ${DEFAULT-VALUE}).")
  private int window;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "Rounds; every side has its turn in each (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--ms",
      defaultValue = "400",
      paramLabel = "MS",
      description = "How long each figure is measured for (default: ${DEFAULT-VALUE}).")
  private long millis;

  @Option(
      names = "--pmem",
      defaultValue = "/dev/shm",
      paramLabel = "DIRECTORY",
      description =
          "Where the persistent memory lies, best on a DAX file system (default:"
              + " ${DEFAULT-VALUE}).")
  private Path pmem;

  @Option(
      names = "--ucx-perftest",
      paramLabel = "FILE",
      description = "UCX's own program (default: ucx_perftest of the PATH, if it is there).")
  private Path perftest;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    check();
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    ThroughputPlan plan =
        new ThroughputPlan(
            evaluation.results("pool-throughput"),
            evaluation.ownClassPath(),
            JVM_OPTIONS,
            pmem.toAbsolutePath(),
            kilobytes.stream().map(size -> size << 10).toList(),
            threads,
            window,
            runs,
            millis,
            Optional.ofNullable(perftest).or(UcxPerftest::found));
    new ThroughputExperiment(plan, out()).run();
    return true;
  }

  private void check() {
    for (int size : kilobytes) {
      require(
          "--sizes-kb",
          size,
          size >= 1 && size <= TargetProgram.SLOT_BYTES >> 10,
          "an operation has from 1 to 1024 KB");
    }
    for (int count : threads) {
      require("--threads", count, count >= 1 && count <= 64, "give from 1 to 64");
    }
    require("--window", window, window >= 1, "an operation must be under way");
    require("--runs", runs, runs >= 1, "there must be a round");
    require("--ms", millis, millis >= 1, "that is no time");
    require("--pmem", pmem, Files.isDirectory(pmem), "that is no directory");
    require(
        "--ucx-perftest",
        perftest,
        perftest == null || Files.isExecutable(perftest),
        "that is no program");
  }
}
