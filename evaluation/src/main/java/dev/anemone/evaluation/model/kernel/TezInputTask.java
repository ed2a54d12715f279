// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import org.apache.tez.runtime.api.InputContext;
import org.apache.tez.runtime.api.InputStatisticsReporter;

/** A task that reads. */
final class TezInputTask extends TezTask implements InputContext {
  /** Name of its vertex. */
  static final String VERTEX = "reader";

  TezInputTask(TezSetup setup) {
    super(setup, VERTEX);
  }

  @Override
  public String getSourceVertexName() {
    return TezOutputTask.VERTEX;
  }

  @Override
  public int getInputIndex() {
    return 0;
  }

  @Override
  public void inputIsReady() {}

  @Override
  public InputStatisticsReporter getStatisticsReporter() {
    return new InputStatisticsReporter() {
      @Override
      public void reportDataSize(long size) {}

      @Override
      public void reportItemsProcessed(long items) {}
    };
  }
}
