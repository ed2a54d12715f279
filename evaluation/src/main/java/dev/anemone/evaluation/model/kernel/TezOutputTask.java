// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.tez.runtime.api.OutputContext;
import org.apache.tez.runtime.api.OutputStatisticsReporter;

/** A task that writes. */
final class TezOutputTask extends TezTask implements OutputContext {
  /** Name of its vertex. */
  static final String VERTEX = "writer";

  TezOutputTask(TezSetup setup) {
    super(setup, VERTEX);
  }

  @Override
  public String getDestinationVertexName() {
    return TezInputTask.VERTEX;
  }

  @Override
  public int getOutputIndex() {
    return 0;
  }

  @Override
  public OutputStatisticsReporter getStatisticsReporter() {
    return new OutputStatisticsReporter() {
      @Override
      public void reportDataSize(long size) {}

      @Override
      public void reportItemsProcessed(long items) {}
    };
  }

  @Override
  @SuppressWarnings("rawtypes") // as Tez declares it
  public void trapEvents(EventHandler eventHandler) {
    throw new UnsupportedOperationException("Events of this output go nowhere.");
  }
}
