// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.network.ThrottledNetwork;
import dev.anemone.evaluation.lab.remote.LoadProgram.Direction;
import dev.anemone.evaluation.lab.remote.LoadProgram.Load;
import dev.anemone.evaluation.lab.remote.PeerPair;
import dev.anemone.evaluation.lab.remote.PeerPair.ThroughputSide;
import dev.anemone.evaluation.lab.remote.TargetProgram;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.XYChart;

/**
 * Figure 4: the rate of one-sided reads and writes of another machine's DRAM and PMEM, over the
 * size of a transfer, by one thread and by more. The network between both is throttled.
 */
final class OneSidedRates implements PaperFigure {
  private static final String TRANSPORT = "tcp";

  /** Where a file is in memory as one of persistent memory would be. */
  private static final Path PERSISTENT = Path.of("/dev/shm");

  /** An operation is over before its thread begins the next one. */
  private static final int WINDOW = 1;

  private static final int WARM_UP_BYTES = 64 << 10;

  /** What is as fast as the network, or as DRAM. */
  private static final double NEARLY = 0.9;

  private final Optional<Size> chosen;

  /**
   * How much is measured.
   *
   * @param megabits of the network; the paper has 25 Gbit/s
   * @param bytes of a transfer
   * @param millis of each rate
   */
  record Size(
      double megabits, List<Integer> bytes, List<Integer> threads, long millis, int rounds) {
    static final Size SMALL =
        new Size(
            1_000,
            List.of(4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20),
            List.of(1, 4, 32),
            500,
            3);

    static final Size FULL =
        new Size(
            1_000,
            List.of(4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20),
            List.of(1, 2, 4, 8, 16, 32),
            2_000,
            5);
  }

  /** One curve of the figure. */
  private record Curve(Memory memory, Direction direction, int threads) {

    String title() {
      return String.format(
          Locale.ROOT, "%s %s, %d", memory, direction.name().toLowerCase(Locale.ROOT), threads);
    }
  }

  private enum Memory {
    DRAM,
    PMEM;

    ThroughputSide side() {
      return new ThroughputSide(
          TRANSPORT + " " + this,
          TRANSPORT,
          Map.of(),
          this == DRAM ? TargetProgram.DRAM : PERSISTENT.toString());
    }
  }

  private record Rate(Curve curve, int bytes, double megabytes) {}

  OneSidedRates() {
    this(Optional.empty());
  }

  /** With another size than that of the scale that a run asks for. */
  OneSidedRates(Optional<Size> chosen) {
    this.chosen = chosen;
  }

  @Override
  public String id() {
    return "dmo-4";
  }

  @Override
  public String question() {
    return "what are the rates of one-sided reads and writes, by size and threads?";
  }

  @Override
  public int minutes() {
    return 3;
  }

