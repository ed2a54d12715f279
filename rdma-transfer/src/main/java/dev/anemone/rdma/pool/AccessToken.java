// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that servers and clients of a pool share. It is never sent: either side proves that it
 * has it by an HMAC-SHA256 over random numbers of both. What follows on the connection is neither
 * signed nor hidden. Immutable.
 */
public final class AccessToken {

  /** Who gives a proof; so that none can be sent back to the one who gave it. */
  public enum Side {
    /** Who connected. */
    CLIENT,
    /** Who was connected to. */
    SERVER,
    /** Who connected and gives orders; proves another secret than that of the pool. */
    OPERATOR;

    private byte mark() {
      return (byte) name().charAt(0);
    }
  }

  private static final int NONCE_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] secret;

  private AccessToken(byte[] secret) {
    this.secret = secret;
  }

  /**
   * A secret.
   *
   * @throws IllegalArgumentException when it is blank
   */
  public static AccessToken of(String secret) {
    if (secret.isBlank()) {
      throw new IllegalArgumentException(
          "The pool's token is empty. Give some random text that nobody else knows.");
    }
    return new AccessToken(secret.strip().getBytes(StandardCharsets.UTF_8));
  }

  /** What everybody knows: for a pool on one machine whose users may all use it. */
  public static AccessToken open() {
    return new AccessToken("anemone".getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The secret in a file, without the white space around it.
   *
   * @throws IOException when the file cannot be read
   * @throws IllegalArgumentException when it is blank
   */
  public static AccessToken read(Path file) throws IOException {
    return of(Files.readString(file));
  }

  /** A random number that has not been before, as hexadecimal digits. */
  public static String nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return HexFormat.of().formatHex(nonce);
  }

  /** Proves that one has the secret; hexadecimal digits. */
  public String proof(Side side, String clientNonce, String serverNonce) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(side.mark());
      mac.update(clientNonce.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      mac.update(serverNonce.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** Whether somebody else's proof is right; takes as long for a wrong one as for the right one. */
  public boolean verify(String proof, Side side, String clientNonce, String serverNonce) {
    byte[] right = proof(side, clientNonce, serverNonce).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(right, proof.getBytes(StandardCharsets.UTF_8));
  }
}
