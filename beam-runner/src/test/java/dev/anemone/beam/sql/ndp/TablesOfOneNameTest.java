// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.extensions.sql.meta.store.InMemoryMetaStore;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that have one name in two schemas are two tables. */
class TablesOfOneNameTest {

  private static final Schema COLUMNS =
      Schema.builder().addInt64Field("id").addStringField("word").build();

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed", "off"})
  void areJoinedEachWithItsOwnRows(String columnar) throws IOException {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--columnar=" + columnar)
                .create());

    PCollection<Row> joined =
        pipeline.apply(
            SqlTransform.query(
                    "SELECT a.word, b.word AS other FROM t a JOIN two.t b ON a.id = b.id")
                .withDefaultTableProvider("one", schema("one", "1|first\n2|second\n"))
                .withTableProvider("two", schema("two", "2|zwei\n3|drei\n"))
                .withQueryPlannerClass(AnemoneQueryPlanner.class));

    PAssert.that(joined)
        .containsInAnyOrder(Row.withSchema(joined.getSchema()).addValues("second", "zwei").build());
    pipeline.run().waitUntilFinish();
  }

  private TableProvider schema(String name, String lines) throws IOException {
    Path file = Files.writeString(directory.resolve(name + ".csv"), lines);
    InMemoryMetaStore store = new InMemoryMetaStore();
    store.registerProvider(new NdpTableProvider());
    store.createTable(
        Table.builder()
            .type("ndp")
            .name("t")
            .location(file.toString())
            .schema(COLUMNS)
            .properties(
                new ObjectMapper().createObjectNode().put("format", "csv").put("delimiter", "|"))
            .build());
    return store;
  }
}
