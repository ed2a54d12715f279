// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/** Takes elements, one call each. Used by one thread. */
@FunctionalInterface
public interface Receiver {

  /**
   * Takes an element.
   *
   * @throws Exception when it cannot be processed; the task fails with it as the cause
   */
  void accept(Object element) throws Exception;
}
