// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.examples.PipelineRuns;
import dev.anemone.shell.rows.CollectedRows;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectedRowsTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .addInt32Field("number")
          .addNullableField("amount", FieldType.DECIMAL)
          .addField("day", FieldType.logicalType(SqlTypes.DATE))
          .build();

  @TempDir private Path directory;

  private final Pipeline pipeline =
      Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());

  @Test
  void everyRowComesBackWithItsTypes() throws IOException {
    List<Row> rows = IntStream.range(0, 1_000).mapToObj(CollectedRowsTest::row).toList();

    assertThat(collect(pipeline.apply(Create.of(rows).withRowSchema(SCHEMA))))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void anEmptyResultHasNoRows() throws IOException {
    assertThat(collect(pipeline.apply(Create.empty(SCHEMA)))).isEmpty();
  }

  @Test
  void rowsOfSeveralWindowsComeBackTogether() throws IOException {
    List<Row> rows = List.of(row(1), row(2), row(3));
    PCollection<Row> windowed =
        pipeline
            .apply(
                Create.timestamped(
                        rows.stream()
                            .map(row -> TimestampedValue.of(row, minute(row.getInt32("number"))))
                            .toList())
                    .withCoder(RowCoder.of(SCHEMA)))
            .setRowSchema(SCHEMA)
            .apply(Window.into(FixedWindows.of(Duration.standardMinutes(1))));

    assertThat(collect(windowed)).containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void closingDeletesTheFiles() throws IOException {
    collect(pipeline.apply(Create.of(row(1)).withRowSchema(SCHEMA)));

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  private List<Row> collect(PCollection<Row> rows) throws IOException {
    try (CollectedRows collected = CollectedRows.in(directory.toString())) {
      collected.collect(rows);
      PipelineRuns.complete(pipeline);
      return collected.read();
    }
  }

  private static Instant minute(int minute) {
    return Instant.EPOCH.plus(Duration.standardMinutes(minute));
  }

  private static Row row(int number) {
    return Row.withSchema(SCHEMA)
        .addValues(
            number,
            number % 7 == 0 ? null : new BigDecimal(number + ".50"),
            LocalDate.ofEpochDay(number))
        .build();
  }
}
