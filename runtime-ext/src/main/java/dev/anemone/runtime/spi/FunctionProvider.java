// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import java.util.Optional;

/**
 * Turns the {@link FunctionSpec}s of the IR into functions that run. Providers are found with
 * {@link java.util.ServiceLoader} on the job's class loader; the first that {@linkplain
 * #provides(String) provides} a URN is asked.
 *
 * <p>Implementations must be thread-safe; what they make is used by one task thread.
 */
public interface FunctionProvider {

  /** Whether this provider understands specs with this URN. */
  boolean provides(String urn);

  /**
   * A reader of one part of a source.
   *
   * @param source the vertex that reads; metrics go by its name
   * @param part the part's spec
   */
  SourceReader sourceReader(SourceVertex source, FunctionSpec part, TaskContext context)
      throws Exception;

  /**
   * Whether readers of a source run an operator themselves when it follows the source, or other
   * operators of which this is true, in its stage, and nobody else reads what comes between. Then
   * no such operator is asked for.
   */
  default boolean absorbs(FunctionSpec source, FunctionSpec operator) {
    return false;
  }

  /**
   * A reader of one part of a source, with operators that it runs.
   *
   * @throws IllegalArgumentException when there are some, and the provider's readers run none
   */
  default SourceReader sourceReader(
      SourceVertex source, FunctionSpec part, SourceOperators operators, TaskContext context)
      throws Exception {
    if (!operators.equals(SourceOperators.NONE)) {
      throw new IllegalArgumentException(
          "readers of " + source.source().urn() + " run no operators, but there are " + operators);
    }
    return sourceReader(source, part, context);
  }

  /** A new operator for one task: an {@link ElementOperator} or a {@link GroupOperator}. */
  Operator operator(FunctionSpec spec, TaskContext context) throws Exception;

  /** Writes elements of edges that are not keyed. */
  ElementEncoder encoder(FunctionSpec encoder, TaskContext context) throws Exception;

  /** Reads elements of edges that are not grouped by key. */
  ElementDecoder decoder(FunctionSpec decoder, TaskContext context) throws Exception;

  /**
   * Writes elements of a shuffle that is grouped by key.
   *
   * @param keyExtractor finds the key of an element
   * @param keyEncoder how a key becomes bytes
   * @param encoder codes the whole element; the provider decides how its parts are divided between
   *     a record's key and value
   */
  RecordEncoder recordEncoder(
      FunctionSpec keyExtractor, FunctionSpec keyEncoder, FunctionSpec encoder, TaskContext context)
      throws Exception;

  /**
   * Combines accumulators of one key while runs are merged, if that can be done.
   *
   * @param operator of the vertex that makes the accumulators, or of the one that merges them
   */
  default Optional<RecordCombiner> recordCombiner(FunctionSpec operator, TaskContext context)
      throws Exception {
    return Optional.empty();
  }
}
