// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import org.apache.beam.sdk.transforms.windowing.BoundedWindow;

/**
 * All elements of a side input, by window. Immutable, so that tasks may share it. What lies on disk
 * is deleted when it is closed.
 */
public sealed interface SideInputContents extends AutoCloseable
    permits HeapContents, TableContents {

  /**
   * What the view's function makes its value of, in one window; empty where nothing was. To be used
   * by one thread.
   */
  Object in(BoundedWindow window);

  @Override
  void close() throws Exception;
}
