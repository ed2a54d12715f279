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
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret of proxies and their clients, in addition to what HDFS asks for. It is never sent: a
 * request carries the time, a digest of its body, and an HMAC-SHA256 over these and its address,
 * which is worth nothing for another request or after some minutes. Neither side's clock may be off
 * by more. Whether the sender has the secret is so known before a body is read. Immutable.
 */
public final class SharedSecret {

  /** How far two clocks may be apart; Kerberos asks for the same. */
  private static final long WINDOW_MS = Duration.ofMinutes(5).toMillis();

  private static final String ALGORITHM = "HmacSHA256";
  private static final String DIGEST = "SHA-256";
  private static final String SEPARATOR = ":";
  private static final int PARTS = 3;

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
    return proof(nowMs, address, digest(body));
  }

  private String proof(long time, String address, String digest) {
    return time + SEPARATOR + digest + SEPARATOR + sign(time + "\n" + address + "\n" + digest);
  }

  /**
   * What somebody who has the secret has promised to send; empty when a proof is wrong or old.
   * Takes as long for a wrong one as for the right one.
   */
  public Optional<Promise> verify(String proof, long nowMs, String address) {
    List<String> parts = List.of(proof.split(SEPARATOR, -1));
    if (parts.size() != PARTS) {
      return Optional.empty();
    }
    long time;
    try {
      time = Long.parseLong(parts.get(0));
    } catch (NumberFormatException notATime) {
      return Optional.empty();
    }
    String digest = parts.get(1);
    boolean right =
        time >= nowMs - WINDOW_MS
            && time <= nowMs + WINDOW_MS
            && MessageDigest.isEqual(
                proof(time, address, digest).getBytes(StandardCharsets.UTF_8),
                proof.getBytes(StandardCharsets.UTF_8));
    return right ? Optional.of(new Promise(digest)) : Optional.empty();
  }

  /**
   * Which body a proof is for.
   *
   * @param digest SHA-256, as hexadecimal digits
   */
  public record Promise(String digest) {

    /** Whether this is that body, or plan in the header. */
    public boolean isKeptBy(byte[] body) {
      return digest.equals(SharedSecret.digest(body));
    }
  }

  private static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(DIGEST).digest(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + DIGEST, e);
    }
  }

  private String sign(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }
}
