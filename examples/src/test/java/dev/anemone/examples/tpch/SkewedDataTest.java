// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.examples.tables.DuckDb;
import io.trino.tpch.Order;
import io.trino.tpch.TpchEntity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link TpchSkew} promises of the data, asked of another SQL engine. */
@Tag("slow")
class SkewedDataTest {
  private static final double SCALE = 0.01;
  private static final int CUSTOMERS = 20;
  private static final String OF_QUARTER =
      "o_orderdate >= date '1993-10-01' AND o_orderdate < date '1994-01-01'";

  /** Several standard deviations of a share of the 573 orders in the quarter. */
  private static final double CHANCE_IN_QUARTER = 0.09;

  private static DuckDb plain;
  private static DuckDb skewed;

  @BeforeAll
  static void open() throws IOException, SQLException {
    plain = new DuckDb(TestData.scale(SCALE).files());
    skewed = new DuckDb(TestData.skewed(SCALE).files());
  }

  @AfterAll
  static void close() throws SQLException {
    plain.close();
    skewed.close();
  }

  @Test
  void noRowIsAddedOrLostAndEveryReferenceFindsItsKey() throws SQLException {
    for (TpchTable table : TpchTable.values()) {
      String count = "SELECT count(*) FROM " + table.tableName();
      assertThat(number(skewed, count)).as(count).isEqualTo(number(plain, count));
    }
    assertThat(number(skewed, "SELECT count(*) FROM orders JOIN customer ON o_custkey = c_custkey"))
        .isEqualTo(number(skewed, "SELECT count(*) FROM orders"));
    assertThat(
            number(skewed, "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey"))
        .isEqualTo(number(skewed, "SELECT count(*) FROM lineitem"));
    assertThat(number(skewed, "SELECT count(DISTINCT (l_orderkey, l_linenumber)) FROM lineitem"))
        .isEqualTo(number(skewed, "SELECT count(*) FROM lineitem"));
  }

  @Test
  void twentyCustomersOwnAQuarterOfTheOrdersOfAnyTime() throws SQLException {
    double all = number(skewed, "SELECT count(*) FROM orders");
    double ofQuarter = number(skewed, "SELECT count(*) FROM orders WHERE " + OF_QUARTER);

    assertThat(sum(hottestCustomers(CUSTOMERS)) / all).isCloseTo(0.25, within(0.03));
    assertThat(number(skewed, "SELECT count(*) FROM orders WHERE " + OF_QUARTER))
        .isEqualTo(number(plain, "SELECT count(*) FROM orders WHERE " + OF_QUARTER));
    assertThat(ordersOfHotCustomersInQuarter() / ofQuarter)
        .isCloseTo(0.25, within(CHANCE_IN_QUARTER));
    List<Long> hottest = hottestCustomers(2);
    assertThat(hottest.get(0) / (double) hottest.get(1)).isBetween(1.7, 2.3);
    assertThat(number(skewed, "SELECT count(*) FROM orders WHERE o_custkey % 3 = 0"))
        .as("orders of customers who have none in TPC-H")
        .isZero();
  }

  private static double ordersOfHotCustomersInQuarter() throws SQLException {
    return number(
        skewed,
        "SELECT count(*) FROM orders WHERE "
            + OF_QUARTER
            + " AND o_custkey IN (SELECT o_custkey FROM orders GROUP BY o_custkey"
            + " ORDER BY count(*) DESC LIMIT "
            + CUSTOMERS
            + ")");
  }

  @Test
  void twentyOrdersOfTheQuarterOwnAQuarterOfTheLineItems() throws SQLException {
    double all = number(skewed, "SELECT count(*) FROM lineitem");

    assertThat(
            number(
                    skewed,
                    "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE "
                        + "l_linenumber > 7 AND "
                        + OF_QUARTER)
                / all)
        .isCloseTo(0.25, within(0.02));
    assertThat(
            number(
                skewed, "SELECT count(DISTINCT l_orderkey) FROM lineitem WHERE l_linenumber > 7"))
        .isEqualTo(20);
  }

