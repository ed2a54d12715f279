// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Literal;

/** Expressions as JSON, what {@link ExpressionReader} reads. */
final class ExpressionWriter {

  private ExpressionWriter() {}

  static ArrayNode json(Expression expression) {
    if (expression instanceof Expression.Column column) {
      return node("column").add(column.name());
    } else if (expression instanceof Literal literal) {
      ArrayNode node = node("literal").add(literal.type().text());
      return literal.value().isPresent() ? node.add(literal.valueText()) : node.addNull();
    } else if (expression instanceof Expression.Comparison comparison) {
      return withChildren(node(comparison.relation().symbol()), expression);
    } else if (expression instanceof Expression.Arithmetic arithmetic) {
      return withChildren(node(arithmetic.operator().symbol()), expression);
    } else if (expression instanceof Expression.And) {
      return withChildren(node("and"), expression);
    } else if (expression instanceof Expression.Or) {
      return withChildren(node("or"), expression);
    } else if (expression instanceof Expression.Not) {
      return withChildren(node("not"), expression);
    } else if (expression instanceof Expression.Between) {
      return withChildren(node("between"), expression);
    } else if (expression instanceof Expression.In) {
      return withChildren(node("in"), expression);
    } else if (expression instanceof Expression.Like like) {
      ArrayNode node = node("like").add(json(like.value())).add(like.pattern());
      like.escape().ifPresent(escape -> node.add(String.valueOf(escape)));
      return node;
    } else if (expression instanceof Expression.IsNull) {
      return withChildren(node("is_null"), expression);
    } else if (expression instanceof Expression.Case) {
      // Conditions and results by turns; a last one without partner is the other case.
      return withChildren(node("case"), expression);
    } else if (expression instanceof Expression.DateAdd add) {
      return node("date_add")
          .add(json(add.value()))
          .add(add.amount())
          .add(JsonItems.nameOf(add.unit()));
    } else if (expression instanceof Expression.DaysBetween) {
      return withChildren(node("days_between"), expression);
    } else if (expression instanceof Expression.Extract extract) {
      return node("extract").add(JsonItems.nameOf(extract.part())).add(json(extract.value()));
    } else if (expression instanceof Expression.Cast cast) {
      return node("cast").add(json(cast.value())).add(cast.type().text());
    } else if (expression instanceof Expression.Call call) {
      return withChildren(node("call").add(JsonItems.nameOf(call.function())), expression);
    }
    throw new IllegalStateException("no JSON of a " + expression.getClass().getSimpleName());
  }

  private static ArrayNode node(String kind) {
    return JsonNodeFactory.instance.arrayNode().add(kind);
  }

  private static ArrayNode withChildren(ArrayNode node, Expression expression) {
    expression.children().forEach(child -> node.add(json(child)));
    return node;
  }
}
