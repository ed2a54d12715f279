// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/** An operator that processes its main input element by element. */
public non-sealed interface ElementOperator extends Operator, Receiver {

  /** Processes one element of the main input. */
  @Override
  void accept(Object element) throws Exception;
}
