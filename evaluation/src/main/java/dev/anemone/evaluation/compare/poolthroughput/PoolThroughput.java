// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.compare.poolthroughput.ThroughputFigures.Cell;
import dev.anemone.evaluation.compare.poolthroughput.ThroughputFigures.ThroughputTables;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.remote.LoadProgram.Direction;
import dev.anemone.evaluation.lab.remote.LoadProgram.Load;
import dev.anemone.evaluation.lab.remote.PeerPair;
import dev.anemone.evaluation.lab.remote.PeerPair.ThroughputSide;
import dev.anemone.evaluation.lab.remote.TargetProgram;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.knowm.xchart.XYChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-throughput}: one-sided reads and writes; all sides take turns. */
@Command(name = "pool-throughput")
public final class PoolThroughput extends ExperimentCommand {
  private static final int WARM_UPS = 4;
  private static final long WARM_UP_MILLIS = 500;
  private static final int WARM_UP_BYTES = 64 << 10;

  @Option(
      names = "--sizes-kb",
      split = ",",
      defaultValue = "4,16,64,256,1024",
      paramLabel = "KB,...",
      description = "Sizes of an operation, up to 1024.")
  private List<Integer> kilobytes;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,2,4,8,16,32",
      paramLabel = "N,...",
      description = "Threads of the client, up to 64.")
  private List<Integer> threads;

  @Option(names = "--window", description = "Operations that a thread has under way.")
  private int window = 16;

  @Option(names = "--ms", paramLabel = "MS", description = "How long each figure is measured for.")
  private long millis = 400;

  @Option(
      names = "--pmem",
      paramLabel = "DIRECTORY",
      description = "Where the persistent memory lies, best on a DAX file system.")
  private Path pmem = Path.of("/dev/shm");

  @Option(
      names = "--ucx-perftest",
      paramLabel = "FILE",
      description = "UCX's own program (default: ucx_perftest of the PATH, if it is there).")
  private Path perftest;

  @Mixin private Runs runs = new Runs(3);

  private final Map<ThroughputSide, PeerPair> pairs = new LinkedHashMap<>();
  private final List<String> notMeasured = new ArrayList<>();
  private final Map<Object, Cell> cells = new LinkedHashMap<>();
  private String persistentMemory = "not measured";

  @Override
  protected void check() {
    int most = TargetProgram.SLOT_BYTES >> 10;
    requireRange("--sizes-kb", kilobytes, 1, most, "an operation has from 1 to 1024 KB");
    requireRange("--threads", threads, 1, 64, "give from 1 to 64");
    require("--window", window, window >= 1, "an operation must be under way");
    require("--ms", millis, millis >= 1, "that is no time");
    require("--pmem", pmem, Files.isDirectory(pmem), "that is no directory");
    require(
        "--ucx-perftest",
        perftest,
        perftest == null || Files.isExecutable(perftest),
        "that is no program");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    Optional<UcxPerftest> ucx =
        Optional.ofNullable(perftest)
            .or(UcxPerftest::found)
            .map(program -> new UcxPerftest(program, directory().resolve("perftest.log")));
    if (ucx.isEmpty()) {
      notMeasured.add("ucx_perftest: not on the PATH");
    }
    List<Integer> sizes = kilobytes.stream().map(size -> size << 10).toList();
    try {
      startPairs();
      for (int round = 0; round < runs.count(); round++) {
        for (Direction direction : Direction.values()) {
          for (int bytes : sizes) {
            measure(direction, bytes, ucx);
          }
        }
        progress("round %d of %d", round + 1, runs.count());
      }
    } finally {
      pairs.values().forEach(PeerPair::close);
    }
    ThroughputFigures figures =
        new ThroughputFigures(persistentMemory, window, notMeasured, List.copyOf(cells.values()));
    for (Direction direction : Direction.values()) {
      draw(figures, direction);
    }
    ThroughputTables tables = new ThroughputTables(figures, sizes, threads);
    publish(
        figures,
        text(
            "Memory of another process, medians of %d runs of %d ms, %d operations under way a"
                + " thread; PMEM: %s",
            runs.count(), millis, window, persistentMemory),
        notMeasured(notMeasured),
        tables.of(Direction.READ),
        tables.of(Direction.WRITE),
        ucx.isPresent() ? tables.besidePerftest() : "",
        "Charts: " + directory());
    return true;
  }

  private void startPairs() throws IOException, InterruptedException {
    for (ThroughputSide side : ThroughputSide.all(pmem.toAbsolutePath().toString())) {
      if (works(side)) {
        PeerPair pair =
            PeerPair.start(
                side,
                new PeerPair.Start(evaluation().ownClassPath(), directory()),
                Collections.max(threads),
                window);
        pairs.put(side, pair);
        if (!side.memory().equals(TargetProgram.DRAM)) {
          persistentMemory =
              text(
                  "%s mapping of a file on %s (%s)",
                  pair.mapping(), Files.getFileStore(pmem).type(), pmem);
        }
        warmUp(pair);
      }
    }
  }

  /** Both ways in turn, so that what is compiled for one is compiled for the other, too. */
  private static void warmUp(PeerPair pair) throws IOException, InterruptedException {
    for (int time = 0; time < WARM_UPS; time++) {
      for (Direction direction : Direction.values()) {
        double unused = pair.measure(new Load(direction, WARM_UP_BYTES, 1, WARM_UP_MILLIS));
        assert unused > 0;
      }
    }
  }

  private boolean works(ThroughputSide side) {
    if (side.transport().equals(TargetProgram.NIO)) {
      return true;
    }
    try (Transport transport = Transports.found().open(side.transport())) {
      return true;
    } catch (TransportUnavailableException e) {
      notMeasured.add(side.name() + ": " + e.getMessage());
      return false;
    }
  }

  private void measure(Direction direction, int bytes, Optional<UcxPerftest> ucx)
      throws IOException, InterruptedException {
    if (ucx.isPresent()) {
      for (Map.Entry<String, String> way : ThroughputSide.UCX_WAYS.entrySet()) {
        OptionalDouble rate = ucx.get().measure(direction, bytes, way.getValue(), millis);
        if (rate.isPresent()) {
          add(ThroughputTables.PERFTEST + way.getKey(), direction, bytes, 1, rate.getAsDouble());
        }
      }
    }
    for (int count : threads) {
      for (Map.Entry<ThroughputSide, PeerPair> pair : pairs.entrySet()) {
        double rate = pair.getValue().measure(new Load(direction, bytes, count, millis));
        add(pair.getKey().name(), direction, bytes, count, rate);
      }
    }
  }

  private void add(String side, Direction direction, int bytes, int count, double rate) {
    cells
        .computeIfAbsent(
            List.of(side, direction, bytes, count),
            key -> new Cell(side, direction, bytes, count, new ArrayList<>()))
        .bytesPerSecond()
        .add(rate);
  }

  private void draw(ThroughputFigures figures, Direction direction) throws IOException {
    XYChart chart =
        Charts.logarithmicCurves(
            direction + " of another process's memory",
            "bytes of an operation",
            "MB/s, the best number of threads");
    for (String side : figures.sides()) {
      List<Integer> sizes =
          figures.cells().stream()
              .filter(cell -> cell.side().equals(side) && cell.direction() == direction)
              .map(Cell::bytes)
              .distinct()
              .sorted()
              .toList();
      if (!sizes.isEmpty()) {
        Charts.add(
            chart,
            side,
            sizes,
            Integer::doubleValue,
            bytes -> figures.best(side, direction, bytes).orElseThrow() / 1e6);
      }
    }
    Charts.save(chart, directory().resolve(direction.name().toLowerCase(Locale.ROOT) + ".png"));
  }
}
