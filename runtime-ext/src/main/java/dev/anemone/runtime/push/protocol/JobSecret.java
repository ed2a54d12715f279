// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the tasks of a job know, and nobody else. It is never sent: either side of a connection
 * proves that it has it by an HMAC-SHA256 over its role, the sender's hello, and random numbers of
 * both, so that no proof is worth anything on another connection. Immutable.
 */
public final class JobSecret {

  /** Bytes of the random number that each side gives. */
  public static final int NONCE_BYTES = 32;

  /** Bytes of a proof. */
  public static final int PROOF_BYTES = 32;

  /** Who gives a proof; so that none can be sent back to the one who gave it. */
  enum Side {
    SENDER('S'),
    RECEIVER('R');

    private final byte code;

    Side(char code) {
      this.code = (byte) code;
    }
  }

  private static final String ALGORITHM = "HmacSHA256";

  /** The same key may sign other things elsewhere, such as fetches. */
  private static final byte[] PURPOSE = "anemone push 2\n".getBytes(StandardCharsets.US_ASCII);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  private JobSecret(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * The secret of a job that has a key already.
   *
   * @param key is copied
   * @throws IllegalArgumentException when it is empty
   */
  public static JobSecret of(byte[] key) {
    return new JobSecret(key);
  }

  /** A secret for tasks of this JVM, which nobody else can know. */
  public static JobSecret random() {
    return new JobSecret(nonce());
  }

  /** A random number that has not been before. */
  static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  byte[] proof(Side side, Hello hello, byte[] senderNonce, byte[] receiverNonce) {
    ByteBuf introduced = hello.toBytes(UnpooledByteBufAllocator.DEFAULT);
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(PURPOSE);
      mac.update(side.code);
      mac.update(introduced.nioBuffer());
      mac.update(senderNonce);
      mac.update(receiverNonce);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    } finally {
      introduced.release();
    }
  }

  /** Whether another's proof is right; takes as long for a wrong one as for the right one. */
  boolean verify(byte[] proof, Side side, Hello hello, byte[] senderNonce, byte[] receiverNonce) {
    return MessageDigest.isEqual(proof(side, hello, senderNonce, receiverNonce), proof);
  }
}
