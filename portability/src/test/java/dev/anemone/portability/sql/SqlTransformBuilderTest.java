// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class SqlTransformBuilderTest {

  private static SqlTransformBuilder.Query query(String dialect) {
    SqlTransformBuilder.Query query = new SqlTransformBuilder.Query();
    query.setQuery("SELECT 1 AS answer");
    query.setDialect(dialect);
    query.setDdl(null);
    return query;
  }

  @Test
  void aQueryIsPlanned() {
    PCollection<Row> rows =
        Pipeline.create()
            .begin()
            .apply("query", new SqlTransformBuilder().buildExternal(query(null)));

    assertThat(rows.getSchema().getFieldNames()).containsExactly("answer");
  }

  @Test
  void anotherDialectIsRefused() {
    assertThatThrownBy(() -> new SqlTransformBuilder().buildExternal(query("zetasql")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no dialect 'zetasql'")
        .hasMessageContaining("'calcite'");
  }
}
