// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import java.util.Optional;

/** A stage that takes elements one by one: a task's elements are one bundle. */
final class StageOperator implements ElementOperator {

  private final StageSpec spec;
  private StageRun run;

  StageOperator(StageSpec spec) {
    this.spec = spec;
  }

  @Override
  public void open(OperatorContext context) throws Exception {
    run = StageRun.open(spec, context, Optional.empty());
    run.begin();
  }

  @Override
  public void accept(Object element) throws Exception {
    run.send(element);
  }

  @Override
  public void finish() throws Exception {
    run.end();
    run.finish();
  }

  @Override
  public void close() throws Exception {
    if (run != null) {
      run.close();
    }
  }
}
