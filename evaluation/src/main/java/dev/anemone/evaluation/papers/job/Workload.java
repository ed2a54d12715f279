// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import java.io.IOException;
import java.util.List;

/** What a figure runs on each of its sides. Used by one thread, and closed at the end. */
public interface Workload extends AutoCloseable {

  /** What it is, in a sentence. */
  String describe();

  /** Bytes of its input. */
  long inputBytes();

  /** The program, which runs one job. */
  Class<?> program();

  /** Arguments of the program, without those that tell sides apart. */
  List<String> arguments();

  /**
   * Removes what the program has found.
   *
   * @param side on which it ran
   * @throws dev.anemone.evaluation.lab.ExperimentFailure when it is wrong
   */
  void check(String side) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
