// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

/**
 * Told how a reader's questions were answered, by a thread that reads. Implementations are as
 * thread-safe as the reader is used.
 */
public interface ReadObserver {

  /** Counts nothing. */
  ReadObserver UNCOUNTED =
      new ReadObserver() {
        @Override
        public void transferred(int bytes) {
          // Nobody wants to know.
        }

        @Override
        public void page(boolean cached, int bytes) {
          // Nobody wants to know.
        }

        @Override
        public void name(boolean cached) {
          // Nobody wants to know.
        }
      };

  /**
   * Bytes came from a server: by a one-sided read, in a message, or with the object's name. Those
   * that copies gave are not among them, nor the eight bytes by which a part of a page is checked;
   * a client that keeps copies of pages reads whole pages.
   */
  void transferred(int bytes);

  /**
   * Bytes of one page were read, of a client that keeps copies of pages.
   *
   * @param cached from a copy, and not from the server
   * @param bytes that the reader wanted
   */
  void page(boolean cached, int bytes);

  /**
   * An object was opened, of a client that remembers names.
   *
   * @param cached without a question to a server
   */
  void name(boolean cached);
}
