// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.message.ShuffleSizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Says for people what a plan does, and what it would have liked to do. */
final class RangeNotes {

  /** Of more partitions of a kind only the number is said. */
  private static final int SHOWN = 5;

  private final RangePlan plan;
  private final ShuffleSizes message;
  private final double total;

  private RangeNotes(RangePlan plan, ShuffleSizes message) {
    this.plan = plan;
    this.message = message;
    this.total = plan.estimate().total();
  }

  static List<String> of(RangePlan plan, ShuffleSizes message) {
    RangeNotes notes = new RangeNotes(plan, message);
    List<String> lines = new ArrayList<>(List.of(notes.ranges()));
    if (plan.tasks() < plan.consumer().tasks()) {
      lines.add(notes.tasks());
    }
    lines.addAll(notes.divided());
    lines.addAll(notes.tooLarge());
    return lines;
  }

  private String ranges() {
    String source =
        plan.estimate().exact()
            ? "measured in all producer tasks"
            : "estimated from "
                + message.shuffles().stream()
                    .map(s -> s.sampledTasks() + " of " + s.tasks())
                    .collect(Collectors.joining(" and "))
                + " producer tasks";
    String even = number(plan.present().maxByMean());
    return plan.ranges()
        .map(
            ranges ->
                what()
                    + " drawn: the largest task has "
                    + number(LoadSpread.of(ranges.loads()).maxByMean())
                    + " times the mean, with the ranges of before "
                    + even
                    + " times, "
                    + source)
        .orElseGet(
            () ->
                what()
                    + " stay as they are: the largest task has "
                    + even
                    + " times the mean, and no others would make that much better, "
                    + source);
  }

  private String what() {
    return "ranges of " + plan.consumer().edges();
  }

  private String tasks() {
    return plan.consumer().tasks()
        + " tasks of "
        + plan.consumer().shuffles().get(0).edge().to()
        + " become "
        + plan.tasks()
        + ": it reads about "
        + bytes(total);
  }

  private List<String> divided() {
    boolean recombines = plan.consumer().recombiner().isPresent();
    List<String> lines = new ArrayList<>();
    List<Integer> largest =
        largestFirst(plan.divided().keySet().stream().mapToInt(Integer::intValue));
    for (int partition : largest.subList(0, Math.min(SHOWN, largest.size()))) {
      String how =
          recombines
              ? " tasks of " + plan.consumer().recombiner().get().vertex().id()
              : " tasks, by what the producers of " + side(partition) + " wrote";
      lines.add(
          described(partition) + ", and is divided among " + plan.divided().get(partition) + how);
    }
    return withRest(lines, largest.size(), " more partitions are divided");
  }

  private String side(int partition) {
    return plan.division().method() instanceof JoinDivision join
        ? join.side(partition).edges().get(0)
        : "";
  }

  private List<String> tooLarge() {
    double fair = total / plan.tasks();
    double[] bytes = plan.estimate().bytes();
    DivisionMethod method = plan.division().method();
    List<Integer> largest =
        largestFirst(
            IntStream.range(0, bytes.length)
                .filter(partition -> bytes[partition] > fair)
                .filter(partition -> method.mostShares(partition) == 1));
    List<String> lines = new ArrayList<>();
    if (plan.tasks() == 1) {
      return lines;
    }
    String reason =
        plan.division().reason().isEmpty()
            ? "what makes it large was written by one task"
            : plan.division().reason();
    for (int partition : largest.subList(0, Math.min(SHOWN, largest.size()))) {
      lines.add(described(partition) + ", and cannot be divided: " + reason);
    }
    return withRest(lines, largest.size(), " more partitions are too large for one task");
  }

  private List<Integer> largestFirst(IntStream partitions) {
    return partitions
        .boxed()
        .sorted(
            Comparator.comparing((Integer p) -> -plan.estimate().bytes()[p]).thenComparing(p -> p))
        .toList();
  }

  private static List<String> withRest(List<String> lines, int all, String what) {
    if (all > SHOWN) {
      lines.add((all - SHOWN) + what);
    }
    return lines;
  }

  private String described(int partition) {
    double bytes = plan.estimate().bytes()[partition];
    return "partition "
        + partition
        + " of "
        + plan.consumer().edges()
        + " holds "
        + Math.round(100 * bytes / total)
        + " % of the bytes, "
        + number(bytes * plan.tasks() / total)
        + " fair shares";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** A number of bytes, as a person reads it. */
  static String bytes(double bytes) {
    if (bytes >= 1L << 30) {
      return number(bytes / (1L << 30)) + " GiB";
    }
    return bytes >= 1L << 20 ? number(bytes / (1L << 20)) + " MiB" : Math.round(bytes) + " bytes";
  }
}
