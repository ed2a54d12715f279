// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import java.nio.ByteBuffer;

/** A page that fetched chunks lie in, one behind the other from its start. */
final class FetchedPage {

  private final ByteBuffer bytes;
  private int end;
  private FetchedPage next;

  FetchedPage(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /** Where the chunks end. */
  int end() {
    return end;
  }

  void setEnd(int newEnd) {
    end = newEnd;
  }

  /** The page that was begun after this one. */
  FetchedPage next() {
    return next;
  }

  void setNext(FetchedPage newNext) {
    next = newNext;
  }
}
