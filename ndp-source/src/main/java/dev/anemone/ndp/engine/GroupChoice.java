// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.ParquetFile.RowGroup;
import dev.anemone.ndp.engine.split.Split;
import java.util.ArrayList;
import java.util.List;

/**
 * The row groups of a Parquet file that a plan on a split reads: ranges of neighbours, each of
 * which is scanned on its own, since the engine leaves out groups only before the first and after
 * the last that a scan wants.
 *
 * @param ranges in the order of the file
 * @param skipped how many groups of the split are not read
 */
record GroupChoice(List<List<RowGroup>> ranges, int skipped) {

  /** Each scan reads the footer once more. */
  private static final int MOST_RANGES = 8;

  GroupChoice {
    ranges = ranges.stream().map(List::copyOf).toList();
  }

  /** The groups of a split in which a row may pass. */
  static GroupChoice of(ParquetFile parquet, Split split, GroupFilter filter) {
    List<RowGroup> mine = parquet.groups().stream().filter(group -> group.isIn(split)).toList();
    List<List<RowGroup>> ranges = new ArrayList<>();
    long end = -1;
    for (RowGroup group : mine) {
      if (filter.mayPass(group)) {
        if (group.firstRow() != end) {
          ranges.add(new ArrayList<>());
        }
        ranges.get(ranges.size() - 1).add(group);
        end = group.firstRow() + group.rows();
      }
    }
    while (ranges.size() > MOST_RANGES && joinNearest(ranges, mine)) {
      // Until there are few enough, or only groups of other splits are between them.
    }
    GroupChoice choice = new GroupChoice(ranges, 0);
    List<RowGroup> read = choice.groups();
    return new GroupChoice(
        ranges, (int) mine.stream().filter(group -> !read.contains(group)).count());
  }

  /**
   * Makes one of the two ranges between which the fewest groups lie, with these, all of the split.
   *
   * @return false where there are none
   */
  private static boolean joinNearest(List<List<RowGroup>> ranges, List<RowGroup> mine) {
    int nearest = -1;
    List<RowGroup> between = List.of();
    for (int i = 0; i < ranges.size() - 1; i++) {
      long from = end(ranges.get(i));
      long to = ranges.get(i + 1).get(0).firstRow();
      List<RowGroup> gap =
          mine.stream().filter(group -> group.firstRow() >= from && group.firstRow() < to).toList();
      boolean isWhole = gap.stream().mapToLong(RowGroup::rows).sum() == to - from;
      if (isWhole && (nearest < 0 || gap.size() < between.size())) {
        nearest = i;
        between = gap;
      }
    }
    if (nearest < 0) {
      return false;
    }
    ranges.get(nearest).addAll(between);
    ranges.get(nearest).addAll(ranges.remove(nearest + 1));
    return true;
  }

  private static long end(List<RowGroup> range) {
    RowGroup last = range.get(range.size() - 1);
    return last.firstRow() + last.rows();
  }

  /** The same groups, in a file that has no others. */
  GroupChoice allOf(ParquetFile chosen) {
    return new GroupChoice(
        chosen.groups().isEmpty() ? List.of() : List.of(chosen.groups()), skipped);
  }

  /** The groups that are read. */
  List<RowGroup> groups() {
    return ranges.stream().flatMap(List::stream).toList();
  }

  /** The conditions for the rows of each range; {@code n} is a row's number in the file. */
  List<String> conditions(ParquetFile parquet) {
    return ranges.stream()
        .map(
            range ->
                range.equals(parquet.groups())
                    ? "true"
                    : "n >= " + range.get(0).firstRow() + " AND n < " + end(range))
        .toList();
  }
}
