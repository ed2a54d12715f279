// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import static dev.anemone.beam.metrics.TextTable.bytes;
import static dev.anemone.beam.metrics.TextTable.count;

import dev.anemone.runtime.engine.EdgeCounters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What went over the edges of a job, for people: a line for each edge. */
public final class EdgeTable {

  private static final String NO_EDGES = "Nothing went between the stages of this job.\n";
  private static final List<String> POOLED_TITLES = List.of("in pool", "overflowed", "from pool");
  private static final List<String> CACHED_TITLES = List.of("from cache");
  private static final List<String> TITLES =
      List.of(
          "edge",
          "records",
          "raw",
          "stored",
          "max task",
          "max/mean",
          "spills",
          "reads",
          "seeks",
          "pushed",
          "fallen back",
          "peak memory");

  private EdgeTable() {}

  /**
   * The table, a line break after every line. Bytes are in powers of 1000; {@code max task} is what
   * the consumer task that read most has read, before compression, and {@code max/mean} how many
   * times as much as the average one; {@code reads} are those of local files, {@code seeks} the
   * reads that did not go on where the one before had ended, and {@code peak memory} is what one
   * task had at most for the edge. Of jobs with a pool of remote memory, {@code in pool} is what of
   * {@code stored} lay there, {@code overflowed} what found no room, and {@code from pool} what
   * servers gave. Where processes keep copies of a pool's pages, {@code from cache} is what they
   * gave.
   *
   * @param edges by edge id, as {@link dev.anemone.runtime.engine.JobResult#edges()} gives them
   * @param readBytes likewise, {@link dev.anemone.runtime.engine.JobResult#readBytes()}
   */
  public static String of(Map<String, EdgeCounters> edges, Map<String, List<Long>> readBytes) {
    if (edges.isEmpty()) {
      return NO_EDGES;
    }
    Columns columns = Columns.of(edges.values());
    TextTable table = new TextTable(columns.row(TITLES, POOLED_TITLES, CACHED_TITLES));
    // Ids are a letter and a number, so the shorter one has the smaller number.
    edges.entrySet().stream()
        .sorted(
            Comparator.comparingInt((Map.Entry<String, EdgeCounters> e) -> firstId(e).length())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(
            e ->
                table.add(
                    columns.row(
                        row(
                            e.getKey(),
                            e.getValue(),
                            new TaskBytes(readBytes.getOrDefault(e.getKey(), List.of()))),
                        pooled(e.getValue().pooled()),
                        List.of(bytes(e.getValue().cached().cacheHitBytes())))));
    return table.print();
  }

  private static boolean isPooled(EdgeCounters counters) {
    return !counters.pooled().equals(EdgeCounters.Pooled.NONE);
  }

  private static List<String> pooled(EdgeCounters.Pooled pooled) {
    return List.of(
        bytes(pooled.poolWrittenBytes()),
        bytes(pooled.overflowedBytes()),
        bytes(pooled.poolReadBytes()));
  }

  private static boolean isCached(EdgeCounters counters) {
    return counters.cached().cacheHits() + counters.cached().cacheMisses() > 0;
  }

  /** Which columns there are besides the usual ones. */
  private record Columns(boolean pooled, boolean cached) {

    static Columns of(Collection<EdgeCounters> edges) {
      return new Columns(
          edges.stream().anyMatch(EdgeTable::isPooled),
          edges.stream().anyMatch(EdgeTable::isCached));
    }

    List<String> row(List<String> usual, List<String> ofPool, List<String> ofCache) {
      List<String> row = new ArrayList<>(usual);
      if (pooled) {
        row.addAll(ofPool);
      }
      if (cached) {
        row.addAll(ofCache);
      }
      return row;
    }
  }

  private static String firstId(Map.Entry<String, EdgeCounters> entry) {
    String ids = entry.getKey();
    int plus = ids.indexOf('+');
    return plus < 0 ? ids : ids.substring(0, plus);
  }

  private static List<String> row(String edge, EdgeCounters counters, TaskBytes read) {
    return List.of(
        edge,
        count(counters.written().records()),
        bytes(counters.written().rawBytes()),
        bytes(counters.written().storedBytes()),
        read.max(),
        read.maxToMean(),
        count(counters.spilled().spills()),
        count(counters.disk().diskReads()),
        count(counters.disk().diskSeeks()),
        bytes(counters.pushed().pushedBytes()),
        bytes(counters.pushed().fallenBackBytes()),
        bytes(counters.memoryPeakBytes()));
  }
}
