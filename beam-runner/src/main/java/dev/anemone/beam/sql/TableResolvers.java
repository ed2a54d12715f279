// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.TableNameExtractionUtils;
import org.apache.beam.sdk.extensions.sql.impl.BeamCalciteSchema;
import org.apache.beam.sdk.extensions.sql.impl.JdbcConnection;
import org.apache.beam.sdk.extensions.sql.impl.TableName;
import org.apache.beam.sdk.extensions.sql.meta.CustomTableResolver;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.jdbc.CalciteSchema;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.schema.lookup.LikePattern;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.schema.lookup.Lookup;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlNode;

/**
 * Tells the table providers that resolve names of several parts, such as {@code FROM db.table},
 * which tables a statement names. Beam SQL's planner does so before it validates a statement, and
 * such providers know no table before.
 */
final class TableResolvers {

  private TableResolvers() {}

  /** Tells each of the connection's schemas the names that begin with it, without it. */
  static void tell(JdbcConnection connection, SqlNode statement) {
    List<TableName> names = TableNameExtractionUtils.extractTableNamesFromNode(statement);
    String current = currentSchema(connection);
    Lookup<CalciteSchema> all = CalciteSchema.from(connection.getRootSchema()).subSchemas();
    Set<String> schemas = all.getNames(LikePattern.any());
    for (String schema : schemas) {
      if (all.get(schema).schema instanceof BeamCalciteSchema tables
          && tables.getTableProvider() instanceof CustomTableResolver resolver) {
        resolver.registerKnownTableNames(
            names.stream()
                .flatMap(name -> within(schema, name, schema.equals(current), schemas))
                .toList());
      }
    }
  }

  /** The name as the schema knows it, or nothing if it names a table of another one. */
  private static Stream<TableName> within(
      String schema, TableName name, boolean isCurrent, Set<String> schemas) {
    if (name.isCompound() && name.getPrefix().equals(schema)) {
      return Stream.of(name.removePrefix());
    }
    return isCurrent && !(name.isCompound() && schemas.contains(name.getPrefix()))
        ? Stream.of(name)
        : Stream.of();
  }

  private static String currentSchema(JdbcConnection connection) {
    try {
      return connection.getSchema();
    } catch (SQLException e) {
      throw new IllegalStateException("The connection does not say which schema is its own.", e);
    }
  }
}
