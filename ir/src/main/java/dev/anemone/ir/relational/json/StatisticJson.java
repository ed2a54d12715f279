// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.query.SpreadFunction;
import dev.anemone.ir.relational.query.Statistic;

/**
 * Statistics in the JSON of a query.
 *
 * <pre>
 * ["quantile","q","price",true,0.5,false,null]
 * ["spread","s","stddev_pop",["price"],false,"wanted"]
 * </pre>
 */
final class StatisticJson {

  private static final String QUANTILE = "quantile";
  private static final String SPREAD = "spread";

  private StatisticJson() {}

  static ArrayNode of(Statistic statistic) {
    ArrayNode item = JsonNodeFactory.instance.arrayNode();
    if (statistic instanceof Statistic.Quantile quantile) {
      item.add(QUANTILE).add(quantile.name()).add(quantile.column()).add(quantile.continuous());
      item.add(quantile.fraction()).add(quantile.descending());
    } else if (statistic instanceof Statistic.Spread spread) {
      item.add(SPREAD).add(spread.name()).add(JsonItems.nameOf(spread.function()));
      ArrayNode columns = item.addArray();
      spread.columns().forEach(columns::add);
      item.add(spread.distinct());
    } else {
      throw new IllegalStateException("no JSON of a " + statistic.getClass().getSimpleName());
    }
    statistic.filter().ifPresentOrElse(item::add, item::addNull);
    return item;
  }

  static Statistic read(JsonNode item) {
    String kind = JsonItems.text(JsonItems.array(item, "a statistic").path(0), "its kind");
    return switch (kind) {
      case QUANTILE -> {
        JsonItems.array(
            item, 7, "a quantile [kind, name, column, continuous, fraction, descending, filter]");
        yield new Statistic.Quantile(
            JsonItems.text(item.get(1), "the name of a quantile"),
            JsonItems.text(item.get(2), "the column of a quantile"),
            JsonItems.bool(item.get(3), "whether a quantile is continuous"),
            JsonItems.number(item.get(4), "the fraction of a quantile"),
            JsonItems.bool(item.get(5), "whether the order of a quantile descends"),
            JsonItems.optional(item.get(6), "the filter of a quantile"));
      }
      case SPREAD -> {
        JsonItems.array(item, 6, "a spread [kind, name, function, columns, distinct, filter]");
        yield new Statistic.Spread(
            JsonItems.text(item.get(1), "the name of a spread"),
            JsonItems.constant(item.get(2), SpreadFunction.values(), "the function of a spread"),
            OperatorJson.names(item.get(3), "the columns of a spread"),
            JsonItems.bool(item.get(4), "whether a spread is of different values"),
            JsonItems.optional(item.get(5), "the filter of a spread"));
      }
      default -> throw new InvalidPlanException("there is no statistic " + kind);
    };
  }
}
