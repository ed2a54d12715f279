// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Queries on the table of {@link NdpFiles}, of which some can be pushed whole and some in part. */
final class RandomQueries {

  private final Random random;

  RandomQueries(long seed) {
    this.random = new Random(seed);
  }

  List<String> some(int count) {
    List<String> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queries.add(i % 2 == 0 ? rows() : groups());
    }
    return queries;
  }

  private String rows() {
    return "SELECT id, "
        + number(2)
        + " AS a, "
        + pick("mode", "flag", "shipped", "good", "CHAR_LENGTH(mode)")
        + " AS b FROM t WHERE MOD(id, 100) = "
        + random.nextInt(100)
        + " AND "
        + condition(2);
  }

  private String groups() {
    String key =
        pick("flag", "mode", "good", "small", "EXTRACT(YEAR FROM shipped)", "CHAR_LENGTH(mode)");
    return "SELECT "
        + key
        + " AS k, SUM("
        + number(2)
        + ") AS a, COUNT(*) AS n, COUNT("
        + pick("small", "mode", "ratio")
        + ") AS c, "
        + pick("MIN", "MAX")
        + "("
        + pick("id", "price", "shipped", "mode", "small")
        + ") AS m FROM t WHERE "
        + condition(2)
        + " GROUP BY "
        + key;
  }

  private String number(int depth) {
    if (depth == 0) {
      return pick("price", "discount", "small", "id", "1.25", "3");
    }
    return switch (random.nextInt(6)) {
      case 0 -> "(" + number(depth - 1) + " + " + number(depth - 1) + ")";
      case 1 -> "(" + number(depth - 1) + " - " + number(depth - 1) + ")";
      case 2 -> "(" + number(0) + " * " + pick("discount", "2", "0.5") + ")";
      case 3 ->
          "CASE WHEN "
              + condition(depth - 1)
              + " THEN "
              + number(0)
              + " ELSE "
              + pick("0", "price", "NULL")
              + " END";
      default -> number(0);
    };
  }

  private String condition(int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      return switch (random.nextInt(4)) {
        case 0 -> "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
        case 1 -> "NOT (" + condition(depth - 1) + ")";
        default -> "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
      };
    }
    return switch (random.nextInt(10)) {
      case 0 -> "small " + relation() + " " + random.nextInt(50);
      case 1 -> "price " + relation() + " " + random.nextInt(1000) + ".50";
      case 2 -> "discount BETWEEN 0.02 AND 0.0" + (3 + random.nextInt(6));
      case 3 -> "mode IN ('AIR', 'AIR REG', 'MAIL')";
      case 4 -> "mode " + pick("", "NOT ") + "LIKE '" + pick("AIR%", "%I_", "%slow%") + "'";
      case 5 -> pick("mode", "small", "ratio") + " IS " + pick("", "NOT ") + "NULL";
      case 6 -> "shipped " + relation() + " DATE '199" + random.nextInt(9) + "-05-17'";
      case 7 -> "good";
      case 8 -> "CHAR_LENGTH(mode) > " + random.nextInt(6);
      default -> "id " + relation() + " small * " + random.nextInt(2000);
    };
  }

  private String relation() {
    return pick("<", "<=", ">", ">=", "=", "<>");
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