  @Test
  void noOrderAloneHasAnEighthOfTheLineItemsThatQ10Shuffles() throws SQLException {
    String returned = " FROM lineitem WHERE l_returnflag = 'R'";
    double all = number(skewed, "SELECT count(*)" + returned);

    assertThat(
            number(
                    skewed,
                    "SELECT count(*)" + returned + " GROUP BY l_orderkey ORDER BY 1 DESC LIMIT 1")
                / all)
        .isBetween(0.1, 0.125);
  }

  @Test
  void lineItemsThatHaveMovedKeepTheLawsOfTpch() throws SQLException {
    String joined = "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey WHERE ";
    for (String law :
        List.of(
            "l_shipdate BETWEEN o_orderdate + 1 AND o_orderdate + 121",
            "l_commitdate BETWEEN o_orderdate + 30 AND o_orderdate + 90",
            "l_receiptdate BETWEEN l_shipdate + 1 AND l_shipdate + 30",
            "(l_returnflag = 'N') = (l_receiptdate > date '1995-06-17')",
            "(l_linestatus = 'O') = (l_shipdate > date '1995-06-17')")) {
      assertThat(number(skewed, joined + "NOT (" + law + ")")).as("not %s", law).isZero();
    }
    assertThat(
            number(
                    skewed,
                    "SELECT count(*) FROM lineitem WHERE l_linenumber > 7 AND l_returnflag = 'R'")
                / (double) number(skewed, "SELECT count(*) FROM lineitem WHERE l_linenumber > 7"))
        .isCloseTo(0.5, within(0.03));
  }

  @Test
  void customersWithoutOrdersStayWithoutWhateverTheNumberOfHotOnes() {
    for (int count = 1; count <= 9; count++) {
      SkewedEntities entities = new SkewedEntities(TpchSkew.parse("0.9:" + count), SCALE);
      Set<Long> customers = new HashSet<>();
      for (Order order : io.trino.tpch.TpchTable.ORDERS.createGenerator(SCALE, 1, 10)) {
        customers.add(((Order) entities.of(order)).getCustomerKey());
      }

      assertThat(customers).allMatch(key -> key >= 1 && key <= 1_500 && key % 3 != 0);
    }
  }

  @Test
  void everyPartOfATableHasTheRowsThatItHasInTheWhole() {
    List<String> whole = lines(1, 1);
    List<String> parts = new ArrayList<>();
    for (int part = 1; part <= 3; part++) {
      parts.addAll(lines(part, 3));
    }

    assertThat(parts).isEqualTo(whole);
  }

  private static List<String> lines(int part, int parts) {
    SkewedEntities entities = new SkewedEntities(TestData.SKEW, SCALE);
    List<String> lines = new ArrayList<>();
    for (TpchEntity entity :
        io.trino.tpch.TpchTable.LINE_ITEM.createGenerator(SCALE, part, parts)) {
      lines.add(entities.of(entity).toLine());
    }
    return lines;
  }

  @Test
  void theSameSkewGivesTheSameFiles(@TempDir Path directory) throws IOException {
    TpchDataSet again = TpchDataSet.open(directory.resolve("again"), SCALE, TestData.SKEW);

    for (TpchTable table : TpchTable.values()) {
      String file = table.tableName() + ".tbl";
      assertThat(Files.mismatch(Path.of(again.directory(), file), skewedFile(file)))
          .as(file)
          .isEqualTo(-1);
    }
  }

  private static Path skewedFile(String name) throws IOException {
    return Path.of(TestData.skewed(SCALE).directory(), name);
  }

  /** How many orders each of the customers has who have most. */
  private static List<Long> hottestCustomers(int customers) throws SQLException {
    return skewed
        .query("SELECT count(*) FROM orders GROUP BY o_custkey ORDER BY 1 DESC LIMIT " + customers)
        .stream()
        .map(row -> (Long) row.get(0))
        .toList();
  }

  private static long sum(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).sum();
  }

  private static long number(DuckDb duckDb, String query) throws SQLException {
    return (Long) duckDb.query(query).get(0).get(0);
  }
}
