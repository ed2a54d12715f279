// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Optional;

/**
 * Relational operators and queries as functions of vertices: unlike other functions of a graph,
 * passes and printers can read them.
 */
public final class RelationalFunctions {

  /**
   * The URN of a relational operator; the payload is {@link PlanJson#write(RelationalOperator)}.
   */
  public static final String URN = "anemone:relational:v1";

  /**
   * The URN of a source that gives the rows of a whole query; the payload is {@link
   * QueryJson#write}. Which tables are its inputs is in the parts of the source.
   */
  public static final String QUERY_URN = "anemone:relational-query:v1";

  /**
   * The URN of an operator that runs a query on each partition of the exchanges that it reads, over
   * a shuffle by the partition's number; the payload is a {@link PartitionedQuery}.
   */
  public static final String PARTITIONS_URN = "anemone:relational-partitions:v1";

  /**
   * The URN of an operator that runs such a query once, when all that the exchanges bring has come
   * to its task, in any order; the payload is the same.
   */
  public static final String TOGETHER_URN = "anemone:relational-together:v1";

  /**
   * The URN of an operator that runs a query on some of the rows that it iterates at a time, with
   * all rows of its side inputs, which have the names of the query's inputs, beside them; the
   * payload is a {@link PiecedQuery}.
   */
  public static final String PIECES_URN = "anemone:relational-pieces:v1";

  /**
   * The URN of an operator that sends all rows of the batches that it gets over an exchange; the
   * payload is an {@link ExchangeWrite}.
   */
  public static final String EXCHANGE_URN = "anemone:relational-exchange:v1";

  private RelationalFunctions() {}

  /** What is sent over an exchange. */
  public static FunctionSpec exchangeOf(ExchangeWrite write) {
    return FunctionSpec.of(EXCHANGE_URN, ExchangeWriteJson.write(write));
  }

  /**
   * Over what a function sends the rows that it gets; empty for other functions.
   *
   * @throws InvalidPlanException when the function says that it is one, and its payload is none
   */
  public static Optional<ExchangeWrite> exchangeOf(FunctionSpec spec) {
    return spec.urn().equals(EXCHANGE_URN)
        ? Optional.of(ExchangeWriteJson.read(spec.payload()))
        : Optional.empty();
  }

  /** A query as what runs on pieces of one of its inputs. */
  public static FunctionSpec piecesOf(PiecedQuery query) {
    return FunctionSpec.of(PIECES_URN, PiecedQueryJson.write(query));
  }

  /**
   * The query that a function runs on pieces of one of its inputs; empty for other functions.
   *
   * @throws InvalidPlanException when the function says that it is one, and its payload is none
   */
  public static Optional<PiecedQuery> piecedOf(FunctionSpec spec) {
    return spec.urn().equals(PIECES_URN)
        ? Optional.of(PiecedQueryJson.read(spec.payload()))
        : Optional.empty();
  }

  /** A query as what runs on each partition. */
  public static FunctionSpec partitionsOf(PartitionedQuery query) {
    return FunctionSpec.of(PARTITIONS_URN, PartitionedQueryJson.write(query));
  }

  /** A query as what runs once on what came to one task. */
  public static FunctionSpec togetherOf(PartitionedQuery query) {
    return FunctionSpec.of(TOGETHER_URN, PartitionedQueryJson.write(query));
  }

  /**
   * The query that a function runs on partitions, each or all together; empty for other functions.
   *
   * @throws InvalidPlanException when the function says that it is one, and its payload is none
   */
  public static Optional<PartitionedQuery> partitionedOf(FunctionSpec spec) {
    return spec.urn().equals(PARTITIONS_URN) || spec.urn().equals(TOGETHER_URN)
        ? Optional.of(PartitionedQueryJson.read(spec.payload()))
        : Optional.empty();
  }

  /**
   * Two queries as one that run in the same way, once or on pieces, of which one reads over an
   * exchange what the other gives.
   *
   * @param above what reads the exchange
   * @param below whose rows alone come over it
   * @return empty where they do not run alike, or cannot be one
   * @throws InvalidPlanException when a function says that it is a query, and its payload is none
   */
  public static Optional<FunctionSpec> fused(
      FunctionSpec above, String exchange, FunctionSpec below) {
    if (!above.urn().equals(below.urn())) {
      return Optional.empty();
    } else if (above.urn().equals(TOGETHER_URN)) {
      return partitionedOf(above)
          .orElseThrow()
          .over(exchange, partitionedOf(below).orElseThrow())
          .map(RelationalFunctions::togetherOf);
    }
    return piecedOf(above)
        .flatMap(pieced -> pieced.over(exchange, piecedOf(below).orElseThrow()))
        .map(RelationalFunctions::piecesOf);
  }

  /** A query as what a source reads. */
  public static FunctionSpec specOf(RelationalQuery query) {
    return FunctionSpec.of(QUERY_URN, QueryJson.write(query));
  }

  /**
   * The query that a function is, empty for other functions.
   *
   * @throws InvalidPlanException when the function says that it is one, and its payload is none
   */
  public static Optional<RelationalQuery> queryOf(FunctionSpec spec) {
    return spec.urn().equals(QUERY_URN)
        ? Optional.of(QueryJson.read(spec.payload()))
        : Optional.empty();
  }

  /**
   * The query that an engine runs for a function: of a source, or on what exchanges bring; empty
   * for other functions.
   *
   * @throws InvalidPlanException when the function says that it is one, and its payload is none
   */
  public static Optional<RelationalQuery> engineQueryOf(FunctionSpec spec) {
    return queryOf(spec).or(() -> partitionedOf(spec).map(PartitionedQuery::query));
  }

  /** An operator as what a vertex runs. */
  public static FunctionSpec specOf(RelationalOperator operator) {
    return FunctionSpec.of(URN, PlanJson.write(operator));
  }

  /**
   * The operator that a function is, empty for other functions.
   *
   * @throws InvalidPlanException when the function says that it is one, and its payload is none
   */
  public static Optional<RelationalOperator> operatorOf(FunctionSpec spec) {
    return spec.urn().equals(URN)
        ? Optional.of(PlanJson.readOperator(spec.payload()))
        : Optional.empty();
  }
}
