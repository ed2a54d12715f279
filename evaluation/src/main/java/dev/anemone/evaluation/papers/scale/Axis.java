// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.scale;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What grows from job to job. */
enum Axis {
  DATA("scale-data", "how does a job's time grow with its data?", "data / memory", 12),
  TASKS("scale-tasks", "how does a job's time grow with its tasks?", "tasks of a stage", 12),
  SKEW("scale-skew", "how does a job's time grow with skew?", "exponent of Zipf's law", 8);

  /** Less than this Spark does not start with. */
  static final int HEAP_MEGABYTES = 512;

  static final int DIRECT_MEGABYTES = 256;

  private static final long MEMORY_BYTES = (long) (HEAP_MEGABYTES + DIRECT_MEGABYTES) << 20;
  private static final int MANY_KEYS = 100_000;
  private static final int FEW_KEYS = 10_000;
  private static final int USUAL_TASKS = 16;

  private final String id;
  private final String question;
  private final String title;
  private final int minutes;

  Axis(String id, String question, String title, int minutes) {
    this.id = id;
    this.question = question;
    this.title = title;
    this.minutes = minutes;
  }

  String id() {
    return id;
  }

  String question() {
    return question;
  }

  /** What is beside the axis. */
  String title() {
    return title;
  }

  int minutes() {
    return minutes;
  }

  /** The jobs of a figure. */
  Jobs jobs(boolean full) {
    return switch (this) {
      case DATA -> {
        List<Double> times =
            full ? List.of(1.0, 5.0, 10.0, 20.0, 50.0) : List.of(0.125, 0.25, 0.5, 1.0, 2.0);
        yield new Jobs(
            times,
            times.stream()
                .map(x -> new GroupedRecords((long) (x * MEMORY_BYTES), tasks(x), MANY_KEYS, 0))
                .toList(),
            full ? 3 : 1,
            true);
      }
      case TASKS -> {
        List<Double> tasks = List.of(50.0, 200.0, 500.0, 1000.0, 2000.0);
        long bytes = full ? 2_000_000_000L : 100_000_000L;
        yield new Jobs(
            tasks,
            tasks.stream().map(x -> new GroupedRecords(bytes, x.intValue(), MANY_KEYS, 0)).toList(),
            full ? 5 : 1,
            true);
      }
      case SKEW -> {
        List<Double> exponents =
            IntStream.rangeClosed(0, 6).mapToObj(quarter -> quarter / 4.0).toList();
        long bytes = full ? 2_000_000_000L : 100_000_000L;
        yield new Jobs(
            exponents,
            exponents.stream()
                .map(x -> new GroupedRecords(bytes, USUAL_TASKS, FEW_KEYS, x))
                .toList(),
            full ? 5 : 2,
            true);
      }
    };
  }

  /** As many as keep what a task reads about as large. */
  private static int tasks(double timesMemory) {
    return (int) Math.max(USUAL_TASKS, USUAL_TASKS * timesMemory);
  }

  /** Where a job is on the curve that is fitted. */
  double fitted(double x, GroupedRecords job) {
    return this == SKEW ? job.leastMaxToMean() : x;
  }

  /** What is fitted against, in words. */
  String fittedTitle() {
    return switch (this) {
      case DATA -> "data";
      case TASKS -> "tasks";
      case SKEW -> "what the busiest task has to read";
    };
  }

  /**
   * Jobs of one axis.
   *
   * @param x of each
   * @param jobs one for each {@code x}
   * @param rounds how often each runs on each side
   * @param spark whether it runs on Spark, too
   */
  record Jobs(List<Double> x, List<GroupedRecords> jobs, int rounds, boolean spark) {

    String setUp() {
      GroupedRecords first = jobs.get(0);
      GroupedRecords last = jobs.get(jobs.size() - 1);
      return String.format(
          Locale.ROOT,
          "A group-by of records of 100 bytes, whole groups read: %,d to %,d MB, %d to %d tasks of"
              + " either stage, %,d keys by Zipf's law of exponent %s to %s; %d runs, the sides in"
              + " turn. A side has one JVM: %d MB of heap and %d MB beside it, Spark (3.5.0,"
              + " local[P], as many partitions as tasks) all %d MB as heap, since it has no use for"
              + " the other. Job time: from the start of the pipeline to its end, without that of"
              + " the JVM.",
          first.bytes() >> 20,
          last.bytes() >> 20,
          first.tasks(),
          last.tasks(),
          first.keys(),
          first.exponent(),
          last.exponent(),
          rounds,
          HEAP_MEGABYTES,
          DIRECT_MEGABYTES,
          HEAP_MEGABYTES + DIRECT_MEGABYTES);
    }
  }
}
