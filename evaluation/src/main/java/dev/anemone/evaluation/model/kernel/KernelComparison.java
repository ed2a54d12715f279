// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures both kernels with JMH, without and with compression, each in a fresh JVM. */
final class KernelComparison {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Path directory;
  private final List<String> jvmOptions;
  private final PrintWriter out;

  /**
   * @param directory for the figures, and for the files of the shuffles; made if missing
   * @param jvmOptions of the JVMs that shuffle
   * @param out for the table
   */
  KernelComparison(Path directory, List<String> jvmOptions, PrintWriter out) {
    this.directory = directory;
    this.jvmOptions = List.copyOf(jvmOptions);
    this.out = out;
  }

  /**
   * Measures, prints the table, and writes the raw figures. JMH's own log goes to a file.
   *
   * @param shuffles that are measured of each kernel, after one that is not
   * @throws ExperimentFailure if a kernel fails, or gives back other records than it got
   * @throws IOException if a file cannot be written
   */
  KernelFigures run(long bytes, int partitions, long memoryBytes, int shuffles) throws IOException {
    Files.createDirectories(directory);
    long records = Math.max(1, bytes / KernelRecords.RECORD_BYTES);
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    Path log = directory.resolve("jmh.log");
    Collection<RunResult> results =
        measure(options(records, partitions, memoryBytes, shuffles, log), log);
    KernelFigures figures =
        new KernelFigures(
            started,
            Machine.current(),
            load,
            records * KernelRecords.RECORD_BYTES,
            records,
            partitions,
            memoryBytes,
            jvmOptions,
            results.stream().map(KernelComparison::kernel).toList());
    Path file = directory.resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private Options options(long records, int partitions, long memoryBytes, int shuffles, Path log) {
    return new OptionsBuilder()
        .include(KernelBenchmark.class.getName().replace(".", "\\."))
        .forks(1)
        .warmupIterations(1)
        .measurementIterations(shuffles)
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.NORMAL)
        .output(log.toString())
        .jvmArgs(jvmOptions.toArray(new String[0]))
        .param("records", Long.toString(records))
        .param("partitions", Integer.toString(partitions))
        .param("memoryBytes", Long.toString(memoryBytes))
        .param("directory", directory.toString())
        .build();
  }

  private static Collection<RunResult> measure(Options options, Path log) {
    try {
      return new Runner(options).run();
    } catch (RunnerException failed) {
      throw new ExperimentFailure(
          "A kernel failed: " + failed.getMessage() + " The log of JMH is " + log + ".", failed);
    }
  }

  private static KernelFigures.Kernel kernel(RunResult result) {
    List<Double> seconds =
        result.getBenchmarkResults().stream()
            .map(BenchmarkResult::getIterationResults)
            .flatMap(Collection::stream)
            .map(IterationResult::getPrimaryResult)
            .map(primary -> primary.getScore() / 1e3)
            .toList();
    return new KernelFigures.Kernel(
        KernelName.valueOf(result.getParams().getParam("kernel")),
        Boolean.parseBoolean(result.getParams().getParam("compressed")),
        seconds,
        result.getSecondaryResults().get(ALLOCATED).getScore());
  }

  private void print(KernelFigures figures, Path file) {
    MarkdownTable table =
        new MarkdownTable(
            "kernel",
            "compression",
            "runs",
            "median s",
            "min s",
            "max s",
            "MB/s",
            "bytes allocated / record",
            "times as fast as Tez");
    for (KernelFigures.Kernel kernel : figures.kernels()) {
      Summary time = kernel.time();
      table.row(
          kernel.kernel().label(),
          kernel.compressed() ? "LZ4" : "none",
          Integer.toString(kernel.seconds().size()),
          format("%.2f", time.median()),
          format("%.2f", time.min()),
          format("%.2f", time.max()),
          format("%.0f", figures.bytes() / 1e6 / time.median()),
          format("%.2f", kernel.allocatedBytes() / figures.records()),
          format("%.2f", figures.tezSeconds(kernel.compressed()) / time.median()));
    }
    out.printf(
        Locale.ROOT,
        "Sort, spill and merge of %,d bytes, %,d records, %,d partitions, %,d bytes of memory; %s%n"
            + "%s; load %.1f; started %s%n%n%s%nRaw figures: %s%n",
        figures.bytes(),
        figures.records(),
        figures.partitions(),
        figures.memoryBytes(),
        String.join(" ", figures.jvmOptions()),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started(),
        table,
        file);
    out.flush();
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
