// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.model.kernel.AllocationProgram.ShufflePath;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run shuffle-allocation}: what a shuffled record costs on the heap. */
@Command(name = "shuffle-allocation")
public final class ShuffleAllocation extends ExperimentCommand {
  private static final int MOST_BYTES_PER_BYTE = 4;
  private static final int MEMORY_MEGABYTES = 64;
  private static final Duration DEADLINE = Duration.ofMinutes(15);

  @Option(names = "--records", description = "The many; the few are a quarter of them.")
  private long records = 2_000_000;

  @Option(names = "--partitions", description = "Partitions.")
  private int partitions = 20;

  @Option(
      names = "--transports",
      split = ",",
      defaultValue = "tcp",
      paramLabel = "NAME,...",
      description = "How the pool is reached: tcp, ucx.")
  private List<String> transports;

  @Mixin private Runs runs = new Runs(3);

  private final Map<String, PathFigures> measured = new LinkedHashMap<>();

  record Figures(long few, long many, int partitions, List<PathFigures> paths) {
    /** Heap bytes for each record more, median of the runs. */
    double bytesPerRecord(PathFigures path) {
      double[] perRecord = new double[path.fewBytes().size()];
      for (int run = 0; run < perRecord.length; run++) {
        perRecord[run] =
            (path.manyBytes().get(run) - path.fewBytes().get(run)) / (double) (many - few);
      }
      return Summary.of(perRecord).median();
    }
  }

  /** A path, and what all threads of a JVM allocated in each run for few and for many records. */
  record PathFigures(String label, List<Long> fewBytes, List<Long> manyBytes) {}

  @Override
  protected void check() {
    require("--records", records, records >= 4, "there must be at least 4");
    require("--partitions", partitions, partitions >= 1, "there must be a partition");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    for (int run = 0; run < runs.count(); run++) {
      measure(ShufflePath.FILES, ShufflePath.FILES.label(), List.of());
      measure(ShufflePath.PUSH, ShufflePath.PUSH.label(), List.of());
      for (String transport : transports) {
        measurePool(transport);
      }
    }
    Figures figures = new Figures(records / 4, records, partitions, List.copyOf(measured.values()));
    MarkdownTable table =
        new MarkdownTable(
            "path; runs; kB for few|%,.0f; kB for many|%,.0f; " + "heap bytes / record more|%.3f");
    for (PathFigures path : figures.paths()) {
      table.row(
          path.label(),
          path.fewBytes().size(),
          Summary.of(path.fewBytes()).median() / 1e3,
          Summary.of(path.manyBytes()).median() / 1e3,
          figures.bytesPerRecord(path));
    }
    publish(
        figures,
        text(
            "Allocated on the heap by all threads of a shuffle of %,d and of %,d records of %d"
                + " bytes, %d partitions",
            figures.few(), figures.many(), KernelRecords.RECORD_BYTES, partitions),
        table);
    return true;
  }

  private void measurePool(String transport) throws IOException, InterruptedException {
    try (PoolServerProcess server =
        PoolServerProcess.start(
            transport,
            offHeapMegabytes(),
            PoolServerOptions.DEFAULT_PAGE_BYTES,
            evaluation().ownClassPath(),
            directory().resolve("pool-" + transport + ".log"))) {
      measure(
          ShufflePath.POOL,
          ShufflePath.POOL.label() + ", " + transport,
          List.of(transport, server.address()));
    }
  }

  /** Memory that is enough for all paths. */
  private int offHeapMegabytes() {
    long bytes = records * KernelRecords.RECORD_BYTES * MOST_BYTES_PER_BYTE;
    return Math.toIntExact((bytes >> 20) + (long) MOST_BYTES_PER_BYTE * MEMORY_MEGABYTES);
  }

  private void measure(ShufflePath path, String label, List<Object> more)
      throws IOException, InterruptedException {
    Path files = Files.createTempDirectory(directory(), "files");
    JavaProgram program =
        JavaProgram.of(
                AllocationProgram.class,
                evaluation().ownClassPath(),
                NemoJvm.options("512m"),
                List.of(path, files, records / 4, records, partitions, MEMORY_MEGABYTES << 20),
                more)
            .withJvmOptions("-XX:MaxDirectMemorySize=" + (offHeapMegabytes() + 256) + "m");
    try (LineProcess process = LineProcess.start(program, directory().resolve(path + ".log"))) {
      List<String> words = process.await(AllocationProgram.ALLOCATED, DEADLINE);
      PathFigures figures =
          measured.computeIfAbsent(
              label, key -> new PathFigures(label, new ArrayList<>(), new ArrayList<>()));
      figures.fewBytes().add(Long.valueOf(words.get(0)));
      figures.manyBytes().add(Long.valueOf(words.get(1)));
    } finally {
      FileTrees.delete(files);
    }
  }
}
