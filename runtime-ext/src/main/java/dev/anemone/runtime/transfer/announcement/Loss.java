// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

/** How sure it is that a producer's data cannot be had. */
public enum Loss {

  /** It is gone or damaged where it lies: the producer has to run again, whoever says so. */
  GONE,

  /**
   * Its node cannot be reached from here, or does not hand it out. That may pass, and others may
   * find otherwise: whether the producer runs again depends on how many say so, and how long.
   */
  UNREACHABLE
}
