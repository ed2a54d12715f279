// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import java.nio.charset.StandardCharsets;

/**
 * A request as it goes over the wire, right or not.
 *
 * @param kind what was done to it
 * @param head request line and headers, up to the empty line; a character for each byte
 * @param body after that, likewise
 */
record FuzzRequest(Kind kind, String head, String body) {

  /** What was done to a request. */
  enum Kind {
    /** Nothing: it must be answered. */
    VALID,
    /** Bytes of the body were changed. */
    BYTES,
    /** Parts of the JSON were replaced, removed or added. */
    STRUCTURE,
    /** It says of the file or the split what is not so. */
    UNTRUE,
    /** Strings were put in that would do harm as SQL or as a path. */
    HOSTILE_TEXT,
    /** The address is another one. */
    ADDRESS,
    /** Headers are others, or more. */
    HEADERS,
    /** Much of something. */
    SIZE
  }

  /** A request whose body is given as bytes. */
  static FuzzRequest of(Kind kind, String head, byte[] body) {
    return new FuzzRequest(kind, head, new String(body, StandardCharsets.ISO_8859_1));
  }

  /** The bytes before the body. */
  byte[] headBytes() {
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The bytes of the body. */
  byte[] bodyBytes() {
    return body.getBytes(StandardCharsets.ISO_8859_1);
  }
}
