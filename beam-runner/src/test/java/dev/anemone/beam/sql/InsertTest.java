// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.meta.provider.text.TextTableProvider;
import org.apache.beam.sdk.extensions.sql.meta.store.InMemoryMetaStore;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an INSERT writes is planned as any query is. */
class InsertTest {
  private static final String ROWS = "(VALUES (1, 'a'), (2, 'b'), (3, 'c')) AS t (n, s)";

  @TempDir private Path directory;

  @Test
  void theRowsOfAQueryAreWritten() throws IOException {
    // Beam's own planner knows no ORDER BY without LIMIT, and nobody CONCAT.
    insert("INSERT INTO written SELECT n + 1, CONCAT(s, 'x') FROM " + ROWS + " ORDER BY n");

    assertThat(written()).containsExactlyInAnyOrder("2,ax", "3,bx", "4,cx");
  }

  @Test
  void aLimitLeavesTheFirstRows() throws IOException {
    insert("INSERT INTO written SELECT n, s FROM " + ROWS + " ORDER BY s DESC LIMIT 2");

    assertThat(written()).containsExactlyInAnyOrder("3,c", "2,b");
  }

  private void insert(String statement) {
    InMemoryMetaStore tables = new InMemoryMetaStore();
    tables.registerProvider(new TextTableProvider());
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs("--runner=NemoRunner").create());
    pipeline.apply(
        SqlTransform.query(statement)
            .withDefaultTableProvider("files", tables)
            .withDdlString(
                "CREATE EXTERNAL TABLE written (n INTEGER, s VARCHAR) TYPE text LOCATION '"
                    + directory.resolve("written")
                    + "'")
            .withQueryPlannerClass(AnemoneQueryPlanner.class));
    pipeline.run().waitUntilFinish();
  }

  private List<String> written() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }
}
