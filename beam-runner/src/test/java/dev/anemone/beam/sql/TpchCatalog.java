// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/** The tables of TPC-H with the sizes of scale 1, and without rows. */
final class TpchCatalog {

  static final Map<String, BeamSqlTable> TABLES = new LinkedHashMap<>();

  static {
    table("region", 5, "r_regionkey:long r_name r_comment");
    table("nation", 25, "n_nationkey:long n_name n_regionkey:long n_comment");
    table(
        "supplier",
        10_000,
        "s_suppkey:long s_name s_address s_nationkey:long s_phone s_acctbal:decimal s_comment");
    table(
        "customer",
        150_000,
        "c_custkey:long c_name c_address c_nationkey:long c_phone c_acctbal:decimal c_mktsegment"
            + " c_comment");
    table(
        "part",
        200_000,
        "p_partkey:long p_name p_mfgr p_brand p_type p_size:int p_container p_retailprice:decimal"
            + " p_comment");
    table(
        "partsupp",
        800_000,
        "ps_partkey:long ps_suppkey:long ps_availqty:int ps_supplycost:decimal ps_comment");
    table(
        "orders",
        1_500_000,
        "o_orderkey:long o_custkey:long o_orderstatus o_totalprice:decimal o_orderdate:date"
            + " o_orderpriority o_clerk o_shippriority:int o_comment");
    table(
        "lineitem",
        6_001_215,
        "l_orderkey:long l_partkey:long l_suppkey:long l_linenumber:int l_quantity:decimal"
            + " l_extendedprice:decimal l_discount:decimal l_tax:decimal l_returnflag l_linestatus"
            + " l_shipdate:date l_commitdate:date l_receiptdate:date l_shipinstruct l_shipmode"
            + " l_comment");
  }

  private TpchCatalog() {}

  private static void table(String name, double rows, String columns) {
    Schema schema =
        Arrays.stream(columns.split(" ", -1)).map(TpchCatalog::field).collect(Schema.toSchema());
    TABLES.put(name, new MemoryTable(schema, List.of(), rows));
  }

  private static Field field(String column) {
    int colon = column.indexOf(':');
    String type = colon < 0 ? "string" : column.substring(colon + 1);
    return Field.of(
        colon < 0 ? column : column.substring(0, colon),
        switch (type) {
          case "long" -> FieldType.INT64;
          case "int" -> FieldType.INT32;
          case "decimal" -> FieldType.DECIMAL;
          case "date" -> CalciteUtils.DATE;
          default -> FieldType.STRING;
        });
  }
}
