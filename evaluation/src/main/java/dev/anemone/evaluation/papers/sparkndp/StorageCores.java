// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

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
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;

/**
 * Figure 8: the time of a query over the cores of a storage node, under each pushdown, on an HDFS
 * with proxies.
 *
 * @param setting which of the figure's three
 * @param chosen another size than that of the scale that a run asks for
 */
record StorageCores(Setting setting, Optional<Size> chosen) implements PaperFigure {
  private static final List<Integer> QUERIES = List.of(6, 19);

  /** The paper's slower clock, 1.6 GHz, beside its own, 2.67 GHz. */
  private static final double SLOW_CLOCK = 0.6;

  /** What the paper changes from one part of the figure to the next. */
  enum Setting {
    SLOW("a", "4 slow nodes", Testbed.NODES, SLOW_CLOCK, 1),
    NARROW("b", "4 nodes, a quarter of the link", Testbed.NODES, 1, 0.25),
    FEW("c", "2 nodes, half of the link", Testbed.NODES / 2, 1, 0.5);

    private final String part;
    private final String text;
    private final int nodes;
    private final double clock;
    private final double link;

    Setting(String part, String text, int nodes, double clock, double link) {
      this.part = part;
      this.text = text;
      this.nodes = nodes;
      this.clock = clock;
      this.link = link;
    }
  }

  /** One run. */
  private record Run(int query, int cores, PushdownTimes.Run time) {}

  private record Cell(int cores, PushdownTimes times) {}

  StorageCores(Setting setting) {
    this(setting, Optional.empty());
  }

  /** The three parts. */
  static List<PaperFigure> all() {
    return Stream.of(Setting.values()).<PaperFigure>map(StorageCores::new).toList();
  }

  @Override
  public String id() {
    return "sparkndp-8" + setting.part;
  }

  @Override
  public String question() {
    return "Q6 and Q19 on HDFS, " + setting.text + ": which operators to push, over cores?";
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
    List<Run> runs = new ArrayList<>();
    double megabits;
    try (Testbed testbed = Testbed.start(run, id(), size, setting.nodes, QUERIES)) {
      megabits = testbed.megabits(setting.link);
      for (int round = 0; round < size.rounds(); round++) {
        List<Pushdown> order = new ArrayList<>(List.of(Pushdown.values()));
        Collections.rotate(order, round);
        for (int cores : size.cores()) {
          for (int query : QUERIES) {
            for (Pushdown pushdown : order) {
              runs.add(measure(run, testbed, query, cores, pushdown));
            }
          }
        }
      }
    }
    List<Cell> cells = cells(size, runs);
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            String.format(
                Locale.ROOT,
                "%s. TPC-H at scale %s in splits of %d MB, medians of %d runs with new proxies"
                    + " each, the pushdowns in turn. A process stands for two storage nodes, whose"
                    + " cores are 1/16 of a processor%s, with HDFS's own work; one processor"
                    + " computes, where the paper has 70 cores. The link has %.0f Mbit/s, 1.16"
                    + " times what filters with a core"
                    + " in each of four nodes get done, times %s. The paper has scale 100.",
                setting.text,
                size.scale(),
                size.blockBytes() >> 20,
                size.rounds(),
                setting.clock < 1 ? " times " + setting.clock : "",
                megabits,
                setting.link),
            PushdownTimes.columns("query, cores of a storage node"),
            cells.stream().map(cell -> cell.times().point()).toList(),
            claims(cells),
            id() + ".png");
    draw(cells, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private Run measure(FigureRun figure, Testbed testbed, int query, int cores, Pushdown pushdown)
      throws IOException, InterruptedException {
    Hardware hardware = new Hardware(cores, setting.clock, setting.link);
    double seconds = testbed.run(hardware, List.of(query), Duration.ZERO, pushdown).seconds();
    figure.progress(
        String.format(
            Locale.ROOT, "Q%d, %d cores, %s: %.2f s", query, cores, pushdown.text(), seconds));
    return new Run(query, cores, new PushdownTimes.Run(pushdown, seconds));
  }

  private static List<Cell> cells(Size size, List<Run> runs) {
    List<Cell> cells = new ArrayList<>();
    for (int query : QUERIES) {
      for (int cores : size.cores()) {
        cells.add(
            new Cell(
                cores,
                new PushdownTimes(
                    String.format(Locale.ROOT, "Q%d, %d", query, cores),
                    runs.stream()
                        .filter(run -> run.query() == query && run.cores() == cores)
                        .map(Run::time)
                        .toList())));
      }
    }
    return cells;
  }

  private List<Claim> claims(List<Cell> cells) {
    List<Claim> claims = new ArrayList<>();
    switch (setting) {
      case SLOW -> {
        claims.add(
            best(
                "1 core: No-Pushdown is best",
                cells.stream().filter(cell -> cell.cores() == 1).toList(),
                true));
        claims.add(
            best(
                "above 1 core something else is",
                cells.stream().filter(cell -> cell.cores() > 1).toList(),
                false));
        claims.add(
            gain(
                "Net-Aware takes up to 42 % less than No-Pushdown",
                30,
                cells.stream()
                    .mapToDouble(cell -> cell.times().gain(cell.times().seconds(Pushdown.NONE)))
                    .max()
                    .orElseThrow()));
      }
      case NARROW -> claims.add(best("pushing pays even with 1 core", cells, false));
      case FEW ->
          claims.add(
              new Claim(
                  "a partial push can be faster than all and nothing",
                  oracles(cells),
                  cells.stream()
                      .map(cell -> cell.times().oracle())
                      .anyMatch(best -> best != Pushdown.NONE && best != Pushdown.FULL)));
    }
    if (setting != Setting.NARROW) {
      claims.add(
          gain(
              "Net-Aware takes up to "
                  + (setting == Setting.SLOW ? 5 : 6)
                  + " % less than the better one of all and nothing",
              0,
              cells.stream()
                  .mapToDouble(cell -> cell.times().gain(cell.times().betterExtreme()))
                  .max()
                  .orElseThrow()));
    }
    long near = cells.stream().filter(cell -> cell.times().isNearOracle()).count();
    claims.add(
        new Claim(
            "Net-Aware is near the oracle: within 10 % in most cells",
            String.format(Locale.ROOT, "in %d of %d", near, cells.size()),
            2 * near > cells.size()));
    return claims;
  }

  private static Claim best(String what, List<Cell> cells, boolean nothing) {
    return new Claim(
        what,
        oracles(cells),
        cells.stream().allMatch(cell -> (cell.times().oracle() == Pushdown.NONE) == nothing));
  }

  private static String oracles(List<Cell> cells) {
    return String.join(
        "; ",
        cells.stream()
            .map(cell -> cell.times().label() + ": " + cell.times().oracle().text())
            .toList());
  }

  private static Claim gain(String what, double from, double percent) {
    return new Claim(
        what + String.format(Locale.ROOT, "; holds from %.0f %% on", from),
        String.format(Locale.ROOT, "NearData up to %.1f %%", percent),
        percent >= from);
  }

  private void draw(List<Cell> cells, Path file) throws IOException {
    CategoryChart chart =
        Charts.bars(id() + ", " + setting.text, "query, cores of a storage node", "query time, s");
    for (Pushdown pushdown : Pushdown.values()) {
      chart.addSeries(
          pushdown.text(),
          cells.stream().map(cell -> cell.times().label()).toList(),
          cells.stream().map(cell -> cell.times().seconds(pushdown)).toList(),
          cells.stream().map(cell -> cell.times().deviation(pushdown)).toList());
    }
    Charts.save(chart, file);
  }
}
