// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.sql;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.transforms.ExternalTransformBuilder;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.Row;

/** Makes a query that {@link AnemoneQueryPlanner} plans. Stateless. */
public final class SqlTransformBuilder
    implements ExternalTransformBuilder<SqlTransformBuilder.Query, PInput, PCollection<Row>> {

  private static final String DIALECT = "calcite";

  /** What another SDK says of a query. Beam fills it by its setters. Used by one thread. */
  public static final class Query {
    private String query = "";
    private String dialect = DIALECT;
    private String ddl = "";

    /** The text of the query. */
    public void setQuery(String query) {
      this.query = query;
    }

    /** The dialect of SQL; null for the only one there is. */
    public void setDialect(String dialect) {
      if (dialect != null) {
        this.dialect = dialect;
      }
    }

    /** The statements that declare tables; null for none. */
    public void setDdl(String ddl) {
      if (ddl != null) {
        this.ddl = ddl;
      }
    }
  }

  /**
   * The transform of a query.
   *
   * @throws IllegalArgumentException when it asks for a dialect that there is not
   */
  @Override
  public PTransform<PInput, PCollection<Row>> buildExternal(Query asked) {
    if (!asked.dialect.equals(DIALECT)) {
      throw new IllegalArgumentException(
          "There is no dialect '"
              + asked.dialect
              + "' of SQL. Leave it out, or give '"
              + DIALECT
              + "'.");
    }
    SqlTransform transform =
        SqlTransform.query(asked.query).withQueryPlannerClass(AnemoneQueryPlanner.class);
    return asked.ddl.isEmpty() ? transform : transform.withDdlString(asked.ddl);
  }
}
