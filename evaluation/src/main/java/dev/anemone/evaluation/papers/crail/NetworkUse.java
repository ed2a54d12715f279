// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.evaluation.lab.pool.TrafficRecorder.Sample;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.JobRuns;
import dev.anemone.evaluation.papers.job.PooledRun;
import dev.anemone.evaluation.papers.job.SortedRecords;
import dev.anemone.evaluation.papers.job.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.knowm.xchart.XYChart;

/** What goes over the network in each moment of a sort. */
final class NetworkUse implements PaperFigure {
  private static final Duration DEADLINE = Duration.ofMinutes(20);

  /** Less than this part of the highest rate counts as idle. */
  private static final double IDLE = 0.05;

  private final Optional<Integer> chosenMegabytes;

  /**
   * Rates between two samples.
   *
   * @param seconds when it ended
   */
  private record Interval(double seconds, double received, double sent) {

    static List<Interval> of(List<Sample> samples) {
      List<Interval> intervals = new ArrayList<>();
      for (int i = 1; i < samples.size(); i++) {
        Sample before = samples.get(i - 1);
        Sample after = samples.get(i);
        double length = after.seconds() - before.seconds();
        intervals.add(
            new Interval(
                after.seconds(),
                after.traffic().since(before.traffic()).received() / 1e6 / length,
                after.traffic().since(before.traffic()).sent() / 1e6 / length));
      }
      return List.copyOf(intervals);
    }

    double both() {
      return received + sent;
    }
  }

  NetworkUse() {
    this(Optional.empty());
  }

  /** With another size than that of the scale that a run asks for. */
  NetworkUse(Optional<Integer> chosenMegabytes) {
    this.chosenMegabytes = chosenMegabytes;
  }

  @Override
  public String id() {
    return "crail-network";
  }

  @Override
  public String question() {
    return "what goes over the network in each moment of a sort?";
  }

  @Override
  public int minutes() {
    return 2;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    int megabytes =
        chosenMegabytes.orElse(
            (run.isFull() ? SortJobs.Size.FULL : SortJobs.Size.SMALL).megabytes());
    Path directory = Files.createDirectories(run.directory().resolve(id()));
    JobRuns lab = new JobRuns(run, directory, DEADLINE);
    List<Interval> intervals;
    try (Workload records = SortedRecords.make(run, directory, megabytes)) {
      PooledRun pooled = Store.POOL.runInPool(lab, records);
      if (pooled.cost().isEmpty()) {
        throw lab.failure(Store.POOL.title(), records);
      }
      intervals = Interval.of(pooled.samples());
    }
    double highest = intervals.stream().mapToDouble(Interval::both).max().orElseThrow();
    List<Interval> used =
        intervals.stream().filter(interval -> interval.both() >= IDLE * highest).toList();
    double first = used.get(0).seconds();
    double last = used.get(used.size() - 1).seconds();
    long between =
        intervals.stream()
            .filter(interval -> interval.seconds() >= first && interval.seconds() <= last)
            .count();
    double percent = 100.0 * used.size() / between;
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            String.format(
                Locale.ROOT,
                "TeraSort of %,d MB whose data between stages is in a pool, over loopback TCP;"
                    + " seconds are those of the job's process. The paper has 12.8 TB on 128 nodes"
                    + " and 100 Gbit/s; the link here is memory, so there is no rate that it could"
                    + " come near to.",
                megabytes),
            List.of("second", "received, MB/s", "sent, MB/s"),
            intervals.stream()
                .map(
                    interval ->
                        new Point(
                            String.format(Locale.ROOT, "%.2f", interval.seconds()),
                            List.of(interval.received(), interval.sent())))
                .toList(),
            List.of(
                new Claim(
                    "the network does not stand still within the shuffle",
                    String.format(
                        Locale.ROOT,
                        "%.0f %% of the time from the first to the last byte; at most %.0f MB/s",
                        percent,
                        highest),
                    percent >= 50)),
            id() + ".png");
    XYChart chart = Charts.curves(id(), "second", "MB/s of the pool");
    Charts.add(chart, "received", intervals, Interval::seconds, Interval::received);
    Charts.add(chart, "sent", intervals, Interval::seconds, Interval::sent);
    Charts.save(chart, run.directory().resolve(outcome.chart()));
    return outcome;
  }
}
