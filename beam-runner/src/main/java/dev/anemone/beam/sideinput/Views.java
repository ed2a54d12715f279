// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.ViewFn;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowingStrategy;

/** The parts of a view that are only for runners, which Beam marks as deprecated for everybody. */
@SuppressWarnings("deprecation") // there is no other way to run a side input
public final class Views {

  private Views() {}

  /** Identifies the view in its pipeline. */
  public static TupleTag<?> tag(PCollectionView<?> view) {
    return view.getTagInternal();
  }

  /** Makes the view's value of the materialized elements. */
  static ViewFn<?, ?> function(PCollectionView<?> view) {
    return view.getViewFn();
  }

  /** How the elements are windowed and fired. */
  static WindowingStrategy<?, ?> windowing(PCollectionView<?> view) {
    return view.getWindowingStrategyInternal();
  }

  /** Codes the elements that the view is made of. */
  static Coder<?> coder(PCollectionView<?> view) {
    return view.getCoderInternal();
  }
}
