// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.evaluation.lab.neardata.NearDataSides.Measured;
import dev.anemone.evaluation.lab.neardata.Pushdown;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.sparkndp.Testbed.Hardware;
import dev.anemone.evaluation.papers.sparkndp.Testbed.Size;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.knowm.xchart.CategoryChart;

/**
 * Figure 9: the mean time of ten Q6 that begin one after the other, under each pushdown, on an HDFS
 * with proxies.
 *
 * @param settings the groups of bars
 * @param queries in a row
 * @param chosen another size than that of the scale that a run asks for
 */
record QueryArrivals(List<Setting> settings, int queries, Optional<Size> chosen)
    implements PaperFigure {
  private static final int QUERY = 6;

  /** From one query to the next, as a part of the time in which the link carries what one reads. */
  private static final double GAP = 0.3;

  /** What a gain of 25 % is to be here at least. */
  private static final double LEAST_GAIN = 15;

  /** The only one of which the paper says what it is. */
  static final Setting KNOWN = new Setting(2, 2);

  /**
   * Storage nodes and cores of each.
   *
   * @param nodes at most four
   */
  record Setting(int nodes, int cores) {
    String label() {
      return nodes + " x " + cores;
    }

    /** Each node has a link of its own. */
    Hardware hardware() {
      return new Hardware(cores, 1, (double) nodes / Testbed.NODES);
    }
  }

  private record Group(Setting setting, PushdownTimes times) {

    String describe(double figure) {
      return String.format(Locale.ROOT, "%s: %.1f %%", times.label(), figure);
    }
  }

  QueryArrivals() {
    this(List.of(new Setting(4, 1), KNOWN, new Setting(4, 2)), 10, Optional.empty());
  }

  @Override
  public String id() {
    return "sparkndp-9";
  }

  @Override
  public String question() {
    return "ten Q6 on HDFS, one after the other: which operators to push?";
  }

  @Override
  public int minutes() {
    return 25;
  }

  @Override
  public boolean needsRoot() {
    return true;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    Size size = chosen.orElse(Size.of(run));
    List<Group> groups = new ArrayList<>();
    for (Setting setting : settings) {
      groups.add(measure(run, size, setting));
    }
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            String.format(
                Locale.ROOT,
                "%d queries; TPC-H at scale %s in splits of %d MB; medians of %d means, with new"
                    + " proxies for each, the pushdowns in turn. Processors and the link are parts"
                    + " as in Figure 8, the link by nodes. A query comes in %s of the time in which"
                    + " the link carries what one reads. Of the settings the paper gives one, %s;"
                    + " it has scale 100.",
                queries,
                size.scale(),
                size.blockBytes() >> 20,
                rounds(size),
                GAP,
                KNOWN.label()),
            PushdownTimes.columns("storage nodes x cores"),
            groups.stream().map(group -> group.times().point()).toList(),
            claims(groups),
            id() + ".png");
    draw(groups, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  /** A run has many queries, so that half of the runs do. */
  private static int rounds(Size size) {
    return (size.rounds() + 1) / 2;
  }

  private Group measure(FigureRun figure, Size size, Setting setting)
      throws IOException, InterruptedException {
    List<PushdownTimes.Run> runs = new ArrayList<>();
    String name = id() + "-" + setting.nodes() + "-" + setting.cores();
    try (Testbed testbed = Testbed.start(figure, name, size, setting.nodes(), List.of(QUERY))) {
      Hardware hardware = setting.hardware();
      Duration gap =
          Duration.ofMillis(Math.round(GAP * testbed.shipping(hardware.link()).toMillis()));
      for (int round = 0; round < rounds(size); round++) {
        List<Pushdown> order = new ArrayList<>(List.of(Pushdown.values()));
        // Nor is one always the last where there is one round.
        Collections.rotate(order, round + settings.indexOf(setting));
        for (Pushdown pushdown : order) {
          Measured measured =
              testbed.run(hardware, Collections.nCopies(queries, QUERY), gap, pushdown);
          figure.progress(
              String.format(
                  Locale.ROOT,
                  "%s, one in %.1f s, %s: %.2f s, %d splits pushed, %d pushed back",
                  setting.label(),
                  gap.toMillis() / 1e3,
                  pushdown.text(),
                  measured.seconds(),
                  measured.splitsPushed(),
                  measured.splitsPushedBack()));
          runs.add(new PushdownTimes.Run(pushdown, measured.seconds()));
        }
      }
    }
    return new Group(setting, new PushdownTimes(setting.label(), runs));
  }

  private static double noneGain(PushdownTimes times) {
    return times.gain(times.seconds(Pushdown.NONE));
  }

  private static List<Claim> claims(List<Group> groups) {
    List<Claim> claims = new ArrayList<>();
    claims.add(
        new Claim(
            "Net-Aware is always faster than No-Pushdown",
            String.join(
                "; ",
                groups.stream().map(group -> group.describe(noneGain(group.times()))).toList()),
            groups.stream().allMatch(group -> noneGain(group.times()) > 0)));
    claims.add(
        new Claim(
            "a partial push is best in all settings",
            String.join(
                "; ",
                groups.stream()
                    .map(group -> group.times().label() + ": " + group.times().oracle().text())
                    .toList()),
            groups.stream()
                .map(group -> group.times().oracle())
                .allMatch(best -> best == Pushdown.FILTER || best == Pushdown.PROJECT)));
    for (Group group : groups) {
      if (group.setting().equals(KNOWN)) {
        double gain = group.times().gain(group.times().betterExtreme());
        claims.add(
            new Claim(
                String.format(
                    Locale.ROOT,
                    "%s: 25 %% less than the better one of all and nothing; holds from %.0f %% on",
                    KNOWN.label(),
                    LEAST_GAIN),
                String.format(Locale.ROOT, "%.1f %%", gain),
                gain >= LEAST_GAIN));
      }
    }
    claims.add(
        new Claim(
            "Net-Aware is near the oracle: within 10 %",
            String.join(
                "; ",
                groups.stream()
                    .map(
                        group ->
                            group.describe(
                                    -group
                                        .times()
                                        .gain(group.times().seconds(group.times().oracle())))
                                + " more")
                    .toList()),
            groups.stream().allMatch(group -> group.times().isNearOracle())));
    return claims;
  }

  private void draw(List<Group> groups, Path file) throws IOException {
    CategoryChart chart = Charts.bars(id(), "storage nodes x cores", "mean query time, s");
    for (Pushdown pushdown : Pushdown.values()) {
      chart.addSeries(
          pushdown.text(),
          groups.stream().map(group -> group.setting().label()).toList(),
          groups.stream().map(group -> group.times().seconds(pushdown)).toList());
    }
    Charts.save(chart, file);
  }
}
