// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.compare.terasort.PoolTeraSort.SweepFigures.MemoryPoint;
import dev.anemone.evaluation.compare.terasort.PoolTeraSort.SweepFigures.Outcome;
import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code evaluation/run pool-terasort}: after Figure 7 of the DMO paper. */
@Command(name = "pool-terasort")
public final class PoolTeraSort extends ExperimentCommand {
  static final String FILES = "local files";
  static final String POOL = "pool";

  /** Of the pool, for each byte that is sorted: it is shuffled, and may be spilled twice. */
  private static final int POOL_BYTES_PER_BYTE = 4;

  private static final int LEAST_POOL_MEGABYTES = 256;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "What is sorted: bytes, or such as 10k, 200m, 1g.")
  private ByteSize bytes = ByteSize.of("1g");

  @Option(
      names = "--memory",
      split = ",",
      defaultValue = "512:512,256:256,192:128,128:96,128:64,96:64,96:48,80:32,64:32",
      converter = PointConverter.class,
      paramLabel = "HEAP:DIRECT,...",
      description = "Memory of the sorting JVM in MB, in place of --heap.")
  private List<MemoryPoint> points;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "How the pool is reached: tcp or ucx.")
  private String transport = "tcp";

  @Mixin private Runs runs = new Runs(1);
  @Mixin private ProgramOptions programs = new ProgramOptions("1g", 900);

  private final List<SweepFigures.Sort> sorts = new ArrayList<>();

  @Override
  protected void check() {
    require(
        "--bytes",
        bytes,
        bytes.bytes() >= TeraSortPrograms.RECORD_BYTES,
        "a record alone has " + TeraSortPrograms.RECORD_BYTES + " bytes");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    long records = bytes.bytes() / TeraSortPrograms.RECORD_BYTES;
    try (TeraSortPrograms terasort =
        new TeraSortPrograms(
            directory(),
            // The server of the pool is a program of this module.
            evaluation().ownClassPath(),
            NemoJvm.options(),
            programs.nemoOptions(),
            programs.deadline())) {
      ProcessFigures generated = terasort.generate(records);
      progress("%,d records made in %.1f s", records, generated.cost().wallSeconds());
      for (int run = 0; run < runs.count(); run++) {
        for (MemoryPoint point : points) {
          sort(terasort, FILES, point, List.of());
          sortInPool(terasort, point);
        }
      }
    }
    SweepFigures figures =
        new SweepFigures(records * TeraSortPrograms.RECORD_BYTES, transport, sorts);
    publish(
        figures,
        text(
            "TeraSort, %,d bytes, medians of %d runs; pool of %d MB over %s",
            figures.bytes(), runs.count(), poolMegabytes(), transport),
        table(figures));
    return true;
  }

  private int poolMegabytes() {
    return Math.toIntExact(LEAST_POOL_MEGABYTES + POOL_BYTES_PER_BYTE * (bytes.bytes() >> 20));
  }

  /** A pool for each sort, so that none finds what another has left. */
  private void sortInPool(TeraSortPrograms terasort, MemoryPoint point)
      throws IOException, InterruptedException {
    try (PoolServerProcess server =
        PoolServerProcess.start(
            transport,
            poolMegabytes(),
            PoolServerProcess.SMALL_CHUNK_BYTES,
            evaluation().ownClassPath(),
            directory().resolve("server.log"))) {
      sort(terasort, POOL, point, server.runnerOptions());
    }
  }

  private void sort(TeraSortPrograms terasort, String side, MemoryPoint point, List<String> options)
      throws IOException, InterruptedException {
    ProcessFigures sorted =
        terasort.sort(
            side.replace(' ', '-') + "-" + point.toString().replace(':', '-'),
            TeraSortPrograms.bounds(point.heapMegabytes() + "m", point.offHeapMegabytes()),
            point.offHeapMegabytes(),
            options);
    Outcome outcome = Outcome.KILLED;
    if (sorted.succeeded()) {
      ProcessFigures validated = terasort.validate();
      assert validated.succeeded();
      outcome = Outcome.SORTED;
    } else if (sorted.exitCode().isPresent()) {
      outcome = Outcome.FAILED;
    }
    sorts.add(new SweepFigures.Sort(side, point, outcome, sorted.cost()));
    progress("%s, %s: %s after %.1f s", point, side, outcome, sorted.cost().wallSeconds());
  }

  private MarkdownTable table(SweepFigures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "heap:direct MB; " + FILES + " s|%.1f; " + POOL + " s|%.1f; pool / files|%.2f");
    for (MemoryPoint point : points) {
      OptionalDouble files = figures.seconds(FILES, point);
      OptionalDouble pool = figures.seconds(POOL, point);
      table.row(
          point.toString(),
          files.isPresent() ? files : "did not finish",
          pool.isPresent() ? pool : "did not finish",
          files.isPresent() && pool.isPresent()
              ? OptionalDouble.of(pool.getAsDouble() / files.getAsDouble())
              : OptionalDouble.empty());
    }
    table.row("least MB", least(figures, FILES), least(figures, POOL), "");
    return table;
  }

  private static String least(SweepFigures figures, String side) {
    return figures.leastMegabytes(side).isEmpty()
        ? "-"
        : Integer.toString(figures.leastMegabytes(side).getAsInt());
  }

  static final class PointConverter implements ITypeConverter<MemoryPoint> {
    private static final Pattern POINT = Pattern.compile("([1-9]\\d{0,5}):([1-9]\\d{0,5})");

    @Override
    public MemoryPoint convert(String text) {
      Matcher numbers = POINT.matcher(text);
      if (!numbers.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is no memory. Give MB of heap and direct memory, such as 128:64.");
      }
      return new MemoryPoint(
          Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
    }
  }

  /** The raw figures of sorts with less and less memory, in the order in which they ran. */
  record SweepFigures(long bytes, String transport, List<Sort> sorts) {
    /** Memory of an executor. */
    record MemoryPoint(int heapMegabytes, int offHeapMegabytes) {
      int megabytes() {
        return heapMegabytes + offHeapMegabytes;
      }

      @Override
      public String toString() {
        return heapMegabytes + ":" + offHeapMegabytes;
      }
    }

    record Sort(String side, MemoryPoint point, Outcome outcome, ProcessCost cost) {}

    enum Outcome {
      SORTED,
      FAILED,
      KILLED
    }

    /** Median seconds at a point; empty when a sort of the side did not finish there. */
    OptionalDouble seconds(String side, MemoryPoint point) {
      List<Sort> there =
          sorts.stream()
              .filter(sort -> sort.side.equals(side) && sort.point.equals(point))
              .toList();
      if (there.isEmpty() || there.stream().anyMatch(sort -> sort.outcome != Outcome.SORTED)) {
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(Summary.of(there, sort -> sort.cost.wallSeconds()).median());
    }

    /** The least MB, heap and direct memory, with which every sort of a side finished. */
    OptionalInt leastMegabytes(String side) {
      return sorts.stream()
          .map(Sort::point)
          .distinct()
          .filter(point -> seconds(side, point).isPresent())
          .mapToInt(MemoryPoint::megabytes)
          .min();
    }
  }
}
