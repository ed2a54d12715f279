// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/**
 * What identifies the content of a file.
 *
 * @param sha256 in lower-case hexadecimal
 * @param crc32 the checksum that zip files have
 * @param bytes the file's length
 */
record ContentDigest(String sha256, long crc32, long bytes) {

  private static final int BUFFER_BYTES = 64 << 10;
  private static final Map<FileVersion, ContentDigest> KNOWN = new ConcurrentHashMap<>();

  /** A file that has kept its size and its time is taken to be the same. */
  private record FileVersion(Path file, long bytes, FileTime modified) {}

  /** Reads a file, unless this JVM has read it before and it has not changed since. */
  static ContentDigest of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    FileVersion version = new FileVersion(file, attributes.size(), attributes.lastModifiedTime());
    ContentDigest known = KNOWN.get(version);
    if (known == null) {
      known = read(file);
      KNOWN.put(version, known);
    }
    return known;
  }

  /** Reads a file, whatever is known of it. */
  static ContentDigest read(Path file) throws IOException {
    return copy(file, OutputStream.nullOutputStream());
  }

  /** Copies a file and says what was copied. */
  static ContentDigest copy(Path file, OutputStream out) throws IOException {
    MessageDigest sha256 = newSha256();
    CRC32 crc32 = new CRC32();
    byte[] buffer = new byte[BUFFER_BYTES];
    long bytes = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        sha256.update(buffer, 0, length);
        crc32.update(buffer, 0, length);
        out.write(buffer, 0, length);
        bytes += length;
      }
    }
    return new ContentDigest(HexFormat.of().formatHex(sha256.digest()), crc32.getValue(), bytes);
  }

  /** The SHA-256 of bytes in memory, in lower-case hexadecimal. */
  static String ofBytes(byte[] bytes) {
    return HexFormat.of().formatHex(newSha256().digest(bytes));
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
