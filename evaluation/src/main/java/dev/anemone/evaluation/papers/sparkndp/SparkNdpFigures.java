// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.sparkndp.StreamFigure.Curves;
import dev.anemone.evaluation.papers.sparkndp.StreamFigure.Runs;
import dev.anemone.evaluation.papers.sparkndp.StreamFigure.Stream;
import dev.anemone.evaluation.papers.sparkndp.StreamFigure.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The figures of the paper: its simulator with the clusters of Table I, and its testbed. */
public final class SparkNdpFigures {

  /** By how many points of percent a figure may miss the paper's. */
  private static final double POINTS = 3;

  private static final double FILTER_LEAVES = 1.0 / 60;
  private static final double AGGREGATE_LEAVES = 1e-4;

  /** What decompression makes of its input. */
  private static final double DECOMPRESSION_MAKES = 5;

  private static final double DECOMPRESSION_CYCLES = 10;

  private static final double AGGREGATE_CYCLES = 40;

  private static final int ONE_CORE = 0;
  private static final int TWO_CORES = 1;
  private static final int FOUR_CORES = 2;

  private SparkNdpFigures() {}

  /** Figures 5 to 9, of which 7 and 8 have three parts each. */
  public static List<PaperFigure> all() {
    List<PaperFigure> all = new ArrayList<>(simulated());
    all.addAll(StorageCores.all());
    all.add(new QueryArrivals());
    return List.copyOf(all);
  }

  private static List<PaperFigure> simulated() {
    return List.of(
        overCores(
            "sparkndp-5",
            "one query: which operators to push, over cores of a storage node?",
            new Stream(1, 0),
            new Runs(20, 500),
            SparkNdpFigures::ofFigureFive),
        overCores(
            "sparkndp-6",
            "50 queries, one every 50 s: which operators to push?",
            new Stream(50, 50),
            new Runs(1, 20),
            SparkNdpFigures::ofFigureSix),
        overEfficiency("sparkndp-7a", 100),
        overEfficiency("sparkndp-7b", 50),
        overEfficiency("sparkndp-7c", 20));
  }

  private static StreamFigure overCores(
      String id, String question, Stream stream, Runs runs, StreamFigure.Claims claims) {
    return new StreamFigure(
        id,
        question,
        "cores of a storage node",
        IntStream.of(1, 2, 4)
            .mapToObj(
                cores -> {
                  StreamClusters clusters = StreamClusters.ofTableOne(cores);
                  return new Tick(
                      String.valueOf(cores),
                      clusters,
                      List.of(
                          clusters.operator("filter", FILTER_LEAVES, 21),
                          clusters.operator("project", 1, 40),
                          clusters.operator("aggregate", AGGREGATE_LEAVES, AGGREGATE_CYCLES)));
                })
            .toList(),
        "Not given by the paper: 21, 40 and 40 cycles for a byte of an operator's input, found from"
            + " its gains in closed form, what a query sends in its turn, here 16 MB, and which"
            + " query a free core serves, here the oldest.",
        stream,
        runs,
        claims);
  }

  private static List<Claim> ofFigureFive(Curves curves) {
    return List.of(
        new Claim(
            "1 core: No-Pushdown is best, lambda-Flow worst",
            text("%.0f s, %.0f s", curves.noPushdown().get(ONE_CORE), curves.all().get(ONE_CORE)),
            curves.oracle(ONE_CORE) == curves.noPushdown().get(ONE_CORE)
                && curves.all().get(ONE_CORE) >= curves.partial(ONE_CORE)),
        new Claim(
            "2 and 4 cores: No-Pushdown is worst, a partial push best",
            text(
                "No-Pushdown %.0f and %.0f s, partial %.0f and %.0f s, lambda-Flow %.0f and %.0f s",
                curves.noPushdown().get(TWO_CORES),
                curves.noPushdown().get(FOUR_CORES),
                curves.partial(TWO_CORES),
                curves.partial(FOUR_CORES),
                curves.all().get(TWO_CORES),
                curves.all().get(FOUR_CORES)),
            IntStream.of(TWO_CORES, FOUR_CORES)
                .allMatch(
                    tick ->
                        curves.partial(tick) < curves.all().get(tick)
                            && curves.all().get(tick) < curves.noPushdown().get(tick))),
        near(
            "4 cores: Net-Aware against No-Pushdown",
            71,
            curves.gain(FOUR_CORES, curves.noPushdown().get(FOUR_CORES))),
        near(
            "1 core: Net-Aware against lambda-Flow",
            18,
            curves.gain(ONE_CORE, curves.all().get(ONE_CORE))),
        near(
            "2 cores: Net-Aware against the better of both",
            6,
            curves.gain(TWO_CORES, curves.betterExtreme(TWO_CORES))),
        near(
            "4 cores: Net-Aware against the better of both",
            6,
            curves.gain(FOUR_CORES, curves.betterExtreme(FOUR_CORES))));
  }

