// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;

/** Hands its input on. It is the consumer of a shuffle that only spreads elements. */
public final class IdentityOperator implements ElementOperator {

  private Receiver output;

  @Override
  public void open(OperatorContext context) {
    output = context.output(IREdge.MAIN);
  }

  @Override
  public void accept(Object element) throws Exception {
    output.accept(element);
  }

  @Override
  public void finish() {}

  @Override
  public void close() {}
}
