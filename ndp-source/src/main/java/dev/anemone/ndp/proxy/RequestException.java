// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request that is answered with a status and a reason. */
final class RequestException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;

  RequestException(HttpResponseStatus status, String reason) {
    this(status.code(), reason);
  }

  RequestException(int status, String reason) {
    super(reason);
    this.status = status;
  }

  int status() {
    return status;
  }
}
