// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;

/** A server that alone held bytes of an object is gone, and so are they. */
public final class ObjectLostException extends IOException {

  private static final long serialVersionUID = 1;

  private final String object;
  private final String server;

  /** An object that lost bytes; the cause can be null. */
  public ObjectLostException(PoolPath object, ServerAddress server, Throwable cause) {
    super(
        "The pool object " + object + " is lost: server " + server + " held a part, and is gone.");
    initCause(cause);
    this.object = object.value();
    this.server = server.toString();
  }

  /** The object's path. */
  public String object() {
    return object;
  }

  /** The server, {@code host:port}. */
  public String server() {
    return server;
  }
}
