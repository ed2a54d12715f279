// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.tables.DataSet;
import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TpchEntity;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns generated rows into those of skewed data, as {@link TpchSkew} describes it. A row depends
 * on nothing but the plain row, so the parts of a table can be written in any order. Immutable and
 * thread-safe.
 */
final class SkewedEntities {
  private static final long CUSTOMER_SALT = 0x637573746f6d6572L;
  private static final long ORDER_SALT = 0x6f72646572L;
  private static final long DATE_SALT = 0x64617465L;

  /** Every third customer has no orders. */
  private static final int WITHOUT_ORDERS = 3;

  private static final long FIRST_HOT_DAY = LocalDate.of(1993, 10, 1).toEpochDay();
  private static final long AFTER_LAST_HOT_DAY = LocalDate.of(1994, 1, 1).toEpochDay();

  /** Line numbers that an order keeps free for each order that its line items may come from. */
  private static final int NUMBERS_PER_ORDER = 8;

  private static final int LATEST_SHIPPING = 121;
  private static final int EARLIEST_COMMITMENT = 30;
  private static final int LATEST_COMMITMENT = 90;
  private static final int LATEST_RECEIPT = 30;

  private final Optional<HotKeyDraw> customers;
  private final Optional<HotKeyDraw> orders;

  /** The dates of the hot orders, by their indexes, in days since 1970. */
  private final int[] orderDates;

  /**
   * The rows of skewed data.
   *
   * @throws IllegalArgumentException if data of this scale cannot be skewed like this
   */
  SkewedEntities(TpchSkew skew, double scale) {
    skew.check(scale);
    customers =
        skew.customers()
            .map(keys -> new HotKeyDraw(keys, hotCustomers(keys.count(), scale), CUSTOMER_SALT));
    List<Order> hotOrders =
        skew.orders().map(keys -> hotOrders(keys.count(), scale)).orElse(List.of());
    orders =
        skew.orders()
            .map(
                keys ->
                    new HotKeyDraw(
                        keys,
                        hotOrders.stream().mapToLong(Order::getOrderKey).toArray(),
                        ORDER_SALT));
    orderDates = hotOrders.stream().mapToInt(Order::getOrderDate).toArray();
  }

  /** Customers at equal distances, each such as has orders in plain data. */
  private static long[] hotCustomers(int count, double scale) {
    long distance = TpchSkew.customerCount(scale) / count;
    long[] keys = new long[count];
    for (int index = 0; index < count; index++) {
      long key = 1 + index * distance;
      keys[index] = key % WITHOUT_ORDERS == 0 ? key + 1 : key;
    }
    return keys;
  }

  /** The first orders of the quarter. */
  private static List<Order> hotOrders(int count, double scale) {
    List<Order> found = new ArrayList<>();
    for (Order order : new OrderGenerator(scale, 1, 1)) {
      if (order.getOrderDate() >= FIRST_HOT_DAY && order.getOrderDate() < AFTER_LAST_HOT_DAY) {
        found.add(order);
      }
      if (found.size() == count) {
        return found;
      }
    }
    throw new IllegalArgumentException(
        "Data of scale "
            + DataSet.plain(scale)
            + " has only "
            + found.size()
            + " orders in the fourth quarter of 1993, which is too few for "
            + count
            + " hot ones. Give fewer, or a larger --scale.");
  }

  /** The row that takes the place of a plain one; the same one if nothing of it changes. */
  TpchEntity of(TpchEntity plain) {
    if (plain instanceof Order order && customers.isPresent()) {
      return of(order, customers.get());
    }
    if (plain instanceof LineItem item && orders.isPresent()) {
      return of(item, orders.get());
    }
    return plain;
  }

  private static Order of(Order plain, HotKeyDraw draw) {
    int hot = draw.draw(plain.getOrderKey());
    return hot < 0
        ? plain
        : new Order(
            plain.getRowNumber(),
            plain.getOrderKey(),
            draw.key(hot),
            plain.getOrderStatus(),
            plain.getTotalPriceInCents(),
            plain.getOrderDate(),
            plain.getOrderPriority(),
            plain.getClerk(),
            plain.getShipPriority(),
            plain.getComment());
  }

  private LineItem of(LineItem plain, HotKeyDraw draw) {
    long number = plain.getRowNumber() * NUMBERS_PER_ORDER + plain.getLineNumber();
    int hot = draw.draw(number);
    if (hot < 0) {
      return plain;
    }
    long bits = HotKeyDraw.mix(number + DATE_SALT);
    int shipped = orderDates[hot] + between(1, LATEST_SHIPPING, bits & 0xffff);
    int committed =
        orderDates[hot] + between(EARLIEST_COMMITMENT, LATEST_COMMITMENT, (bits >>> 16) & 0xffff);
    int received = shipped + between(1, LATEST_RECEIPT, (bits >>> 32) & 0xffff);
    return new LineItem(
        plain.getRowNumber(),
        draw.key(hot),
        plain.getPartKey(),
        plain.getSupplierKey(),
        Math.toIntExact(number),
        plain.getQuantity(),
        plain.getExtendedPriceInCents(),
        plain.getDiscountPercent(),
        plain.getTaxPercent(),
        // All of this is long ago on TPC-H's current date, 1995-06-17: shipped and received.
        bits < 0 ? "R" : "A",
        "F",
        shipped,
        committed,
        received,
        plain.getShipInstructions(),
        plain.getShipMode(),
        plain.getComment());
  }

  /** A number between two, both included, from 16 uniform bits. */
  private static int between(int least, int most, long bits) {
    return least + (int) ((bits * (most - least + 1)) >>> 16);
  }
}
