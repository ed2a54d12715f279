// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.tables.DataSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which foreign keys of generated TPC-H data are skewed, and how much. Plain TPC-H data has no
 * skew: all customers have about as many orders, and all orders one to seven line items.
 *
 * <p>The idea is that of JCC-H (Boncz, Anatiotis and Kl&auml;be, <i>JCC-H: Adding Join Crossing
 * Correlations with Skew to TPC-H</i>, TPCTC 2017), whose generator gives a fifth of a fact table
 * to five keys: joins meet keys that own far more than others. This is not JCC-H's data: the rest
 * of its correlations is missing, and the shares are the user's.
 *
 * <p>{@code customers=0.25:20}: 20 customers own 25 % of all orders. A quarter of all orders,
 * chosen by a hash of their keys, change their {@code o_custkey}; nothing else changes, so the hot
 * customers' orders have dates, prices and line items as others have, and fall into a query's
 * quarter as often. The hot customers are spread over all customers, and are such as have orders in
 * plain data, too: TPC-H gives none to every third one.
 *
 * <p>{@code orders=0.25:20}: 20 orders own 25 % of all line items. The hot orders are the first of
 * the fourth quarter of 1993, which Q10 looks at, so that its joins meet them, as JCC-H's queries
 * meet hot keys with the right parameters only. A line item that changes its {@code l_orderkey}
 * gets dates after its new order's by the laws of TPC-H (specification 3.0.1, section 4.2.3), a
 * status and a return flag that go with them, and a line number that is unique in the order. {@code
 * o_totalprice} stays what it was, so it is not the sum of the line items of these orders.
 *
 * <p>Among the hot keys the shares fall by Zipf's law, see {@link HotKeys}: of the 25 % of 20 keys
 * the first has 7 %, the last 0.3 %. Every reference finds its key, no row is added or lost, and
 * the same scale and skew give the same rows every time. Immutable and thread-safe.
 *
 * @param customers skew of {@code o_custkey}
 * @param orders skew of {@code l_orderkey}
 */
public record TpchSkew(Optional<HotKeys> customers, Optional<HotKeys> orders) {
  /** Plain TPC-H data. */
  public static final TpchSkew NONE = new TpchSkew(Optional.empty(), Optional.empty());

  private static final String CUSTOMERS = "customers";
  private static final String ORDERS = "orders";

  /** Beyond it, the line numbers of moved line items do not fit into 32 bits. */
  private static final double MAXIMUM_SCALE_OF_HOT_ORDERS = 100;

  /** TPC-H's customers at scale 1; a third of them has no orders. */
  private static final int CUSTOMERS_PER_SCALE = 150_000;

  /** TPC-H's orders at scale 1. */
  private static final int ORDERS_PER_SCALE = 1_500_000;

  /** One order in 26 is of the quarter that has the hot ones; this leaves room for chance. */
  private static final int ORDERS_PER_HOT_ORDER = 50;

  /**
   * Reads a skew: {@code customers=SHARE:KEYS}, {@code orders=SHARE:KEYS}, or both, separated by a
   * comma. {@code SHARE:KEYS} alone is that of the customers. Null or empty means none.
   *
   * @throws IllegalArgumentException if it has another form, or a number is out of range
   */
  public static TpchSkew parse(String text) {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    Optional<HotKeys> customers = Optional.empty();
    Optional<HotKeys> orders = Optional.empty();
    try {
      for (String part : text.split(",", -1)) {
        int equals = part.indexOf('=');
        String name = equals < 0 ? CUSTOMERS : part.substring(0, equals);
        Optional<HotKeys> keys = Optional.of(HotKeys.parse(part.substring(equals + 1)));
        if (name.equals(CUSTOMERS) && customers.isEmpty()) {
          customers = keys;
        } else if (name.equals(ORDERS) && orders.isEmpty()) {
          orders = keys;
        } else {
          throw new IllegalArgumentException(
              "'" + part + "' is neither customers= nor orders=, or stands there twice");
        }
      }
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "--skew="
              + text
              + ": "
              + wrong.getMessage()
              + ". Give such as --skew=0.25:20, which means that 20 customers own 25 % of all"
              + " orders, or --skew=customers=0.25:20,orders=0.25:20, where 20 orders own 25 % of"
              + " all line items, too.",
          wrong);
    }
    return new TpchSkew(customers, orders);
  }

  /**
   * Checks that data of a scale can be skewed like this.
   *
   * @throws IllegalArgumentException if there are too few customers or orders, or too many
   */
  void check(double scale) {
    customers.ifPresent(keys -> requireEnough(scale, "customers", keys, mostCustomers(scale)));
    orders.ifPresent(
        keys -> {
          requireEnough(
              scale, "orders", keys, (long) (scale * ORDERS_PER_SCALE) / ORDERS_PER_HOT_ORDER);
          if (scale > MAXIMUM_SCALE_OF_HOT_ORDERS) {
            throw new IllegalArgumentException(
                "--skew="
                    + this
                    + ": hot orders are possible up to --scale=100; at scale "
                    + DataSet.plain(scale)
                    + " the numbers of their line items would not fit into the column.");
          }
        });
  }

  private void requireEnough(double scale, String what, HotKeys keys, long most) {
    if (keys.count() > most) {
      throw new IllegalArgumentException(
          "--skew="
              + this
              + ": data of scale "
              + DataSet.plain(scale)
              + " has too few "
              + what
              + " for "
              + keys.count()
              + " hot ones. Give at most "
              + most
              + ", or a larger --scale.");
    }
  }

  private static long mostCustomers(double scale) {
    return customerCount(scale) / 3;
  }

  /** How many customers there are at a scale. */
  static long customerCount(double scale) {
    return (long) (scale * CUSTOMERS_PER_SCALE);
  }

  /** Whether this is plain TPC-H data. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** As {@link #parse} reads it; empty for none. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    customers.ifPresent(keys -> parts.add(CUSTOMERS + "=" + keys));
    orders.ifPresent(keys -> parts.add(ORDERS + "=" + keys));
    return String.join(",", parts);
  }

  /** A name for a directory of such data: letters, digits, points and hyphens. */
  String directoryName() {
    return toString().replaceAll("[^a-z0-9.]", "-");
  }
}
