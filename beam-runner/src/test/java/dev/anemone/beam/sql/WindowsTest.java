// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.meta.provider.ReadOnlyTableProvider;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.WithTimestamps;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;

/** Queries on collections in windows of ten milliseconds. */
class WindowsTest {

  private static final Schema SCHEMA = Schema.builder().addInt64Field("ms").build();
  private static final Map<String, Queue<String>> RESULTS = new ConcurrentHashMap<>();

  private final Pipeline pipeline =
      Pipeline.create(
          PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--parallelism=2").create());

  /** Rows with the time at which they are. */
  private PCollection<Row> rows(String name, long... times) {
    return pipeline
        .apply(
            name,
            Create.of(
                    LongStream.of(times)
                        .mapToObj(at -> Row.withSchema(SCHEMA).addValues(at).build())
                        .toList())
                .withRowSchema(SCHEMA))
        .apply(
            name + " at", WithTimestamps.of((Row row) -> Instant.ofEpochMilli(row.getInt64("ms"))))
        .setRowSchema(SCHEMA)
        .apply(name + " windows", Window.into(FixedWindows.of(Duration.millis(10))));
  }

  /** Each row as its values and its timestamp. */
  private List<String> run(PCollection<Row> rows) {
    String run = UUID.randomUUID().toString();
    RESULTS.put(run, new ConcurrentLinkedQueue<>());
    rows.apply(ParDo.of(new CollectFn(run)));
    pipeline.run().waitUntilFinish();
    return List.copyOf(RESULTS.remove(run));
  }

  private static SqlTransform query(String text) {
    return SqlTransform.query(text).withQueryPlannerClass(AnemoneQueryPlanner.class);
  }

  @Test
  void aLimitIsOfAllWindows() {
    assertThat(run(rows("t", 3, 11, 12, 25, 38).apply(query("SELECT * FROM PCOLLECTION LIMIT 2"))))
        .hasSize(2);
  }

  @Test
  void anOrderWithALimitIsOfAllWindows() {
    assertThat(
            run(
                rows("t", 3, 11, 12, 25, 38)
                    .apply(query("SELECT * FROM PCOLLECTION ORDER BY ms DESC LIMIT 2 OFFSET 1"))))
        .extracting(row -> row.split(" ", -1)[0])
        .containsExactlyInAnyOrder("[25]", "[12]");
  }

  @Test
  void aRowOfAShuffledJoinIsAtTheTimeOfTheEarlier() {
    PCollection<Row> joined =
        PCollectionTuple.of(new TupleTag<>("l"), rows("l", 3, 14, 27))
            .and(new TupleTag<>("r"), rows("r", 5, 12, 38))
            .apply(query("SELECT l.ms, r.ms FROM l JOIN r ON l.ms / 10 = r.ms / 10"));

    assertThat(run(joined)).containsExactlyInAnyOrder("[3, 5] 3", "[14, 12] 12");
  }

  /** By their sizes, one of them would be broadcast. */
  @Test
  void soIsARowOfAJoinOfSmallTablesInWindows() {
    String windowed = "TABLE(TUMBLE(TABLE %1$s, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS %1$s";
    PCollection<Row> joined =
        pipeline.apply(
            query(
                    "SELECT l.k, l.ts, r.ts FROM %s JOIN %s ON l.k = r.k"
                        .formatted(windowed.formatted("l"), windowed.formatted("r")))
                .withDefaultTableProvider(
                    "test",
                    new ReadOnlyTableProvider(
                        "test", Map.of("l", table(3, 14, 27), "r", table(5, 12, 38)))));

    assertThat(run(joined))
        .containsExactlyInAnyOrder(
            "[1, 1970-01-01T00:00:03.000Z, 1970-01-01T00:00:05.000Z] 3000",
            "[1, 1970-01-01T00:00:14.000Z, 1970-01-01T00:00:12.000Z] 12000");
  }

  /** Rows with one key, and times in seconds. */
  private static MemoryTable table(long... seconds) {
    Schema schema = Schema.builder().addInt64Field("k").addDateTimeField("ts").build();
    return new MemoryTable(
        schema,
        LongStream.of(seconds)
            .mapToObj(s -> Row.withSchema(schema).addValues(1L, Instant.ofEpochSecond(s)).build())
            .toList(),
        seconds.length);
  }

  @Test
  void whatIsInOtherWindowsIsJoinedInTheGlobalOne() {
    PCollection<Row> other =
        rows("b", 3, 15).apply(Window.into(FixedWindows.of(Duration.millis(20))));
    PCollection<Row> joined =
        PCollectionTuple.of(new TupleTag<>("a"), rows("a", 3, 14))
            .and(new TupleTag<>("b"), other)
            .apply(query("SELECT a.ms, b.ms FROM a JOIN b ON a.ms = b.ms"));

    assertThat(run(joined)).extracting(row -> row.split("]", -1)[0]).containsExactly("[3, 3");
  }

  private static final class CollectFn extends DoFn<Row, Void> {
    private static final long serialVersionUID = 1L;

    private final String run;

    CollectFn(String run) {
      this.run = run;
    }

    @ProcessElement
    public void process(@Element Row row, @Timestamp Instant at) {
      RESULTS.get(run).add(row.getValues() + " " + at.getMillis());
    }
  }
}
