// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IncompatibleWindowException;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;

/**
 * Collections that an operator puts together. Those in the same windows stay there, and the
 * operator works window by window; where one is in other windows than another, as an aggregation by
 * {@code TUMBLE} is in others than a table, all are put into the global one.
 */
final class CommonWindows {

  private CommonWindows() {}

  /** The collections, all in the same windows. */
  static PCollectionList<Row> of(PCollectionList<Row> inputs) {
    WindowFn<?, ?> windows = windows(inputs.get(0));
    if (inputs.getAll().stream().allMatch(input -> areSame(windows(input), windows))) {
      return inputs;
    }
    List<PCollection<Row>> global = new ArrayList<>();
    for (PCollection<Row> input : inputs.getAll()) {
      global.add(
          windows(input) instanceof GlobalWindows
              ? input
              : input.apply("All windows of " + global.size(), Window.into(new GlobalWindows())));
    }
    return PCollectionList.of(global);
  }

  private static boolean areSame(WindowFn<?, ?> one, WindowFn<?, ?> other) {
    try {
      one.verifyCompatibility(other);
      return true;
    } catch (IncompatibleWindowException different) {
      return false;
    }
  }

  private static WindowFn<?, ?> windows(PCollection<Row> rows) {
    return rows.getWindowingStrategy().getWindowFn();
  }
}
