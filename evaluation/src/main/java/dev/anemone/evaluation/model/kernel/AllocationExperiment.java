// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures what a shuffled record costs on the heap, for each path in JVMs of their own. */
final class AllocationExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final int MOST_BYTES_PER_BYTE = 4;

  private final AllocationPlan plan;
  private final PrintWriter out;
  private final Map<String, List<List<Long>>> measured = new LinkedHashMap<>();

  /**
   * @param out for the table
   */
  AllocationExperiment(AllocationPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
  }

  /**
   * Measures, prints the table, and writes the raw figures.
   *
   * @throws dev.anemone.evaluation.lab.ExperimentFailure if a shuffle fails, or brings other
   *     records than were written
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  AllocationFigures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.directory());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    for (int run = 0; run < plan.runs(); run++) {
      measure(ShufflePath.FILES, ShufflePath.FILES.label(), List.of());
      measure(ShufflePath.PUSH, ShufflePath.PUSH.label(), List.of());
      for (String transport : plan.transports()) {
        measurePool(transport);
      }
    }
    AllocationFigures figures =
        new AllocationFigures(
            started,
            Machine.current(),
            load,
            plan.few(),
            plan.many(),
            plan.partitions(),
            measured.entrySet().stream().map(AllocationExperiment::path).toList());
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private static AllocationFigures.PathFigures path(Map.Entry<String, List<List<Long>>> path) {
    return new AllocationFigures.PathFigures(
        path.getKey(),
        path.getValue().stream().map(run -> run.get(0)).toList(),
        path.getValue().stream().map(run -> run.get(1)).toList());
  }

  private void measurePool(String transport) throws IOException, InterruptedException {
    try (PoolServerProcess server =
        PoolServerProcess.start(
            transport,
            offHeapMegabytes(),
            PoolServerOptions.DEFAULT_PAGE_BYTES,
            plan.classPath(),
            plan.directory().resolve("pool-" + transport + ".log"))) {
      measure(
          ShufflePath.POOL,
          ShufflePath.POOL.label() + ", " + transport,
          List.of(transport, server.address().toString()));
    }
  }

  /** Memory that is enough for all paths. */
  private int offHeapMegabytes() {
    long bytes = plan.many() * KernelRecords.RECORD_BYTES * MOST_BYTES_PER_BYTE;
    return Math.toIntExact((bytes >> 20) + (long) MOST_BYTES_PER_BYTE * plan.memoryMegabytes());
  }

  private void measure(ShufflePath path, String label, List<String> more)
      throws IOException, InterruptedException {
    Path files = Files.createTempDirectory(plan.directory(), "files");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                path.name(),
                files.toString(),
                Long.toString(plan.few()),
                Long.toString(plan.many()),
                Integer.toString(plan.partitions()),
                Long.toString((long) plan.memoryMegabytes() << 20)));
    arguments.addAll(more);
    List<String> jvmOptions = new ArrayList<>(NemoJvm.options());
    jvmOptions.add("-Xmx512m");
    jvmOptions.add("-XX:MaxDirectMemorySize=" + (offHeapMegabytes() + 256) + "m");
    try (LineProcess process =
        LineProcess.start(
            new JavaProgram(
                    AllocationProgram.class.getName(), plan.classPath(), jvmOptions, arguments)
                .command(),
            Map.of(),
            plan.directory().resolve(path + ".log"))) {
      List<String> words =
          List.of(process.await(AllocationProgram.ALLOCATED, plan.deadline()).split(" ", -1));
      measured
          .computeIfAbsent(label, key -> new ArrayList<>())
          .add(words.stream().map(Long::valueOf).toList());
    } finally {
      DirectoryTree.delete(files);
    }
  }

  private void print(AllocationFigures figures, Path file) {
    MarkdownTable table =
        new MarkdownTable("path", "runs", "kB for few", "kB for many", "heap bytes / record more");
    for (AllocationFigures.PathFigures path : figures.paths()) {
      table.row(
          path.label(),
          Integer.toString(path.fewBytes().size()),
          kilobytes(path.fewBytes()),
          kilobytes(path.manyBytes()),
          String.format(Locale.ROOT, "%.3f", figures.bytesPerRecord(path)));
    }
    out.printf(
        Locale.ROOT,
        "Allocated on the heap by all threads of a shuffle of %,d and of %,d records of %d bytes,"
            + " %d partitions%n%s; load %.1f; started %s%n%n%s%nRaw figures: %s%n",
        figures.few(),
        figures.many(),
        KernelRecords.RECORD_BYTES,
        figures.partitions(),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started(),
        table,
        file);
    out.flush();
  }

  private static String kilobytes(List<Long> bytes) {
    return String.format(
        Locale.ROOT,
        "%,.0f",
        Summary.of(bytes.stream().mapToDouble(Long::doubleValue).toArray()).median() / 1e3);
  }
}
