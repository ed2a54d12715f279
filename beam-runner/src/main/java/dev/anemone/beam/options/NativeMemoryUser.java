// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

/** A DoFn that takes memory outside of the heap: containers on YARN have so much more. */
public interface NativeMemoryUser {

  /** Bytes that one instance takes at most, at least 1. */
  long nativeBytes();
}
