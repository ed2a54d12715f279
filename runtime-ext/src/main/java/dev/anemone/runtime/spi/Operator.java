// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/**
 * A function that runs in a task. The task calls, from one thread: {@link #open}, then what {@link
 * ElementOperator} or {@link GroupOperator} adds, for all of the input, then {@link #finish} once,
 * and {@link #close} in every case, also when {@code open} failed.
 */
public sealed interface Operator extends AutoCloseable permits ElementOperator, GroupOperator {

  /** Prepares for input. The outputs may be used from now until {@link #finish} returns. */
  void open(OperatorContext context) throws Exception;

  /** All input has been processed; everything still held back must be output now. */
  void finish() throws Exception;

  /** Releases what the operator holds. No output is allowed any more. */
  @Override
  void close() throws Exception;
}
