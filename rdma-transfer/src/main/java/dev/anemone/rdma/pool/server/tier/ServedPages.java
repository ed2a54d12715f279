// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Pages that no network reaches, so that the server reads and writes them for its clients.
 * Thread-safe; who has which page is its users' matter.
 */
public sealed interface ServedPages permits FilePages, MappedPages {

  /** Whether a page is one of these. */
  boolean has(int page);

  /**
   * A copy of bytes of a page.
   *
   * @throws IndexOutOfBoundsException when the page does not have them
   */
  ByteBuffer read(int page, int from, int length) throws IOException;

  /**
   * Writes all that remains in a buffer.
   *
   * @throws IndexOutOfBoundsException when the page has no room there
   */
  void write(int page, int at, ByteBuffer bytes) throws IOException;
}
