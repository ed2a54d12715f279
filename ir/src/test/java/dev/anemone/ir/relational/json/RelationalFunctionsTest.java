// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelationalFunctionsTest {

  private static final RowType ROW = RowType.of(Field.required("id", SimpleType.INT64));
  private static final RelationalQuery QUERY = new RelationalQuery(new Relation.Input("x0", ROW));

  @Test
  void queriesOnPiecesAreReadAsTheyWereWritten() {
    PiecedQuery pieced = new PiecedQuery(QUERY, "x0");
    FunctionSpec function = RelationalFunctions.piecesOf(pieced);
    assertThat(RelationalFunctions.piecedOf(function)).contains(pieced);
    assertThat(RelationalFunctions.partitionedOf(function)).isEmpty();
    assertThatThrownBy(() -> new PiecedQuery(QUERY, "x1"))
        .hasMessage("x1 is no input of the query: [x0]");
  }

  @Test
  void exchangesAreReadAsTheyWereWritten() {
    for (Partitioning partitioning :
        List.of(
            new Partitioning.Hash(List.of("id")),
            new Partitioning.Spread(),
            new Partitioning.Gather(),
            new Partitioning.Replicate(),
            new Partitioning.Broadcast(),
            new Partitioning.Stay())) {
      ExchangeWrite write = new ExchangeWrite(new Exchange("x0", ROW, partitioning), 3);
      assertThat(RelationalFunctions.exchangeOf(RelationalFunctions.exchangeOf(write)))
          .contains(write);
    }
  }

  @Test
  void whatIsNoneOfThemIsRefused() {
    assertThatThrownBy(() -> RelationalFunctions.piecedOf(json(RelationalFunctions.PIECES_URN)))
        .isInstanceOf(InvalidPlanException.class);
    assertThatThrownBy(() -> RelationalFunctions.exchangeOf(json(RelationalFunctions.EXCHANGE_URN)))
        .isInstanceOf(InvalidPlanException.class);
  }

  private static FunctionSpec json(String urn) {
    return FunctionSpec.of(urn, "{\"query\":7}".getBytes(StandardCharsets.UTF_8));
  }
}
