// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.InMemoryMetaTableProvider;

/**
 * Makes tables of files whose first operators may run where the data lies:
 *
 * <pre>{@code
 * CREATE EXTERNAL TABLE lineitem (l_orderkey BIGINT, l_quantity DECIMAL, l_shipdate DATE, ...)
 * TYPE ndp
 * LOCATION 'hdfs://namenode:8020/tpch/lineitem'
 * TBLPROPERTIES '{"format": "csv", "delimiter": "|", "decimals": "15,2"}'
 * }</pre>
 *
 * <p>The location is a file, a pattern or a directory. Columns are of the types BOOLEAN, INTEGER,
 * BIGINT, DOUBLE, DECIMAL, DATE, TIMESTAMP, CHAR and VARCHAR. See {@link
 * dev.anemone.beam.ndp.TableFormat} for the properties of formats, and {@link NdpColumns} for
 * {@code decimals}. Beam SQL finds this class by itself.
 */
public final class NdpTableProvider extends InMemoryMetaTableProvider {

  /** What stands behind {@code TYPE}. */
  public static final String TYPE = "ndp";

  @Override
  public String getTableType() {
    return TYPE;
  }

  /**
   * A table.
   *
   * @throws IllegalArgumentException when a property, a column or the location is wrong
   * @throws IllegalStateException when this JVM has not what reads such tables; says what to add
   */
  @Override
  public BeamSqlTable buildBeamSqlTable(Table table) {
    EngineCheck.check(table.getName());
    return NdpTable.of(table);
  }
}
