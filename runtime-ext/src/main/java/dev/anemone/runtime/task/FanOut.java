// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.spi.Receiver;
import java.util.List;

/** Hands each element to several receivers, in order. */
final class FanOut implements Receiver {

  private static final Receiver NOBODY = element -> {};

  private final Receiver[] receivers;

  private FanOut(Receiver[] receivers) {
    this.receivers = receivers;
  }

  /** The plainest receiver that hands elements to all of {@code receivers}. */
  static Receiver to(List<Receiver> receivers) {
    return switch (receivers.size()) {
      case 0 -> NOBODY;
      case 1 -> receivers.get(0);
      default -> new FanOut(receivers.toArray(Receiver[]::new));
    };
  }

  @Override
  public void accept(Object element) throws Exception {
    for (Receiver receiver : receivers) {
      receiver.accept(element);
    }
  }
}
