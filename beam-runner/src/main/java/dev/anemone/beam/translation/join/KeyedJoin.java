// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation.join;

import java.util.Set;

/**
 * A transform that joins its sides by a CoGroupByKey, key by key. Implemented by transforms of this
 * project.
 */
public interface KeyedJoin {

  /** The sides, from 0, that every row of the result has exactly one element of. */
  Set<Integer> neededSides();
}
