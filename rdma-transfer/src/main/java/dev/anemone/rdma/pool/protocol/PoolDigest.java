// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** What a pool is called in a greeting: as short for many servers as for one. */
public final class PoolDigest {

  private static final String ALGORITHM = "SHA-256";

  private PoolDigest() {}

  /** The digest of the list of a pool's servers, as hexadecimal digits. */
  public static String of(String servers) {
    try {
      byte[] digest =
          MessageDigest.getInstance(ALGORITHM).digest(servers.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
