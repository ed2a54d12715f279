// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.impl.BeamTableStatistics;
import org.apache.beam.sdk.extensions.sql.meta.BaseBeamTable;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A side of a join that was thought to be small, and is larger than the heap, lies on disk. */
@Tag("slow")
class BroadcastMemoryTest {

  private static final int CHUNKS = 100;
  private static final int ROWS_OF_CHUNK = 8_000;
  private static final String JOINED = "joined ";

  @TempDir private Path directory;

  @Test
  void broadcastSideMayBeLargerThanTheHeap() throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(output).content().contains(JOINED + 2L * CHUNKS);
    assertThat(process.exitValue()).isZero();
  }

  /** Joins a few rows with many. */
  static final class Program {

    private static final Schema KEYS = Schema.builder().addInt64Field("k").build();
    private static final Schema VALUES =
        Schema.builder().addInt64Field("id").addStringField("v").build();

    private Program() {}

    public static void main(String[] args) {
      // One key of each chunk, twice.
      List<Row> keys =
          Stream.iterate(0L, key -> key + ROWS_OF_CHUNK)
              .limit(CHUNKS)
              .flatMap(key -> Stream.of(key, key))
              .map(key -> Row.withSchema(KEYS).addValue(key).build())
              .toList();
      SqlRun.Result result =
          new SqlRun(
                  Map.of(
                      "few", new MemoryTable(KEYS, keys, 1e9),
                      "many", new Generated()),
                  "--columnar=off",
                  "--parallelism=4")
              .run("SELECT k, v FROM few JOIN many ON k = id");
      System.out.println(JOINED + result.rows().size());
    }

    /** A table that says that it has one row. */
    private static final class Generated extends BaseBeamTable {

      @Override
      public PCollection<Row> buildIOReader(PBegin begin) {
        return begin
            .apply(Create.of(IntStream.range(0, CHUNKS).boxed().toList()))
            .apply(ParDo.of(new Rows()))
            .setRowSchema(VALUES);
      }

      @Override
      public POutput buildIOWriter(PCollection<Row> input) {
        throw new UnsupportedOperationException("only read");
      }

      @Override
      public BeamTableStatistics getTableStatistics(PipelineOptions options) {
        return BeamTableStatistics.createBoundedTableStatistics(1.0);
      }

      @Override
      public IsBounded isBounded() {
        return IsBounded.BOUNDED;
      }

      @Override
      public Schema getSchema() {
        return VALUES;
      }
    }

    private static final class Rows extends DoFn<Integer, Row> {
      private static final long serialVersionUID = 1L;

      @ProcessElement
      public void process(@Element Integer chunk, OutputReceiver<Row> output) {
        String text = "x".repeat(300);
        for (int i = 0; i < ROWS_OF_CHUNK; i++) {
          long id = (long) chunk * ROWS_OF_CHUNK + i;
          output.output(Row.withSchema(VALUES).addValues(id, text + id).build());
        }
      }
    }
  }
}
