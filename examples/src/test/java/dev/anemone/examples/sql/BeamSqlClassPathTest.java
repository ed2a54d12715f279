// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.examples.PipelineRuns;
import dev.anemone.shell.rows.CollectedRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build leaves out most of what Beam SQL depends on; a user's SqlTransform must still work. */
@Tag("slow")
class BeamSqlClassPathTest {

  @TempDir private Path directory;

  @Test
  void everyTableProviderOfBeamSqlLoads() {
    assertThat(ServiceLoader.load(TableProvider.class))
        .extracting(TableProvider::getTableType)
        .contains("text", "avro", "bigquery", "mongodb");
  }

  @Test
  void aSqlTransformWithItsDefaultSettingsRuns() throws IOException {
    Schema schema = Schema.builder().addStringField("name").addInt64Field("amount").build();
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
    PCollection<Row> rows =
        pipeline
            .apply(
                Create.of(
                        Row.withSchema(schema).addValues("a", 1L).build(),
                        Row.withSchema(schema).addValues("b", 2L).build(),
                        Row.withSchema(schema).addValues("a", 3L).build())
                    .withRowSchema(schema))
            .apply(
                SqlTransform.query(
                    "SELECT name, SUM(amount) AS total FROM PCOLLECTION GROUP BY name"));
    try (CollectedRows collected = CollectedRows.in(directory.toString())) {
      collected.collect(rows);
      PipelineRuns.complete(pipeline);
      assertThat(collected.read())
          .extracting(Row::getValues)
          .extracting(Object::toString)
          .containsExactlyInAnyOrder("[a, 4]", "[b, 2]");
    }
  }
}
