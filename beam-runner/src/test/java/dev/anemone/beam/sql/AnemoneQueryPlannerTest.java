// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.sql.order.ResultOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlEnv;
import org.apache.beam.sdk.extensions.sql.impl.SqlConversionException;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.provider.ReadOnlyTableProvider;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnemoneQueryPlannerTest {

  private static final String LOCAL_SUPPLIERS =
      """
      SELECT n_name, SUM(l_extendedprice * (1 - l_discount)) AS revenue
      FROM customer, orders, lineitem, supplier, nation, region
      WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND l_suppkey = s_suppkey
        AND c_nationkey = s_nationkey AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey
        AND r_name = 'ASIA' AND o_orderdate >= DATE '1994-01-01'
        AND o_orderdate < DATE '1994-01-01' + INTERVAL '1' YEAR
      GROUP BY n_name
      """;

  @Test
  void joinsFollowTheSizesOfTables() {
    assertThat(operators(LOCAL_SUPPLIERS))
        .containsExactly(
            "ResultRel",
            "  AggregateRel",
            "    CalcRel",
            "      BroadcastJoinRel",
            "        CalcRel",
            "          BroadcastJoinRel",
            "            lineitem [l_orderkey, l_suppkey, l_extendedprice, l_discount]",
            "            CalcRel",
            "              BroadcastJoinRel",
            "                CalcRel",
            "                  orders [o_orderkey, o_custkey, o_orderdate]",
            "                CalcRel",
            "                  BroadcastJoinRel",
            "                    customer [c_custkey, c_nationkey]",
            "                    CalcRel",
            "                      BroadcastJoinRel",
            "                        nation [n_nationkey, n_name, n_regionkey]",
            "                        CalcRel",
            "                          region [r_regionkey, r_name]",
            "        supplier [s_suppkey, s_nationkey]");
  }

  @Test
  void sixTablesAreOrderedAtOnce() {
    plan(LOCAL_SUPPLIERS);
    Instant start = Instant.now();
    plan(LOCAL_SUPPLIERS);

    assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 33, 40, 70})
  void anyNumberOfTablesIsJoinedByKeys(int count) {
    Map<String, BeamSqlTable> tables = new HashMap<>();
    StringBuilder query = new StringBuilder("SELECT COUNT(*) FROM t0");
    Schema schema = Schema.builder().addInt64Field("k").addInt64Field("v").build();
    for (int i = 0; i < count; i++) {
      tables.put("t" + i, new MemoryTable(schema, List.of(), 1_000_000 + i));
      if (i > 0) {
        query.append(" JOIN t%d ON t%d.v = t%d.k".formatted(i, i - 1, i));
      }
    }

    String plan = RelOptUtil.toString(Plans.of(query.toString(), tables));

    assertThat(plan.split("JoinRel\\(condition=\\[=\\(", -1)).hasSize(count);
    assertThat(plan.split("JoinRel", -1)).hasSize(count);
    tables.keySet().forEach(table -> assertThat(plan).containsOnlyOnce("[beam, " + table + "]"));
  }

  @Test
  void aConditionOfAllBranchesIsTheKeyOfTheJoin() {
    assertThat(
            text(
                "SELECT COUNT(*) FROM lineitem, part WHERE (p_partkey = l_partkey AND p_size < 5"
                    + " AND l_quantity > 3) OR (p_partkey = l_partkey AND p_size > 40)"))
        .containsPattern("BroadcastJoinRel\\(condition=\\[AND\\(=\\(\\$0, \\$2\\), OR");
  }

  @Test
  void existsIsASemiJoinWithAnyCondition() {
    assertThat(
            text(
                "SELECT COUNT(*) FROM lineitem AS l1 WHERE EXISTS (SELECT * FROM lineitem AS l2"
                    + " WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey)"))
        .contains("ShuffleJoinRel(condition=[AND(=($2, $0), <>($3, $1))], joinType=[semi])")
        .contains("usedFields=[[l_orderkey, l_suppkey]]");
  }

  @Test
  void whatAFilterReadsIsNotJoined() {
    assertThat(
            text(
                "SELECT o_orderkey, l_linenumber FROM orders, lineitem WHERE o_orderkey ="
                    + " l_orderkey AND o_orderstatus = 'F' AND l_shipmode = 'AIR' AND"
                    + " l_shipinstruct = 'NONE'"))
        .contains("JoinRel(condition=[=($0, $1)]");
  }

  @Test
  void theOrderIsToldByTheSchema() {
    RelNode plan = plan("SELECT n_name, n_regionkey FROM nation ORDER BY n_regionkey DESC, n_name");

    assertThat(RelOptUtil.toString(plan)).doesNotContain("TopRel").contains("order=");
    assertThat(new ResultOrder(List.of(new ResultOrder.Key(1, true, true))).keys()).hasSize(1);
    assertThat(plan.getRowType().getFieldNames()).containsExactly("n_name", "n_regionkey");
  }

  @Test
  void aColumnThatIsOnlySortedByIsNoColumnOfTheResult() {
    assertThat(
            plan("SELECT n_name FROM nation ORDER BY n_regionkey + 1 LIMIT 3")
                .getRowType()
                .getFieldNames())
        .containsExactly("n_name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT n_name AS a, n_nationkey AS b FROM nation                       | a,b
          SELECT * FROM (SELECT r_regionkey AS a, r_name AS b, r_comment AS c FROM region) AS t \
          | a,b,c
          SELECT n_name AS a, n_nationkey AS b FROM nation ORDER BY b            | a,b
          SELECT n_name AS a, n_nationkey AS b FROM nation ORDER BY n_comment LIMIT 3 | a,b
          SELECT n_name AS a FROM nation UNION ALL SELECT r_name FROM region     | a
          SELECT n_name AS a FROM nation INTERSECT SELECT r_name FROM region     | a
          SELECT a AS b FROM (SELECT n_name AS a FROM nation) AS t WHERE a > 'B' | b
          SELECT n_name AS a, COUNT(*) AS b FROM nation GROUP BY n_name          | a,b
          SELECT r_name AS a, n_name AS b FROM nation, region WHERE n_regionkey = r_regionkey | a,b
          SELECT n_name, n_name FROM nation                                      | n_name,n_name0
          """)
  void columnsHaveTheNamesOfTheQuery(String query, String names) {
    assertThat(plan(query).getRowType().getFieldNames()).containsExactly(names.split(",", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT MODE(n_regionkey) FROM nation | MODE is not supported. There are
          SELECT n_name, MODE(n_regionkey) FROM nation GROUP BY n_name | SUM, VAR_POP and VAR_SAMP.
          """)
  void whatIsNotSupportedIsNamed(String query, String clause) {
    assertThatThrownBy(() -> plan(query))
        .isInstanceOf(SqlConversionException.class)
        .hasMessageContaining(clause);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT n_name FROM nation | nation
          SELECT n_name FROM archive.nation | archive.nation
          SELECT n_name FROM databases.archive.nation | archive.nation
          SELECT 1 FROM asia.tpch.nation JOIN region ON n_name = r_name | asia.tpch.nation,region
          """)
  void aProviderResolvesNamesOfSeveralParts(String query, String tables) {
    DatabaseTables provider = new DatabaseTables();

    env(new ReadOnlyTableProvider("none", Map.of()))
        .addSchema("databases", provider)
        .setCurrentSchema("databases")
        .build()
        .parseQuery(query);

    assertThat(provider.asked()).contains(tables.split(","));
  }

  @Test
  void aTableOfAnotherSchemaIsNotAskedOfTheCurrentOne() {
    DatabaseTables provider = new DatabaseTables();

    env(new ReadOnlyTableProvider("tables", Map.copyOf(TpchCatalog.TABLES)))
        .addSchema("databases", provider)
        .setCurrentSchema("databases")
        .build()
        .parseQuery("SELECT r_name FROM beam.region");

    assertThat(provider.asked()).doesNotContain("beam.region");
  }

  private static String text(String query) {
    return RelOptUtil.toString(plan(query));
  }

  /** The kinds of operators, and of tables the columns that are read. */
  private static List<String> operators(String query) {
    return text(query)
        .lines()
        .map(
            line ->
                line.replaceFirst(
                        "Beam\\w*IOSourceRel\\(table=\\[\\[beam, (\\w+)\\]\\],"
                            + " usedFields=\\[(.*)\\]\\)",
                        "$1 $2")
                    .replaceFirst("\\(.*", ""))
        .toList();
  }

  private static RelNode plan(String query) {
    return Plans.of(query, TpchCatalog.TABLES);
  }

  private static BeamSqlEnv.BeamSqlEnvBuilder env(TableProvider tables) {
    return BeamSqlEnv.builder(tables)
        .setQueryPlannerClassName(AnemoneQueryPlanner.class.getName())
        .setPipelineOptions(PipelineOptionsFactory.create());
  }
}
