// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random SQL expressions on {@link TestRows}: of those that Beam's own operator computes rightly,
 * and without errors such as a division by zero.
 */
final class SqlGrammar {
  private final Random random;

  SqlGrammar(Random random) {
    this.random = random;
  }

  /** An expression of any type. */
  String any() {
    return switch (random.nextInt(6)) {
      case 0 -> whole(3);
      case 1 -> decimal(3);
      case 2 -> text(3);
      case 3 -> date(3);
      case 4 -> floating(3);
      default -> condition(3);
    };
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  String condition(int depth) {
    if (depth == 0) {
      return pick("b", "i > 3", "d IS NULL", "s = 'ab'", "j <> 7", "dt < DATE '1980-02-29'");
    }
    int less = depth - 1;
    return switch (random.nextInt(12)) {
      case 0 -> "(" + condition(less) + " AND " + condition(less) + ")";
      case 1 -> "(" + condition(less) + " OR " + condition(less) + ")";
      case 2 -> "(NOT " + condition(less) + ")";
      case 3 -> "(" + whole(less) + comparison() + whole(less) + ")";
      // Beam's operator compares computed decimals as integers where their declared scales differ.
      case 4 -> "(" + pick("d", "e") + comparison() + pick("d", "e", "2") + ")";
      case 5 -> "(" + text(less) + comparison() + text(less) + ")";
      case 6 -> "(" + date(less) + comparison() + date(less) + ")";
      case 7 -> "(" + whole(less) + " BETWEEN -3 AND " + random.nextInt(9) + ")";
      case 8 -> "(" + pick("s", "u") + pick(" IN ", " NOT IN ") + "('ab', 'Z', 'nothing'))";
      case 9 -> "(" + text(0) + pick(" LIKE ", " NOT LIKE ") + pattern() + ")";
      case 10 ->
          "(" + pick(whole(less), condition(less), date(less)) + pick(" IS NULL)", " IS NOT NULL)");
      default ->
          "("
              + condition(less)
              + pick(" IS TRUE)", " IS NOT TRUE)", " IS FALSE)", " IS NOT FALSE)");
    };
  }

  private String comparison() {
    return pick(" = ", " <> ", " < ", " <= ", " > ", " >= ");
  }

  private String pattern() {
    return pick("'%a%'", "'PROMO%'", "'%special%requests%'", "'_b%'", "'ab'", "'%'", "'%ü'", "''");
  }

  String whole(int depth) {
    if (depth == 0) {
      return pick("i", "j", "k", "5", "-2");
    }
    int less = depth - 1;
    return switch (random.nextInt(8)) {
      case 0, 1 -> "(" + whole(less) + pick(" + ", " - ") + whole(less) + ")";
      case 2 -> "(" + whole(0) + " * " + whole(0) + ")";
      case 3 -> choice(whole(less), whole(less), depth);
      case 4 -> "CHAR_LENGTH(" + text(0) + ")";
      case 5 -> "EXTRACT(" + pick("YEAR", "MONTH", "DAY") + " FROM " + pick("dt", "du") + ")";
      case 6 -> "COALESCE(" + whole(less) + ", " + whole(less) + ")";
      default -> "(- " + whole(0) + ")";
    };
  }

  private String choice(String first, String second, int depth) {
    return "CASE WHEN " + condition(depth - 1) + " THEN " + first + " ELSE " + second + " END";
  }

  String decimal(int depth) {
    if (depth == 0) {
      return pick("e", "e", "1.25", "0.05");
    }
    int less = depth - 1;
    return switch (random.nextInt(5)) {
      case 0, 1 -> "(" + decimal(less) + pick(" + ", " - ") + decimal(less) + ")";
      case 2 -> "(" + decimal(less) + " * (1 - " + decimal(0) + "))";
      case 3 -> "(d" + pick(" + ", " * ", " - ") + decimal(less) + ")";
      default -> pick("d", "e");
    };
  }

  String floating(int depth) {
    if (depth == 0) {
      return pick("x", "2e0", "0.5e0");
    }
    int less = depth - 1;
    return switch (random.nextInt(4)) {
      case 0 -> "(" + floating(less) + pick(" + ", " - ", " * ") + floating(less) + ")";
      case 1 -> "(e * 2e0)";
      case 2 -> choice(floating(less), floating(less), depth);
      default -> "(" + floating(less) + " / 4e0)";
    };
  }

  String text(int depth) {
    if (depth == 0) {
      return pick("s", "u", "'ab'");
    }
    int less = depth - 1;
    return switch (random.nextInt(6)) {
      case 0 -> "(" + text(less) + " || " + text(less) + ")";
      case 1 -> "SUBSTRING(" + pick("s", "u") + " FROM " + (1 + random.nextInt(3)) + " FOR 2)";
      case 2 -> pick("UPPER", "LOWER") + "(" + text(less) + ")";
      case 3 -> choice(pick("s", "u"), pick("s", "u"), depth);
      case 4 -> "COALESCE(" + pick("s", "u") + ", u)";
      default -> pick("s", "u");
    };
  }

  String date(int depth) {
    if (depth == 0) {
      return pick("dt", "du", "DATE '1994-01-01'");
    }
    int less = depth - 1;
    return switch (random.nextInt(4)) {
      case 0 ->
          "("
              + pick("dt", "du", "DATE '1996-02-29'")
              + pick(" + ", " - ")
              + "INTERVAL '"
              + (1 + random.nextInt(40))
              + "' "
              + pick("DAY", "MONTH", "YEAR")
              + ")";
      case 1 -> choice(pick("dt", "du"), pick("dt", "du"), depth);
      default -> date(less);
    };
  }

  /** A query of some columns and a condition. */
  String query(int columns) {
    List<String> expressions =
        IntStream.range(0, columns).mapToObj(column -> any() + " AS c" + column).toList();
    return "SELECT id, "
        + String.join(", ", expressions)
        + " FROM PCOLLECTION WHERE "
        + condition(3)
        + " OR id < 50";
  }
}
