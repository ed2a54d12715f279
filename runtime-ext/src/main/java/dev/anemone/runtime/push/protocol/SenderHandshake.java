// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Optional;

/**
 * How a sender comes to be let in on one connection: it says hello, has the receiver prove that it
 * knows the job's secret, and then proves it itself. Used by one thread at a time.
 */
public final class SenderHandshake {

  private final JobSecret secret;
  private final Hello hello;
  private final byte[] nonce = JobSecret.nonce();
  private boolean answered;

  public SenderHandshake(JobSecret secret, Hello hello) {
    this.secret = secret;
    this.hello = hello;
  }

  /** How the sender introduces itself. */
  public Hello hello() {
    return hello;
  }

  /** What comes first: preamble, hello, and this side's random number. */
  public ByteBuf greeting(ByteBufAllocator allocator) {
    return hello.toBytes(allocator).writeBytes(nonce);
  }

  /**
   * What proves to the receiver that this side knows the secret.
   *
   * @param challenge what follows {@link Reply#CHALLENGE}, {@link
   *     ReceiverHandshake#CHALLENGE_BYTES}
   * @return empty when the receiver does not know the secret, and must get nothing
   */
  public Optional<ByteBuf> answer(ByteBuf challenge, ByteBufAllocator allocator) {
    byte[] receiverNonce = new byte[JobSecret.NONCE_BYTES];
    byte[] proof = new byte[JobSecret.PROOF_BYTES];
    challenge.readBytes(receiverNonce).readBytes(proof);
    if (!secret.verify(proof, JobSecret.Side.RECEIVER, hello, nonce, receiverNonce)) {
      return Optional.empty();
    }
    answered = true;
    return Optional.of(
        allocator
            .buffer(JobSecret.PROOF_BYTES)
            .writeBytes(secret.proof(JobSecret.Side.SENDER, hello, nonce, receiverNonce)));
  }

  /** Whether the receiver has proven itself. */
  public boolean isAnswered() {
    return answered;
  }
}
