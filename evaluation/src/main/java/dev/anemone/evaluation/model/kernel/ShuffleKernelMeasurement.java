// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.Megabytes;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.model.kernel.KernelBenchmark.KernelName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run shuffle-kernel}: sort, spill and merge beside those of Tez, by JMH. */
@Command(name = "shuffle-kernel")
public final class ShuffleKernelMeasurement extends ExperimentCommand {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final int LEAST_MEMORY_MB = 16;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "What is shuffled: bytes, or such as 10k, 200m, 1g.")
  private ByteSize bytes = ByteSize.of("1g");

  @Option(names = "--partitions", description = "Partitions.")
  private int partitions = 100;

  @Option(
      names = "--memory",
      defaultValue = "256m",
      converter = Megabytes.class,
      paramLabel = "SIZE",
      description =
          "Memory of the writer, and after it of each reader: off the heap for Anemone, on it for"
              + " Tez.")
  private int memoryMegabytes;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "Largest heap of every JVM, as -Xmx takes it.")
  private String heap = "1g";

  @Mixin private Runs runs = new Runs(3);

  /**
   * @param memoryBytes of the writer, and after it of each reader
   * @param kernels one for each kernel and kind of compression
   */
  record Figures(
      long bytes,
      long records,
      int partitions,
      long memoryBytes,
      List<String> jvmOptions,
      List<Kernel> kernels) {
    /** The median time of Tez, in seconds. */
    double tezSeconds(boolean compressed) {
      return kernels.stream()
          .filter(kernel -> kernel.kernel() == KernelName.TEZ && kernel.compressed() == compressed)
          .mapToDouble(kernel -> Summary.of(kernel.seconds()).median())
          .findFirst()
          .orElseThrow();
    }
  }

  /**
   * @param compressed whether it compressed, with LZ4
   * @param allocatedBytes heap that was allocated for a shuffle, on average
   */
  record Kernel(
      KernelName kernel, boolean compressed, List<Double> seconds, double allocatedBytes) {}

  @Override
  protected void check() {
    require("--partitions", partitions, partitions >= 1, "there must be a partition");
    require(
        "--memory",
        memoryMegabytes + "m",
        memoryMegabytes >= LEAST_MEMORY_MB,
        "the kernels need at least " + LEAST_MEMORY_MB + " MB");
  }

  private long memoryBytes() {
    return (long) memoryMegabytes << 20;
  }

  @Override
  protected boolean measure() throws IOException {
    long records = Math.max(1, bytes.bytes() / KernelRecords.RECORD_BYTES);
    List<String> jvmOptions = NemoJvm.options(heap);
    Path log = directory().resolve("jmh.log");
    Collection<RunResult> results = measure(options(records, jvmOptions, log), log);
    Figures figures =
        new Figures(
            records * KernelRecords.RECORD_BYTES,
            records,
            partitions,
            memoryBytes(),
            jvmOptions,
            results.stream().map(ShuffleKernelMeasurement::kernel).toList());
    publish(
        figures,
        text(
            "Sort, spill and merge of %,d bytes, %,d records, %,d partitions, %,d bytes of memory;"
                + " %s",
            figures.bytes(), records, partitions, memoryBytes(), String.join(" ", jvmOptions)),
        table(figures));
    return true;
  }

  private Options options(long records, List<String> jvmOptions, Path log) {
    return new OptionsBuilder()
        .include(KernelBenchmark.class.getName().replace(".", "\\."))
        .forks(1)
        .warmupIterations(1)
        .measurementIterations(runs.count())
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.NORMAL)
        .output(log.toString())
        .jvmArgs(jvmOptions.toArray(new String[0]))
        .param("records", Long.toString(records))
        .param("partitions", Integer.toString(partitions))
        .param("memoryBytes", Long.toString(memoryBytes()))
        .param("directory", directory().toString())
        .build();
  }

  private static Collection<RunResult> measure(Options options, Path log) {
    try {
      return new Runner(options).run();
    } catch (RunnerException failed) {
      throw new ExperimentFailure(
          failed, "A kernel failed: %s The log of JMH is %s.", failed.getMessage(), log);
    }
  }

  private static Kernel kernel(RunResult result) {
    List<Double> seconds =
        result.getBenchmarkResults().stream()
            .map(BenchmarkResult::getIterationResults)
            .flatMap(Collection::stream)
            .map(IterationResult::getPrimaryResult)
            .map(primary -> primary.getScore() / 1e3)
            .toList();
    return new Kernel(
        KernelName.valueOf(result.getParams().getParam("kernel")),
        Boolean.parseBoolean(result.getParams().getParam("compressed")),
        seconds,
        result.getSecondaryResults().get(ALLOCATED).getScore());
  }

  private static MarkdownTable table(Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "kernel; compression; runs; median s|%.2f; min s|%.2f; max s|%.2f; MB/s|%.0f; "
                + "bytes allocated / record|%.2f; times as fast as Tez|%.2f");
    for (Kernel kernel : figures.kernels()) {
      Summary time = Summary.of(kernel.seconds());
      table.row(
          kernel.kernel().label(),
          kernel.compressed() ? "LZ4" : "none",
          kernel.seconds().size(),
          time,
          figures.bytes() / 1e6 / time.median(),
          kernel.allocatedBytes() / figures.records(),
          figures.tezSeconds(kernel.compressed()) / time.median());
    }
    return table;
  }
}
