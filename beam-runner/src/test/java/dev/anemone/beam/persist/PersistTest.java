// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.pool.ServerOfAPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.Reify;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections that one pipeline leaves in a pool for others. */
@Tag("slow")
class PersistTest {

  @TempDir Path directory;

  private ServerOfAPool pool;

  @BeforeEach
  void start() throws IOException {
    pool = ServerOfAPool.start(directory);
  }

  @AfterEach
  void stop() throws IOException {
    pool.close();
  }

  private Pipeline pipeline() {
    return Pipeline.create(pool.options("--runner=NemoRunner"));
  }

  @Test
  void aCollectionIsKeptWithItsCoderAndTimestamps() throws IOException {
    Schema schema = Schema.builder().addInt32Field("id").addStringField("name").build();
    List<TimestampedValue<Row>> rows =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    TimestampedValue.of(
                        Row.withSchema(schema).addValues(i, "row " + i).build(),
                        Instant.ofEpochMilli(i)))
            .toList();
    Pipeline first = pipeline();
    first
        .apply(Create.timestamped(rows).withCoder(RowCoder.of(schema)))
        .apply(Persist.to("pool:///rows"));
    first.run().waitUntilFinish();

    Pipeline second = pipeline();
    PCollection<Row> read = second.apply(Persist.read("pool:///rows"));
    assertThat(read.getSchema()).isEqualTo(schema);
    PAssert.that(read.apply(Reify.timestamps())).containsInAnyOrder(rows);
    second.run().waitUntilFinish();

    assertThatThrownBy(() -> pipeline().apply(Create.of(1)).apply(Persist.to("pool:///rows")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("pool:///rows")
        .hasMessageContaining("Persist.delete");
    PipelineOptions options = pool.options();
    Persist.delete(options, "pool:///rows");
    assertThat(pool.server().status().usedBytes()).isZero();
    assertThatThrownBy(() -> pipeline().apply(Persist.<Row>read("pool:///rows")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("pool:///rows")
        .hasMessageContaining("Persist.to");
  }

  @Test
  void whatCannotBePersistedIsRefusedBeforeAnythingRuns() {
    Pipeline pipeline = pipeline();
    PCollection<KV<Integer, Integer>> windowed =
        pipeline
            .apply(Create.of(KV.of(1, 2)))
            .apply(Window.into(FixedWindows.of(Duration.standardMinutes(1))));
    assertThatThrownBy(() -> windowed.apply(Persist.to("pool:///a")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("GlobalWindows");
    assertThatThrownBy(
            () -> pipeline.apply("elsewhere", Create.of(1)).apply(Persist.to("pool://nowhere/a")))
        .isInstanceOf(InvalidPipelineException.class)
        .hasMessageContaining("pool://nowhere/a");
  }
}
