// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

/**
 * Is told when a thread waits for bytes of a file, and when they have come. Any thread: of one each
 * {@link #waits} is followed by an {@link #arrived}.
 */
public interface ReadWatch {

  /** For whom nobody asks. */
  ReadWatch NONE =
      new ReadWatch() {
        @Override
        public void waits() {}

        @Override
        public void arrived(int bytes) {}
      };

  /** A thread begins to wait. */
  void waits();

  /**
   * It does not wait any more.
   *
   * @param bytes that have come, none where the file has ended or cannot be read
   */
  void arrived(int bytes);
}
