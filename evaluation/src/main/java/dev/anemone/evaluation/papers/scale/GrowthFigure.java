// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.scale;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.PowerLaw;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.scale.Axis.Jobs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The time of jobs over one thing that grows, on all sides, and the law that it follows. */
final class GrowthFigure implements PaperFigure {
  /** What counts as linear: sizes are few, and times differ from run to run. */
  private static final double LINEAR = 1.1;

  /** What a policy may cost where it cannot pay. */
  private static final double MOST_COST = 1.03;

  private static final String TOO_FEW = "too few jobs finished";

  private final Axis axis;
  private final Optional<Jobs> chosen;

  GrowthFigure(Axis axis) {
    this(axis, Optional.empty());
  }

  /** With other jobs than those of the scale that a run asks for. */
  GrowthFigure(Axis axis, Optional<Jobs> chosen) {
    this.axis = axis;
    this.chosen = chosen;
  }

  @Override
  public String id() {
    return axis.id();
  }

  @Override
  public String question() {
    return axis.question();
  }

  @Override
  public int minutes() {
    return axis.minutes();
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    Jobs jobs = chosen.orElseGet(() -> axis.jobs(run.isFull()));
    GroupingTimes times = GroupingTimes.measure(run, id(), jobs);
    List<String> columns = new ArrayList<>(List.of(axis.title()));
    times.sides().forEach(side -> columns.add(side + ", s"));
    times.sides().forEach(side -> columns.add(side + ", deviation"));
    List<Point> points =
        IntStream.range(0, jobs.x().size())
            .mapToObj(
                job -> new Point(jobs.x().get(job).toString(), values(times, jobs.jobs().get(job))))
            .toList();
    FigureOutcome outcome =
        new FigureOutcome(id(), jobs.setUp(), columns, points, claims(jobs, times), id() + ".png");
    draw(jobs, times, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static List<Double> values(GroupingTimes times, GroupedRecords job) {
    return Stream.concat(
            times.sides().stream().map(side -> times.seconds(side, job)),
            times.sides().stream().map(side -> times.deviation(side, job)))
        .toList();
  }

  private List<Claim> claims(Jobs jobs, GroupingTimes times) {
    List<Claim> claims = new ArrayList<>();
    GroupedRecords first = jobs.jobs().get(0);
    GroupedRecords last = jobs.jobs().get(jobs.jobs().size() - 1);
    for (String policy : GroupingTimes.POLICIES) {
      Optional<PowerLaw> law = law(jobs, times, policy);
      claims.add(
          new Claim(
              policy + ": at most linear against " + axis.fittedTitle(),
              law.map(GrowthFigure::text).orElse(TOO_FEW),
              law.isPresent()
                  && law.get().exponent() <= LINEAR
                  && !Double.isNaN(times.seconds(policy, last))));
    }
    if (times.sides().contains(GroupingTimes.SPARK)) {
      Optional<PowerLaw> ours = law(jobs, times, Side.DEFAULT);
      Optional<PowerLaw> peer = law(jobs, times, GroupingTimes.SPARK);
      claims.add(
          new Claim(
              "Default grows no steeper than Spark",
              ours.map(GrowthFigure::text).orElse(TOO_FEW)
                  + ", Spark "
                  + peer.map(GrowthFigure::text).orElse(TOO_FEW),
              ours.isPresent()
                  && (peer.isEmpty()
                      || ours.get().exponent() <= peer.get().exponent() + LINEAR - 1)));
    }
    if (axis == Axis.SKEW) {
      claims.add(
          atMost(
              "DataSkew costs at most 3 % where keys are even",
              times.seconds(GroupingTimes.DATA_SKEW, first) / times.seconds(Side.DEFAULT, first),
              MOST_COST));
      claims.add(
          atMost(
              "DataSkew is no slower where they are not",
              times.seconds(GroupingTimes.DATA_SKEW, last) / times.seconds(Side.DEFAULT, last),
              1));
    } else if (times.sides().contains(GroupingTimes.SPARK)) {
      claims.add(
          atMost(
              "Default takes no longer than Spark at the last point",
              times.seconds(Side.DEFAULT, last) / times.seconds(GroupingTimes.SPARK, last),
              1));
    }
    return claims;
  }

  private static String text(PowerLaw law) {
    return String.format(Locale.ROOT, "exponent %.2f", law.exponent());
  }

  private static Claim atMost(String expected, double ratio, double most) {
    return new Claim(
        expected, String.format(Locale.ROOT, "%.2f of its time", ratio), ratio <= most);
  }

  private Optional<PowerLaw> law(Jobs jobs, GroupingTimes times, String side) {
    List<Integer> finished =
        IntStream.range(0, jobs.x().size())
            .boxed()
            .filter(job -> !Double.isNaN(times.seconds(side, jobs.jobs().get(job))))
            .toList();
    return PowerLaw.of(
        finished,
        job -> axis.fitted(jobs.x().get(job), jobs.jobs().get(job)),
        job -> times.seconds(side, jobs.jobs().get(job)));
  }

  private void draw(Jobs jobs, GroupingTimes times, Path file) throws IOException {
    XYChart chart =
        axis == Axis.SKEW
            ? Charts.curves(id(), axis.title(), "job time, s")
            : Charts.logarithmicCurves(id(), axis.title(), "job time, s");
    for (String side : times.sides()) {
      List<Integer> finished =
          IntStream.range(0, jobs.x().size())
              .boxed()
              .filter(job -> !Double.isNaN(times.seconds(side, jobs.jobs().get(job))))
              .toList();
      if (finished.isEmpty()) {
        continue;
      }
      double[] x = finished.stream().mapToDouble(jobs.x()::get).toArray();
      chart.addSeries(
          side,
          x,
          finished.stream()
              .mapToDouble(job -> times.seconds(side, jobs.jobs().get(job)))
              .toArray());
      law(jobs, times, side)
          .ifPresent(
              law ->
                  chart
                      .addSeries(
                          String.format(Locale.ROOT, "%s ^ %.2f", side, law.exponent()),
                          x,
                          finished.stream()
                              .mapToDouble(
                                  job ->
                                      law.at(axis.fitted(jobs.x().get(job), jobs.jobs().get(job))))
                              .toArray())
                      .setMarker(SeriesMarkers.NONE)
                      .setLineStyle(SeriesLines.DOT_DOT));
    }
    Charts.save(chart, file);
  }
}
