// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

/** What happened to a vertex, an edge or a control dependency between two graphs. */
enum Mark {
  SAME(' '),
  ADDED('+'),
  REMOVED('-'),
  CHANGED('~');

  private final char sign;

  Mark(char sign) {
    this.sign = sign;
  }

  char sign() {
    return sign;
  }
}