  private static List<Claim> ofFigureSix(Curves curves) {
    List<Claim> claims = new ArrayList<>();
    claims.add(
        new Claim(
            "lambda-Flow beats No-Pushdown only above 1 core",
            text(
                "lambda-Flow / No-Pushdown %.2f, %.2f, %.2f",
                curves.all().get(ONE_CORE) / curves.noPushdown().get(ONE_CORE),
                curves.all().get(TWO_CORES) / curves.noPushdown().get(TWO_CORES),
                curves.all().get(FOUR_CORES) / curves.noPushdown().get(FOUR_CORES)),
            curves.all().get(ONE_CORE) > curves.noPushdown().get(ONE_CORE)
                && curves.all().get(TWO_CORES) < curves.noPushdown().get(TWO_CORES)
                && curves.all().get(FOUR_CORES) < curves.noPushdown().get(FOUR_CORES)));
    claims.add(
        atLeast(
            "1 core: Net-Aware against the better of both: 38 %",
            25, curves.gain(ONE_CORE, curves.betterExtreme(ONE_CORE))));
    double least =
        IntStream.of(ONE_CORE, TWO_CORES, FOUR_CORES)
            .mapToDouble(tick -> curves.gain(tick, curves.partial(tick)))
            .min()
            .orElseThrow();
    claims.add(
        atLeast("everywhere: Net-Aware against the best fixed partial push: 25 %", 25, least));
    return claims;
  }

  private static StreamFigure overEfficiency(String id, double cycles) {
    return new StreamFigure(
        id,
        text(
            "compressed input, filter and project at %.0f cycles/byte: which operators to push?",
            cycles),
        "work of a storage core / that of a compute core",
        List.of(0.25, 0.5, 1.0).stream()
            .map(
                efficiency -> {
                  StreamClusters clusters = StreamClusters.ofFigureSeven(efficiency);
                  return new Tick(
                      String.valueOf(efficiency),
                      clusters,
                      List.of(
                          clusters.operator(
                              "decompress", DECOMPRESSION_MAKES, DECOMPRESSION_CYCLES),
                          clusters.operator("filter", FILTER_LEAVES, cycles),
                          clusters.operator("project", 1, cycles),
                          clusters.operator("aggregate", AGGREGATE_LEAVES, AGGREGATE_CYCLES)));
                })
            .toList(),
        text(
            "Not given by the paper, and chosen, not fitted: 2 cores in each of 150 compute and 50"
                + " storage nodes, 40 Gbit/s, %.0f cycles for a byte to be decompressed, and the"
                + " arrivals.",
            DECOMPRESSION_CYCLES),
        new Stream(20, 50),
        new Runs(1, 10),
        SparkNdpFigures::ofFigureSeven);
  }

  private static List<Claim> ofFigureSeven(Curves curves) {
    int weakest = 0;
    int strongest = curves.all().size() - 1;
    return List.of(
        new Claim(
            "lambda-Flow is slower the less a storage core gets done",
            text("%.0f s to %.0f s", curves.all().get(strongest), curves.all().get(weakest)),
            curves.all().get(weakest) > curves.all().get(strongest)),
        new Claim(
            "Net-Aware is never slower than both",
            text(
                "%.2f to %.2f of the better one's time",
                1 - curves.gain(weakest, curves.betterExtreme(weakest)) / 100,
                1 - curves.gain(strongest, curves.betterExtreme(strongest)) / 100),
            IntStream.rangeClosed(weakest, strongest)
                .allMatch(tick -> curves.gain(tick, curves.betterExtreme(tick)) >= -1)),
        atLeast(
            "Net-Aware against the better of both, where it gains most: up to 88 %",
            1,
            IntStream.rangeClosed(weakest, strongest)
                .mapToDouble(tick -> curves.gain(tick, curves.betterExtreme(tick)))
                .max()
                .orElseThrow()));
  }

  private static Claim near(String what, double paper, double ours) {
    return new Claim(
        text("%s: %.0f %% less", what, paper),
        text("%.1f %%", ours),
        Math.abs(ours - paper) <= POINTS);
  }

  private static Claim atLeast(String what, double bound, double ours) {
    return new Claim(
        what + text(" less; holds from %.0f %% on", bound), text("%.1f %%", ours), ours >= bound);
  }

  private static String text(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
