// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.beam.operator.step.Windows;
import dev.anemone.runtime.spi.Receiver;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.util.WindowedValueReceiver;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;

/**
 * Hands on the panes of one key, and marks each window's last one as such: a trigger does not know
 * whether it will fire again, but when no input and no time is left, it will not. The newest pane
 * of a window is held back until then, or until the next one. Not thread-safe.
 */
final class LastPanes implements WindowedValueReceiver<KV<Object, Object>> {

  private final Receiver receiver;
  private final Map<BoundedWindow, WindowedValue<KV<Object, Object>>> newest =
      new LinkedHashMap<>();

  LastPanes(Receiver receiver) {
    this.receiver = receiver;
  }

  @Override
  public void output(WindowedValue<KV<Object, Object>> pane) throws Exception {
    WindowedValue<KV<Object, Object>> before = newest.put(Windows.single(pane), pane);
    if (before != null) {
      receiver.accept(before);
    }
  }

  /** Hands on what was held back: nothing will fire any more. */
  void end() throws Exception {
    for (WindowedValue<KV<Object, Object>> pane : newest.values()) {
      PaneInfo info = pane.getPaneInfo();
      receiver.accept(
          WindowedValues.of(
              pane.getValue(),
              pane.getTimestamp(),
              pane.getWindows(),
              PaneInfo.createPane(
                  info.isFirst(),
                  true,
                  info.getTiming(),
                  info.getIndex(),
                  info.getNonSpeculativeIndex())));
    }
    newest.clear();
  }
}
