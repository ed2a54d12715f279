// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import java.util.List;

/**
 * What a client is to do for one figure.
 *
 * @param direction of the bytes
 * @param bytes of an operation
 * @param threads each with a connection, and a part of the target's memory, of its own
 * @param millis how long operations are begun
 */
record Load(Direction direction, int bytes, int threads, long millis) {

  /** The load as a line, for another process. */
  String line() {
    return direction + " " + bytes + " " + threads + " " + millis;
  }

  static Load parse(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return new Load(
        Direction.valueOf(words.get(0)),
        Integer.parseInt(words.get(1)),
        Integer.parseInt(words.get(2)),
        Long.parseLong(words.get(3)));
  }
}
