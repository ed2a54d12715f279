// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import java.io.IOException;
import org.apache.beam.sdk.transforms.DoFn;

/** Hands elements on; in the middle of a bundle there is a point where faults may happen. */
final class FaultPointFn<T> extends DoFn<T, T> {
  private static final long serialVersionUID = 1;

  /** Every bundle of the tests has more elements. */
  private static final int ELEMENT = 20;

  private final String point;
  private transient int elements;

  FaultPointFn(String point) {
    this.point = point;
  }

  @StartBundle
  public void startBundle() {
    elements = 0;
  }

  @ProcessElement
  public void processElement(@Element T element, OutputReceiver<T> out)
      throws IOException, InterruptedException {
    out.output(element);
    elements++;
    if (elements == ELEMENT && FaultDirectory.here().isPresent()) {
      FaultDirectory.here().get().reached(point, "", Thread.currentThread().getName());
    }
  }
}
