// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.workload.RecordGrouping;
import dev.anemone.evaluation.lab.workload.RecordGrouping.GroupingReport;
import dev.anemone.evaluation.lab.workload.SyntheticRecords;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A group-by of records that are made as they are read, so that its shuffle takes most of its time.
 *
 * @param tasks of either stage
 * @param right what was made
 * @param report where a run says what it has found
 * @param options further ones of the runner
 */
public record GroupByWorkload(
    long records, int tasks, RecordTotals right, Path report, List<String> options)
    implements Workload {
  /** How many keys there are. */
  public static final int KEYS = 100_000;

  /** A group-by of so many MB. */
  public static GroupByWorkload of(int megabytes, int tasks, Path report, String... options) {
    long records = megabytes * 1_000_000L / SyntheticRecords.RECORD_BYTES;
    return new GroupByWorkload(
        records,
        tasks,
        RecordGrouping.records(records, KEYS, 0).totals(),
        report,
        List.of(options));
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "a group-by of %,d MB, %d tasks of either stage, %,d keys",
        inputBytes() / 1_000_000,
        tasks,
        KEYS);
  }

  @Override
  public long inputBytes() {
    return records * SyntheticRecords.RECORD_BYTES;
  }

  @Override
  public Class<?> program() {
    return RecordGrouping.class;
  }

  @Override
  public List<String> arguments() {
    return Arguments.of(
        "--runner=NemoRunner",
        "--parts=" + tasks,
        "--records=" + records,
        "--keys=" + KEYS,
        "--exponent=0",
        "--figures=" + report,
        "--parallelism=" + tasks,
        "--passOptions=targetBytesPerTask=1",
        options);
  }

  @Override
  public void check(String side) throws IOException {
    RecordTotals found =
        new ObjectMapper().readValue(report.toFile(), GroupingReport.class).totals();
    if (!found.equals(right)) {
      throw new ExperimentFailure(
          "The group-by with %s is wrong, so its figures mean nothing: it found %s, and %s was"
              + " made.",
          side, found, right);
    }
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(report);
  }
}
