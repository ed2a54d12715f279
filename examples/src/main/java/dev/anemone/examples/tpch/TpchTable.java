// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.tables.DataTable;
import java.util.Locale;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;

/**
 * The eight tables of TPC-H (specification 3.0.1, section 1.4) with their columns in the order of
 * the data files. Identifiers are 64-bit, money and quantities are decimals, dates are SQL dates.
 */
public enum TpchTable implements DataTable {
  REGION(
      0.1,
      115,
      Schema.builder()
          .addInt64Field("r_regionkey")
          .addStringField("r_name")
          .addStringField("r_comment")),
  NATION(
      0.1,
      90,
      Schema.builder()
          .addInt64Field("n_nationkey")
          .addStringField("n_name")
          .addInt64Field("n_regionkey")
          .addStringField("n_comment")),
  SUPPLIER(
      1.4,
      140,
      Schema.builder()
          .addInt64Field("s_suppkey")
          .addStringField("s_name")
          .addStringField("s_address")
          .addInt64Field("s_nationkey")
          .addStringField("s_phone")
          .addDecimalField("s_acctbal")
          .addStringField("s_comment")),
  CUSTOMER(
      24.5,
      163,
      Schema.builder()
          .addInt64Field("c_custkey")
          .addStringField("c_name")
          .addStringField("c_address")
          .addInt64Field("c_nationkey")
          .addStringField("c_phone")
          .addDecimalField("c_acctbal")
          .addStringField("c_mktsegment")
          .addStringField("c_comment")),
  PART(
      24.2,
      121,
      Schema.builder()
          .addInt64Field("p_partkey")
          .addStringField("p_name")
          .addStringField("p_mfgr")
          .addStringField("p_brand")
          .addStringField("p_type")
          .addInt32Field("p_size")
          .addStringField("p_container")
          .addDecimalField("p_retailprice")
          .addStringField("p_comment")),
  PARTSUPP(
      119,
      148,
      Schema.builder()
          .addInt64Field("ps_partkey")
          .addInt64Field("ps_suppkey")
          .addInt32Field("ps_availqty")
          .addDecimalField("ps_supplycost")
          .addStringField("ps_comment")),
  ORDERS(
      172,
      114,
      Schema.builder()
          .addInt64Field("o_orderkey")
          .addInt64Field("o_custkey")
          .addStringField("o_orderstatus")
          .addDecimalField("o_totalprice")
          .addField("o_orderdate", FieldType.logicalType(SqlTypes.DATE))
          .addStringField("o_orderpriority")
          .addStringField("o_clerk")
          .addInt32Field("o_shippriority")
          .addStringField("o_comment")),
  LINEITEM(
      760,
      126,
      Schema.builder()
          .addInt64Field("l_orderkey")
          .addInt64Field("l_partkey")
          .addInt64Field("l_suppkey")
          .addInt32Field("l_linenumber")
          .addDecimalField("l_quantity")
          .addDecimalField("l_extendedprice")
          .addDecimalField("l_discount")
          .addDecimalField("l_tax")
          .addStringField("l_returnflag")
          .addStringField("l_linestatus")
          .addField("l_shipdate", FieldType.logicalType(SqlTypes.DATE))
          .addField("l_commitdate", FieldType.logicalType(SqlTypes.DATE))
          .addField("l_receiptdate", FieldType.logicalType(SqlTypes.DATE))
          .addStringField("l_shipinstruct")
          .addStringField("l_shipmode")
          .addStringField("l_comment"));

  private final double megabytesPerScale;
  private final int averageLineBytes;

  @SuppressWarnings(
      "ImmutableEnumChecker") // Nothing here changes it, and it is built to be shared.
  private final Schema schema;

  TpchTable(double megabytesPerScale, int averageLineBytes, Schema.Builder schema) {
    this.megabytesPerScale = megabytesPerScale;
    this.averageLineBytes = averageLineBytes;
    this.schema = schema.build();
  }

  @Override
  public String tableName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The columns, none of them nullable. */
  @Override
  public Schema schema() {
    return schema;
  }

  /** About how many bytes of text the table has at a scale factor. */
  long estimatedBytes(double scale) {
    return Math.round(megabytesPerScale * 1e6 * (this == REGION || this == NATION ? 1 : scale));
  }

  @Override
  public int averageLineBytes() {
    return averageLineBytes;
  }

  @Override
  public String textSuffix() {
    return ".tbl";
  }
}
