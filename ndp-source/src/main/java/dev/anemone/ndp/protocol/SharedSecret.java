// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret of proxies and their clients, in addition to what HDFS asks for. It is never sent: a
 * request carries the time and an HMAC-SHA256 over it and the request, which is worth nothing for
 * another request or after some minutes. Neither side's clock may be off by more. Immutable.
 */
public final class SharedSecret {

  private static final long WINDOW_MS = Duration.ofMinutes(5).toMillis();
  private static final String ALGORITHM = "HmacSHA256";
  private static final String SEPARATOR = ":";

  private final byte[] secret;

  private SharedSecret(byte[] secret) {
    this.secret = secret;
  }

  /**
   * A secret.
   *
   * @throws IllegalArgumentException when it is blank
   */
  public static SharedSecret of(String secret) {
    if (secret.isBlank()) {
      throw new IllegalArgumentException(
          "The proxy's token is empty. Give some random text that nobody else knows.");
    }
    return new SharedSecret(secret.strip().getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The secret in a file, without the white space around it.
   *
   * @throws IOException when the file cannot be read
   * @throws IllegalArgumentException when it is blank
   */
  public static SharedSecret read(Path file) throws IOException {
    return of(Files.readString(file));
  }

  /**
   * The proof for a request.
   *
   * @param nowMs the time, in ms since 1970
   * @param address path and query, as they are sent
   * @param body what is sent, or the plan in the header
   */
  public String proof(long nowMs, String address, byte[] body) {
    return nowMs + SEPARATOR + HexFormat.of().formatHex(sign(nowMs, address, body));
  }

  /** Whether a proof is right and fresh; takes as long for a wrong one as for the right one. */
  public boolean verify(String proof, long nowMs, String address, byte[] body) {
    int separator = proof.indexOf(SEPARATOR);
    long time;
    try {
      time = Long.parseLong(proof.substring(0, Math.max(0, separator)));
    } catch (NumberFormatException notATime) {
      return false;
    }
    return time >= nowMs - WINDOW_MS
        && time <= nowMs + WINDOW_MS
        && MessageDigest.isEqual(
            proof(time, address, body).getBytes(StandardCharsets.UTF_8),
            proof.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] sign(long time, String address, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update((time + "\n" + address + "\n").getBytes(StandardCharsets.UTF_8));
      mac.update(body);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
