// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

/** Statistics of a running job that run-time passes decide by. Immutable and thread-safe. */
public sealed interface Message permits SizeHistogram, ShuffleSizes, TaskTimes {

  /** Names the message; the run-time passes that take it know it by this. Not unique per task. */
  String messageId();
}
