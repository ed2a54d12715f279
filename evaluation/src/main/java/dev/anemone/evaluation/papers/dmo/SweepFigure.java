// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.JobCost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;

/** One of the figures 7 to 9 of a workload: a curve over memory for each place. */
final class SweepFigure implements PaperFigure {

  /** What a figure shows. */
  enum Shown {
    TIME(7, "how long with how much memory", "job, s"),
    COPIES(8, "what do copies of pages gain", "job, s"),
    COLLECTING(9, "how long does the JVM collect garbage", "GC, s");

    private final int number;
    private final String question;
    private final String unit;

    Shown(int number, String question, String unit) {
      this.number = number;
      this.question = question;
      this.unit = unit;
    }
  }

  private static final String AXIS = "memory, MB";

  private final Shown shown;
  private final Kind kind;

  SweepFigure(Shown shown, Kind kind) {
    this.shown = shown;
    this.kind = kind;
  }

  @Override
  public String id() {
    return "dmo-" + shown.number + kind.letter();
  }

  @Override
  public String question() {
    return shown.question + ", in files and in pools: " + kind.paper() + "?";
  }

  @Override
  public int minutes() {
    return 6;
  }

  private List<Place> places() {
    return shown == Shown.TIME
        ? List.of(Place.FILES, Place.CACHED_FILES, Place.POOL, Place.PMEM)
        : Arrays.asList(Place.values());
  }

  private ToDoubleFunction<JobCost> figure() {
    return shown == Shown.COLLECTING ? JobCost::gcSeconds : JobCost::seconds;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    MemorySweep sweep = MemorySweep.of(run, kind);
    List<String> columns = new ArrayList<>(List.of(AXIS));
    places().forEach(place -> columns.add(place.title() + ": " + shown.unit));
    List<Place> pools = places().stream().filter(Place::isPooled).toList();
    if (shown != Shown.COLLECTING) {
      pools.forEach(place -> columns.add(place.title() + ": received, MB"));
      pools.forEach(place -> columns.add(place.title() + ": sent, MB"));
    }
    List<Point> points =
        sweep.memory().stream()
            .map(
                memory ->
                    new Point(
                        Integer.toString(memory.megabytes()),
                        Stream.concat(
                                places().stream()
                                    .map(place -> sweep.median(place, memory, figure())),
                                traffic(sweep, pools, memory))
                            .toList()))
            .toList();
    FigureOutcome outcome =
        new FigureOutcome(id(), sweep.setUp(), columns, points, claims(sweep), id() + ".png");
    draw(sweep, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private Stream<Double> traffic(MemorySweep sweep, List<Place> pools, Memory memory) {
    if (shown == Shown.COLLECTING) {
      return Stream.empty();
    }
    return Stream.concat(
        pools.stream()
            .map(place -> sweep.traffic(place, memory, traffic -> traffic.received() / 1e6)),
        pools.stream().map(place -> sweep.traffic(place, memory, traffic -> traffic.sent() / 1e6)));
  }

  private List<Claim> claims(MemorySweep sweep) {
    SweepClaims claims = new SweepClaims(sweep);
    return switch (shown) {
      case TIME -> claims.ofTime(kind);
      case COPIES -> claims.ofCopies(kind);
      case COLLECTING -> claims.ofCollecting(kind);
    };
  }

  private void draw(MemorySweep sweep, Path file) throws IOException {
    XYChart chart = Charts.curves(id() + ": " + kind.paper(), AXIS, shown.unit);
    for (Place place : places()) {
      List<Memory> finished =
          sweep.memory().stream()
              .filter(memory -> !Double.isNaN(sweep.median(place, memory, figure())))
              .toList();
      if (!finished.isEmpty()) {
        Charts.add(
            chart,
            place.title(),
            finished,
            Memory::megabytes,
            memory -> sweep.median(place, memory, figure()));
      }
    }
    Charts.save(chart, file);
  }
}
