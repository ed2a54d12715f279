// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The pages of a server that are in memory, as it reads and writes them itself. The memory is valid
 * while the server has it. Thread-safe; who has which page is its users' matter.
 */
public final class OwnPages {

  private final List<MappedPages> runs;

  OwnPages(List<MappedPages> runs) {
    this.runs = List.copyOf(runs);
  }

  /** Whether a page is one of these. */
  public boolean has(int page) {
    return runs.stream().anyMatch(run -> run.has(page));
  }

  /**
   * A copy of bytes of a page.
   *
   * @throws IndexOutOfBoundsException when the page does not have them
   */
  public ByteBuffer read(int page, int from, int length) {
    return run(page).read(page, from, length);
  }

  /**
   * Writes all that remains in a buffer, whose position stays, to the begin of a page.
   *
   * @throws IndexOutOfBoundsException when the page has no room for it
   */
  public void write(int page, ByteBuffer bytes) {
    run(page).write(page, 0, bytes.duplicate());
  }

  private MappedPages run(int page) {
    return runs.stream()
        .filter(run -> run.has(page))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("page " + page + " is not in memory"));
  }
}
