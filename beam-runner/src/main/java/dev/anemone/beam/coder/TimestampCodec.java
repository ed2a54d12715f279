// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.coder;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;

/** Writes a timestamp as a variable number of bytes: six for those of this century. */
final class TimestampCodec {

  private TimestampCodec() {}

  static void write(Instant timestamp, OutputStream out) throws IOException {
    long millis = timestamp.getMillis();
    // The sign in the lowest bit, so that times before 1970 stay short, too.
    VarInt.encode((millis << 1) ^ (millis >> 63), out);
  }

  static Instant read(InputStream in) throws IOException {
    long coded = VarInt.decodeLong(in);
    return Instant.ofEpochMilli((coded >>> 1) ^ -(coded & 1));
  }
}
