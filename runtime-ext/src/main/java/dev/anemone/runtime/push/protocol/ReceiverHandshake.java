// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * How a receiver finds out on one connection whether a sender belongs to its job. Used by one
 * thread at a time.
 */
public final class ReceiverHandshake {

  /** Bytes that follow {@link Reply#CHALLENGE}. */
  public static final int CHALLENGE_BYTES = JobSecret.NONCE_BYTES + JobSecret.PROOF_BYTES;

  private final JobSecret secret;
  private final Hello hello;
  private final byte[] senderNonce = new byte[JobSecret.NONCE_BYTES];
  private final byte[] nonce = JobSecret.nonce();

  /**
   * Begins with what a sender has said.
   *
   * @param senderNonce the sender's random number, which is read from there
   */
  public ReceiverHandshake(JobSecret secret, Hello hello, ByteBuf senderNonce) {
    this.secret = secret;
    this.hello = hello;
    senderNonce.readBytes(this.senderNonce);
  }

  /** The proof that this side knows the secret, which asks for the sender's. */
  public ByteBuf challenge(ByteBufAllocator allocator) {
    return allocator
        .buffer(Reply.BYTES + CHALLENGE_BYTES)
        .writeByte(Reply.CHALLENGE.code())
        .writeInt(CHALLENGE_BYTES)
        .writeBytes(nonce)
        .writeBytes(secret.proof(JobSecret.Side.RECEIVER, hello, senderNonce, nonce));
  }

  /**
   * Who the sender is, when it has proven that it knows the secret.
   *
   * @param proof {@link JobSecret#PROOF_BYTES}
   * @throws RefusedException when it does not know it
   */
  public Hello verified(ByteBuf proof) throws RefusedException {
    byte[] given = new byte[JobSecret.PROOF_BYTES];
    proof.readBytes(given);
    if (!secret.verify(given, JobSecret.Side.SENDER, hello, senderNonce, nonce)) {
      throw new RefusedException(Refusal.SECRET);
    }
    return hello;
  }
}
