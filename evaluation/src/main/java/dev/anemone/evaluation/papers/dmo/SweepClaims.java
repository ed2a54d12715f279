// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.job.JobCost;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/** What the paper says of Figures 7 to 9, and what a sweep says. */
record SweepClaims(MemorySweep sweep) {
  private static final double MOST_FOR_REMOTE = 1.2;

  /** What differs by less is no clear gain. */
  private static final double CLEAR = 10;

  List<Claim> ofTime(Kind kind) {
    return switch (kind) {
      case SORT ->
          List.of(
              least(),
              gain("a pool is up to 40 % faster", Place.POOL, Place.FILES, 20),
              remote("10.5 %"));
      case RANK -> List.of(crosses(), remote("9.1 %"));
      case JOIN ->
          List.of(
              gain("a pool is up to 59.5 % faster", Place.POOL, Place.FILES, 29.75),
              remote("18 %"));
    };
  }

  List<Claim> ofCopies(Kind kind) {
    if (kind == Kind.SORT) {
      return List.of(
          gain("copies take up to 52 % less again", Place.CACHED, Place.POOL, 26),
          gain("with them up to 72 % less than in files", Place.CACHED, Place.FILES, 36));
    }
    double most = most(gains(Place.CACHED, Place.POOL, JobCost::seconds));
    return List.of(
        new Claim(
            "no clear gain by copies",
            String.format(Locale.ROOT, "up to %.1f %% less", most),
            most < CLEAR));
  }

  List<Claim> ofCollecting(Kind kind) {
    if (kind == Kind.JOIN) {
      List<Double> ratios = sweep.ratios(Place.POOL, Place.FILES, JobCost::gcSeconds);
      double last = ratios.isEmpty() ? Double.NaN : ratios.get(ratios.size() - 1);
      return List.of(
          new Claim(
              "with little memory a pool can be worse",
              String.format(Locale.ROOT, "%.2f times the time, with the least memory", last),
              last > 1));
    }
    double most = most(gains(Place.POOL, Place.FILES, JobCost::gcSeconds));
    return List.of(
        new Claim(
            "up to 42 % less time for GC",
            String.format(Locale.ROOT, "up to %.1f %% less", most), most >= 21));
  }

  private Claim least() {
    OptionalInt files = sweep.leastMegabytes(Place.FILES);
    OptionalInt pool = sweep.leastMegabytes(Place.POOL);
    return new Claim(
        "a pool ends with less memory: 410 GB, in files 600",
        text(pool) + ", in files " + text(files),
        pool.isPresent() && (files.isEmpty() || pool.getAsInt() < files.getAsInt()));
  }

  private static String text(OptionalInt megabytes) {
    return megabytes.isPresent() ? megabytes.getAsInt() + " MB" : "never";
  }

  private Claim gain(String paper, Place place, Place than, double half) {
    double most = most(gains(place, than, JobCost::seconds));
    return new Claim(paper, String.format(Locale.ROOT, "up to %.1f %% less", most), most >= half);
  }

  private Claim remote(String worst) {
    List<Double> ratios = sweep.ratios(Place.PMEM, Place.POOL, JobCost::seconds);
    double most = ratios.isEmpty() ? Double.NaN : Collections.max(ratios);
    return new Claim(
        "PMEM costs at worst " + worst + " over DRAM",
        String.format(Locale.ROOT, "%.1f %%", 100 * (most - 1)),
        most <= MOST_FOR_REMOTE);
  }

  /** Files are best where there is much memory, the pool where there is little. */
  private Claim crosses() {
    List<Double> ratios = sweep.ratios(Place.POOL, Place.FILES, JobCost::seconds);
    if (ratios.isEmpty()) {
      return new Claim("Spark is best with much memory only", "nothing finished", false);
    }
    double first = ratios.get(0);
    double last = ratios.get(ratios.size() - 1);
    return new Claim(
        "Spark is best with much memory only",
        String.format(
            Locale.ROOT,
            "a pool takes %.2f of its time with the most, %.2f with the least",
            first,
            last),
        first >= 1 && last < 1);
  }

  /** By how many percent one place has less than another. */
  private List<Double> gains(Place place, Place than, ToDoubleFunction<JobCost> figure) {
    return sweep.ratios(place, than, figure).stream().map(ratio -> 100 * (1 - ratio)).toList();
  }

  private static double most(List<Double> gains) {
    return gains.isEmpty() ? Double.NaN : Collections.max(gains);
  }
}
