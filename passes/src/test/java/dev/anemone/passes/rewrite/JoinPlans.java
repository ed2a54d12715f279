// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.passes.Plans;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Joins in columns, for tests. */
final class JoinPlans {

  static final RowType ORDERS = RowType.of(Field.required("o_key", SimpleType.INT64));
  static final RowType NOTES = RowType.of(Field.required("n_order", SimpleType.INT64));
  static final OptionalLong UNKNOWN = OptionalLong.empty();

  private JoinPlans() {}

  static Relation join(JoinKind kind) {
    return new Relation.Join(
        kind,
        new Relation.Input("x0", ORDERS),
        new Relation.Input("x1", NOTES),
        List.of(new Relation.KeyPair("o_key", "n_order")),
        Optional.empty());
  }

  static OperatorVertex query(String id, Relation relation) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.partitionsOf(
            new PartitionedQuery(new RelationalQuery(relation), Set.of())));
  }

  static OperatorVertex exchange(String id, String name, RowType row, OptionalLong estimated) {
    return OperatorVertex.of(
        id,
        id,
        RelationalFunctions.exchangeOf(
            new ExchangeWrite(
                new Exchange(
                    name,
                    row,
                    new Partitioning.Hash(List.of(row.fields().get(0).name())),
                    estimated),
                4)));
  }

  static IRDag joined(JoinKind kind) {
    return joined(
        Plans.source("orders", 100 * Plans.MB, 8), Plans.source("notes", Plans.MB, 1), join(kind));
  }

  /** Orders joined with notes, of which nobody knows how many there are. */
  static IRDag unknown(JoinKind kind) {
    return unknown(join(kind));
  }

  /** The same with any query. */
  static IRDag unknown(Relation query) {
    return joined(Plans.source("orders", 0, 4), Plans.source("notes", 0, 4), query);
  }

  /** Orders joined with notes, both of sources. */
  static IRDag joined(SourceVertex orders, SourceVertex notes, Relation query) {
    return IRDag.builder()
        .add(orders)
        .add(exchange("of-orders", "x0", ORDERS, UNKNOWN))
        .add(notes)
        .add(exchange("of-notes", "x1", NOTES, UNKNOWN))
        .add(query("join", query))
        .add(Plans.operator("write"))
        .add(Plans.oneToOne("e1", orders.id(), "of-orders"))
        .add(Plans.oneToOne("e2", notes.id(), "of-notes"))
        .add(Plans.groupByKey("e3", "of-orders", "join"))
        .add(Plans.groupByKey("e4", "of-notes", "join"))
        .add(Plans.oneToOne("e5", "join", "write"))
        .build();
  }
}
