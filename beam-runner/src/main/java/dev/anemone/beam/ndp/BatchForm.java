// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.function.FunctionSpec;
import java.io.Serializable;
import java.util.Optional;

/**
 * What elements of a collection become of the batches that a read or a query gives. Equal forms
 * make the same elements, so they do not know the name of a step.
 *
 * @param <T> the elements
 */
public interface BatchForm<T> extends Serializable {

  /** What elements are handed to. */
  @FunctionalInterface
  interface ElementReceiver<T> {
    /** Takes an element. */
    void accept(T element) throws Exception;
  }

  /** Makes elements of batches, for one task. Not thread-safe. */
  interface Writer extends BatchReceiver, AutoCloseable {

    /** Hands on what was held back; called once, after the last batch. */
    default void finish() throws Exception {}

    @Override
    default void close() {}
  }

  /** A writer, to be closed by the caller. */
  Writer open(ElementReceiver<T> output);

  /** What says the same in the IR, where passes can read it. */
  default Optional<FunctionSpec> function() {
    return Optional.empty();
  }

  /** Bytes outside of the heap that a writer takes beside the batches, at most. */
  default long nativeBytes() {
    return 0;
  }
}