  @Override
  public boolean needsRoot() {
    return true;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    ThrottledNetwork.requireAllowed();
    Size size = chosen.orElse(run.isFull() ? Size.FULL : Size.SMALL);
    List<Rate> rates = measure(run, size);
    List<Curve> curves = rates.stream().map(Rate::curve).distinct().toList();
    List<String> columns = new ArrayList<>(List.of("transfer, KB"));
    curves.forEach(curve -> columns.add(curve.title() + ": MB/s"));
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            String.format(
                Locale.ROOT,
                "Over %s, from one process to another, with a network of %.0f Mbit/s for both"
                    + " directions between them; the number is that of the threads, each with one"
                    + " operation under way. Medians of %d runs of %d ms, both memories in turn."
                    + " PMEM is a mapped file in %s. The paper has 25 Gbit/s and RDMA.",
                TRANSPORT,
                size.megabits(),
                size.rounds(),
                size.millis(),
                PERSISTENT),
            columns,
            size.bytes().stream()
                .map(
                    bytes ->
                        new Point(
                            String.valueOf(bytes >> 10),
                            curves.stream().map(curve -> median(rates, curve, bytes)).toList()))
                .toList(),
            claims(size, rates, curves),
            id() + ".png");
    draw(size, rates, curves, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static List<Rate> measure(FigureRun run, Size size)
      throws IOException, InterruptedException {
    PeerPair.Start start =
        new PeerPair.Start(
            run.evaluation().ownClassPath(),
            Files.createDirectories(run.directory().resolve("dmo-4")));
    int most = Collections.max(size.threads());
    List<Rate> rates = new ArrayList<>();
    try (PeerPair dram =
            PeerPair.startApart(Memory.DRAM.side(), start, most, WINDOW, size.megabits());
        PeerPair pmem =
            PeerPair.startApart(Memory.PMEM.side(), start, most, WINDOW, size.megabits())) {
      Map<Memory, PeerPair> pairs = Map.of(Memory.DRAM, dram, Memory.PMEM, pmem);
      for (PeerPair pair : pairs.values()) {
        for (Direction direction : Direction.values()) {
          double unused = pair.measure(new Load(direction, WARM_UP_BYTES, 1, size.millis()));
          assert unused > 0;
        }
      }
      for (int round = 0; round < size.rounds(); round++) {
        List<Memory> order = new ArrayList<>(List.of(Memory.values()));
        Collections.rotate(order, round);
        for (Direction direction : Direction.values()) {
          for (int threads : size.threads()) {
            for (int bytes : size.bytes()) {
              for (Memory memory : order) {
                double rate =
                    pairs.get(memory).measure(new Load(direction, bytes, threads, size.millis()));
                rates.add(new Rate(new Curve(memory, direction, threads), bytes, rate / 1e6));
              }
            }
          }
        }
        run.progress(String.format(Locale.ROOT, "round %d of %d", round + 1, size.rounds()));
      }
    }
    return rates;
  }

  private static double median(List<Rate> rates, Curve curve, int bytes) {
    return Summary.of(
            rates.stream()
                .filter(rate -> rate.curve().equals(curve) && rate.bytes() == bytes)
                .toList(),
            Rate::megabytes)
        .median();
  }

  private static List<Claim> claims(Size size, List<Rate> rates, List<Curve> curves) {
    int largest = Collections.max(size.bytes());
    int most = Collections.max(size.threads());
    double network = size.megabits() / 8;
    List<Claim> claims = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      double dram = median(rates, new Curve(Memory.DRAM, direction, most), largest);
      double pmem = median(rates, new Curve(Memory.PMEM, direction, most), largest);
      String verb = direction.name().toLowerCase(Locale.ROOT);
      claims.add(
          new Claim(
              "large " + verb + "s nearly fill the network",
              String.format(Locale.ROOT, "%.0f and %.0f of %.0f MB/s", dram, pmem, network),
              Math.min(dram, pmem) >= NEARLY * network));
      claims.add(
          new Claim(
              "PMEM is as fast as DRAM in large " + verb + "s",
              String.format(Locale.ROOT, "%.2f of it", pmem / dram),
              pmem >= NEARLY * dram));
    }
    long rising =
        curves.stream()
            .filter(
                curve ->
                    median(rates, curve, largest)
                        >= median(rates, curve, Collections.min(size.bytes())))
            .count();
    claims.add(
        new Claim(
            "rates rise with the size of a transfer",
            String.format(Locale.ROOT, "%d of %d curves", rising, curves.size()),
            rising == curves.size()));
    return claims;
  }

  private void draw(Size size, List<Rate> rates, List<Curve> curves, Path file) throws IOException {
    XYChart chart =
        Charts.logarithmicCurves(id() + ", over " + TRANSPORT, "bytes of a transfer", "MB/s");
    for (Curve curve : curves) {
      Charts.add(
          chart,
          curve.title(),
          size.bytes(),
          Integer::doubleValue,
          bytes -> median(rates, curve, bytes));
    }
    Charts.save(chart, file);
  }
}
