// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/** Takes elements and how large they are, one call each. Used by one thread. */
@FunctionalInterface
public interface SizedReceiver {

  /**
   * Takes an element.
   *
   * @param encodedBytes bytes that it had on its edge
   * @throws Exception when it cannot be processed; the task fails with it as the cause
   */
  void accept(Object element, int encodedBytes) throws Exception;
}
