// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import static java.util.Objects.requireNonNull;

import dev.anemone.runtime.spi.OperatorContext;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * What a side input is made of, and as what it is read.
 *
 * @param input the operator's side input that brings the elements
 * @param materialization the URN of one of {@link org.apache.beam.sdk.transforms.Materializations}:
 *     an iterable, or a multimap
 * @param coder codes the elements; pairs for a multimap
 * @param windowing how the elements are windowed and fired
 */
public record SideInputSource(
    String input, String materialization, Coder<?> coder, WindowingStrategy<?, ?> windowing) {

  public SideInputSource {
    requireNonNull(input, "input");
    requireNonNull(materialization, "materialization");
    requireNonNull(coder, "coder");
    requireNonNull(windowing, "windowing");
  }

  /** That of a view of Beam's Java SDK. */
  static SideInputSource of(PCollectionView<?> view) {
    return new SideInputSource(
        Views.tag(view).getId(),
        Views.function(view).getMaterialization().getUrn(),
        Views.coder(view),
        Views.windowing(view));
  }

  /** Codes the windows of the elements. */
  @SuppressWarnings("unchecked") // a strategy's windows are those that its function assigns
  Coder<BoundedWindow> windowCoder() {
    return (Coder<BoundedWindow>) windowing.getWindowFn().windowCoder();
  }

  /**
   * Reads it, into the heap or to disk, by the task's thread.
   *
   * @throws IllegalArgumentException when the materialization is another one
   */
  public SideInputContents read(OperatorContext context) throws Exception {
    return SideInputGatherer.read(this, context);
  }
}
