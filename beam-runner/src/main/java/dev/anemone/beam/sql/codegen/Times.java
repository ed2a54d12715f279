// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.joda.time.ReadableInstant;

/** Times of rows, as generated code computes with them. Public, as generated code calls it. */
public final class Times {

  private Times() {}

  /**
   * Milliseconds since 1970-01-01 of a time without a time zone.
   *
   * @param time of one of the two classes that rows have for it: Beam's own, or that of a logical
   *     type
   */
  public static long millis(Object time) {
    return time instanceof LocalDateTime local
        ? local.toInstant(ZoneOffset.UTC).toEpochMilli()
        : ((ReadableInstant) time).getMillis();
  }
}
