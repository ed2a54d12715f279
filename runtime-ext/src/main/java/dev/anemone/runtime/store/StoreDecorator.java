// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.util.ServiceLoader;

/**
 * Puts something between the runtime and its local files, such as what makes reads as slow as a
 * certain disk would be. Decorators are found by {@link ServiceLoader} beside the runtime, and are
 * asked once for each job that runs in this JVM. Thread-safe.
 */
@FunctionalInterface
public interface StoreDecorator {

  /**
   * The store that is used in place of another one; that one itself where there is nothing to do.
   *
   * @throws IllegalArgumentException when it is asked for what cannot be
   */
  BlockStore decorate(BlockStore store);

  /** A store with all decorators around it that are there. */
  static BlockStore decorated(BlockStore store) {
    BlockStore outermost = store;
    for (StoreDecorator decorator :
        ServiceLoader.load(StoreDecorator.class, StoreDecorator.class.getClassLoader())) {
      outermost = decorator.decorate(outermost);
    }
    return outermost;
  }
}
