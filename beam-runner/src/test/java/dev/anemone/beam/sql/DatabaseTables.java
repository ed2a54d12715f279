// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.extensions.sql.impl.TableName;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.FullNameTableProvider;

/** The tables of TPC-H in databases: it learns from each statement which tables there are. */
final class DatabaseTables extends FullNameTableProvider {

  private final List<String> asked = new ArrayList<>();

  /** The full names of the tables that were asked for. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  @Override
  public Table getTableByFullName(TableName name) {
    asked.add(name.toString());
    return table(name.getTableName());
  }

  /** Null when there is none: the planner asks for parts of longer names, too. */
  @Override
  public Table getTable(String name) {
    asked.add(name);
    return TpchCatalog.TABLES.containsKey(name) ? table(name) : null;
  }

  private static Table table(String name) {
    return Table.builder()
        .type("databases")
        .name(name)
        .schema(TpchCatalog.TABLES.get(name).getSchema())
        .build();
  }

  @Override
  public BeamSqlTable buildBeamSqlTable(Table table) {
    return TpchCatalog.TABLES.get(table.getName());
  }

  @Override
  public String getTableType() {
    return "databases";
  }

  @Override
  public Map<String, Table> getTables() {
    return Map.of();
  }

  @Override
  public void createTable(Table table) {
    throw new UnsupportedOperationException("read-only");
  }

  @Override
  public void dropTable(String name) {
    throw new UnsupportedOperationException("read-only");
  }
}
