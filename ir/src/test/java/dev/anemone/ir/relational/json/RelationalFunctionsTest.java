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
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
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
      for (OptionalLong bytes : List.of(OptionalLong.empty(), OptionalLong.of(1L << 40))) {
        ExchangeWrite write = new ExchangeWrite(new Exchange("x0", ROW, partitioning, bytes), 3);
        assertThat(RelationalFunctions.exchangeOf(RelationalFunctions.exchangeOf(write)))
            .contains(write);
      }
    }
  }

  @Test
  void rowsWithLessThanNoBytesAreRefused() {
    Partitioning spread = new Partitioning.Spread();
    ExchangeWrite write = new ExchangeWrite(new Exchange("x0", ROW, spread, OptionalLong.of(1)), 3);
    String json =
        new String(RelationalFunctions.exchangeOf(write).payload(), StandardCharsets.UTF_8);
    FunctionSpec negative =
        FunctionSpec.of(
            RelationalFunctions.EXCHANGE_URN,
            json.replace("\"bytes\":1", "\"bytes\":-1").getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> RelationalFunctions.exchangeOf(negative))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining("x0 have -1 bytes");
  }

  @Test
  void queriesThatRunAlikeAreFused() {
    RelationalQuery above = new RelationalQuery(new Relation.Union(List.of(QUERY.root())));
    RelationalQuery below = new RelationalQuery(new Relation.Input("x1", ROW));
    FunctionSpec onPieces = RelationalFunctions.piecesOf(new PiecedQuery(above, "x0"));
    FunctionSpec once = RelationalFunctions.togetherOf(new PartitionedQuery(above, Set.of("x0")));
    FunctionSpec belowOnPieces = RelationalFunctions.piecesOf(new PiecedQuery(below, "x1"));
    FunctionSpec belowOnce =
        RelationalFunctions.togetherOf(new PartitionedQuery(below, Set.of("x1")));

    assertThat(RelationalFunctions.fused(onPieces, "x0", belowOnPieces))
        .flatMap(RelationalFunctions::piecedOf)
        .hasValueSatisfying(
            fused -> {
              assertThat(fused.query().line()).isEqualTo("union all {x1}");
              assertThat(fused.pieces()).isEqualTo("x1");
            });
    assertThat(RelationalFunctions.fused(once, "x0", belowOnce))
        .flatMap(RelationalFunctions::partitionedOf)
        .hasValueSatisfying(fused -> assertThat(fused.replicated()).containsExactly("x1"));
    assertThat(RelationalFunctions.fused(onPieces, "x0", belowOnce)).isEmpty();
    assertThat(RelationalFunctions.fused(once, "x0", belowOnPieces)).isEmpty();
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
