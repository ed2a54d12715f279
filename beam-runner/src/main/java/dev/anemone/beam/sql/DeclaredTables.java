// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.extensions.sql.impl.BeamCalciteSchema;
import org.apache.beam.sdk.extensions.sql.impl.CatalogManagerSchema;
import org.apache.beam.sdk.extensions.sql.impl.CatalogSchema;
import org.apache.beam.sdk.extensions.sql.impl.JdbcConnection;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.jdbc.CalciteSchema;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.schema.Schema;

/** Finds what a statement declared a table to be: its type, location and properties. */
final class DeclaredTables {

  private final JdbcConnection connection;

  DeclaredTables(JdbcConnection connection) {
    this.connection = connection;
  }

  /** The table of a name with all its schemas; empty when no provider of Beam SQL knows it. */
  Optional<Table> find(List<String> name) {
    return provider(name).map(provider -> provider.getTable(name.get(name.size() - 1)));
  }

  /** What knows the table of a name with all its schemas. */
  Optional<TableProvider> provider(List<String> name) {
    CalciteSchema schema = CalciteSchema.from(connection.getRootSchema());
    for (String part : name.subList(0, name.size() - 1)) {
      schema = schema.subSchemas().get(part);
      if (schema == null) {
        return Optional.empty();
      }
    }
    return tables(schema.schema).map(BeamCalciteSchema::getTableProvider);
  }

  /** A name without a catalog or a database is of those that are in use. */
  private static Optional<BeamCalciteSchema> tables(Schema schema) {
    if (schema instanceof CatalogManagerSchema catalogs) {
      return tables(catalogs.getCurrentCatalogSchema());
    }
    if (schema instanceof CatalogSchema catalog) {
      return Optional.ofNullable(catalog.getCurrentDatabaseSchema());
    }
    return schema instanceof BeamCalciteSchema tables ? Optional.of(tables) : Optional.empty();
  }
}
