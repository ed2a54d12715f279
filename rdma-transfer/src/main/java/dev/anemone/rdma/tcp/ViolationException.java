// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import java.io.IOException;

/** A peer does what it must not. The message is a clause that the peer is told, too. */
final class ViolationException extends IOException {

  private static final long serialVersionUID = 1;

  ViolationException(String message) {
    super(message);
  }
}
