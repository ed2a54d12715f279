// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import dev.anemone.examples.tables.DataTable;
import io.trino.tpcds.Table;
import io.trino.tpcds.column.Column;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;

/**
 * The 24 tables of TPC-DS (specification 3.2.0, section 2). Keys are 64-bit, other whole numbers
 * 32-bit, amounts are decimals, dates are SQL dates. Every column may be NULL: the generator leaves
 * some of nearly all of them out.
 */
public enum TpcdsTable implements DataTable {
  CALL_CENTER(305),
  CATALOG_PAGE(139),
  CATALOG_RETURNS(166),
  CATALOG_SALES(226),
  CUSTOMER(132),
  CUSTOMER_ADDRESS(110),
  CUSTOMER_DEMOGRAPHICS(42),
  DATE_DIM(141),
  HOUSEHOLD_DEMOGRAPHICS(21),
  INCOME_BAND(16),
  INVENTORY(16),
  ITEM(281),
  PROMOTION(124),
  REASON(38),
  SHIP_MODE(56),
  STORE(263),
  STORE_RETURNS(134),
  STORE_SALES(164),
  TIME_DIM(59),
  WAREHOUSE(117),
  WEB_PAGE(96),
  WEB_RETURNS(162),
  WEB_SALES(226),
  WEB_SITE(292);

  private final int averageLineBytes;

  @SuppressWarnings(
      "ImmutableEnumChecker") // Nothing here changes it, and it is built to be shared.
  private final Schema schema;

  TpcdsTable(int averageLineBytes) {
    this.averageLineBytes = averageLineBytes;
    this.schema =
        Stream.of(Table.valueOf(name()).getColumns())
            .map(column -> Schema.Field.nullable(column.getName(), type(column)))
            .collect(Schema.toSchema());
  }

  private static FieldType type(Column column) {
    return switch (column.getType().getBase()) {
      case IDENTIFIER -> FieldType.INT64;
      case INTEGER -> FieldType.INT32;
      case DECIMAL -> FieldType.DECIMAL;
      case DATE -> FieldType.logicalType(SqlTypes.DATE);
      case CHAR, VARCHAR, TIME -> FieldType.STRING;
    };
  }

  /** What generates its rows. */
  Table generated() {
    return Table.valueOf(name());
  }

  @Override
  public String tableName() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Schema schema() {
    return schema;
  }

  /** By the specification, section 3.2. */
  @Override
  public int averageLineBytes() {
    return averageLineBytes;
  }

  @Override
  public String textSuffix() {
    return ".dat";
  }
}
