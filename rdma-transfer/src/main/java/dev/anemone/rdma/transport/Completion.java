// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;

/**
 * Told of the end of an operation, once, on a thread of the transport's or of the caller. Must not
 * wait. An object can be used for many operations, so that none is made for each. An exception that
 * it throws is the end of the connection.
 */
@FunctionalInterface
public interface Completion {

  /**
   * The operation has ended.
   *
   * @param failure why it failed, or null when it has done its work. A failure of one operation is
   *     the end of its connection.
   */
  void completed(IOException failure);
}
