// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.crypto.SecretKey;
import org.apache.tez.runtime.library.common.shuffle.ShuffleUtils;

/** The token of an application, which YARN and Tez bring to its tasks and to shuffle handlers. */
public final class JobToken {

  private JobToken() {}

  /**
   * The key in a token, by which its owners know each other. It must not be sent, logged or kept.
   *
   * @param token as a {@code Token} writes itself, which is how Tez hands it to tasks as the
   *     handler's consumer metadata; the buffer's position does not change
   * @throws IllegalArgumentException when it is none
   */
  public static SecretKey keyOf(ByteBuffer token) {
    try {
      return ShuffleUtils.getJobTokenSecretFromTokenBytes(token.duplicate());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "these " + token.remaining() + " bytes are no job token", e);
    }
  }
}
