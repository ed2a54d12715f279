// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import java.io.IOException;
import java.util.List;

/** What a figure runs with more and less memory. Used by one thread, and closed at the end. */
interface Workload extends AutoCloseable {

  /** What it is, in a sentence. */
  String describe();

  /** Bytes of its input. */
  long inputBytes();

  Class<?> program();

  /** Arguments of the program, those of the runner left out. */
  List<String> arguments();

  /** Fails when what the program has found is wrong. */
  void check(String side) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
