// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.transport.Transports;
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
import java.util.OptionalDouble;

/** Measures all sides, for each figure one after the other, so that all have the same machine. */
final class ThroughputExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final long WARM_UP_MILLIS = 500;
  private static final int WARM_UP_BYTES = 64 << 10;

  private final ThroughputPlan plan;
  private final PrintWriter out;
  private final Map<ThroughputSide, PeerPair> pairs = new LinkedHashMap<>();
  private final List<String> notMeasured = new ArrayList<>();
  private final Map<Key, List<Double>> rates = new LinkedHashMap<>();
  private String persistentMemory = "not measured";

  private record Key(String side, Direction direction, int bytes, int threads) {}

  /**
   * @param out for the tables
   */
  ThroughputExperiment(ThroughputPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
  }

  /**
   * Measures, prints the tables, and writes the raw figures and the charts.
   *
   * @throws IOException if a file cannot be read or written, or no process can be started
   */
  ThroughputFigures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.directory());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    try {
      startPairs();
      for (int round = 0; round < plan.runs(); round++) {
        measureAll();
      }
    } finally {
      pairs.values().forEach(PeerPair::close);
    }
    ThroughputFigures figures =
        new ThroughputFigures(
            started,
            Machine.current(),
            load,
            persistentMemory,
            plan.window(),
            notMeasured,
            rates.entrySet().stream()
                .map(entry -> cell(entry.getKey(), entry.getValue()))
                .toList());
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    for (Direction direction : Direction.values()) {
      ThroughputChart.draw(
          figures,
          direction,
          plan.directory().resolve(direction.name().toLowerCase(Locale.ROOT) + ".png"));
    }
    print(figures, file);
    return figures;
  }

  private static ThroughputFigures.Cell cell(Key key, List<Double> bytesPerSecond) {
    return new ThroughputFigures.Cell(
        key.side, key.direction, key.bytes, key.threads, bytesPerSecond);
  }

  private void startPairs() throws IOException, InterruptedException {
    for (ThroughputSide side : ThroughputSide.all(plan.pmem().toString())) {
      if (works(side)) {
        PeerPair pair = PeerPair.start(plan, side, plan.mostThreads());
        pairs.put(side, pair);
        if (!side.memory().equals(TargetProgram.DRAM)) {
          persistentMemory =
              pair.mapping()
                  + " mapping of a file on "
                  + Files.getFileStore(plan.pmem()).type()
                  + " ("
                  + plan.pmem()
                  + ")";
        }
        for (Direction direction : Direction.values()) {
          double unused = pair.measure(new Load(direction, WARM_UP_BYTES, 1, WARM_UP_MILLIS));
          assert unused > 0;
        }
      }
    }
    if (plan.perftest().isEmpty()) {
      notMeasured.add("ucx_perftest: not on the PATH");
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

  private void measureAll() throws IOException, InterruptedException {
    UcxPerftest perftest =
        plan.perftest()
            .map(program -> new UcxPerftest(program, plan.directory().resolve("perftest.log")))
            .orElse(null);
    for (Direction direction : Direction.values()) {
      for (int bytes : plan.sizes()) {
        if (perftest != null) {
          measure(perftest, direction, bytes);
        }
        for (int threads : plan.threads()) {
          for (Map.Entry<ThroughputSide, PeerPair> pair : pairs.entrySet()) {
            add(
                new Key(pair.getKey().name(), direction, bytes, threads),
                pair.getValue().measure(new Load(direction, bytes, threads, plan.millis())));
          }
        }
      }
    }
  }

  private void measure(UcxPerftest perftest, Direction direction, int bytes)
      throws IOException, InterruptedException {
    for (Map.Entry<String, String> way : ThroughputSide.UCX_WAYS.entrySet()) {
      OptionalDouble rate = perftest.measure(direction, bytes, way.getValue(), plan.millis());
      if (rate.isPresent()) {
        add(
            new Key(ThroughputTables.PERFTEST + way.getKey(), direction, bytes, 1),
            rate.getAsDouble());
      }
    }
  }

  private void add(Key key, double bytesPerSecond) {
    rates.computeIfAbsent(key, k -> new ArrayList<>()).add(bytesPerSecond);
  }

  private void print(ThroughputFigures figures, Path file) {
    ThroughputTables tables = new ThroughputTables(figures, plan.sizes(), plan.threads());
    out.printf(
        Locale.ROOT,
        "Memory of another process, medians of %d runs of %d ms, %d operations under way a thread%n"
            + "PMEM: %s%n%s; load %.1f; started %s%n",
        plan.runs(),
        plan.millis(),
        figures.window(),
        figures.persistentMemory(),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started());
    figures.notMeasured().forEach(why -> out.println("Not measured: " + why));
    for (Direction direction : Direction.values()) {
      out.printf("%n%s", tables.of(direction));
    }
    if (plan.perftest().isPresent()) {
      out.printf("%n%s", tables.besidePerftest());
    }
    out.printf("%nRaw figures and charts: %s%n", file);
    out.flush();
  }
}
