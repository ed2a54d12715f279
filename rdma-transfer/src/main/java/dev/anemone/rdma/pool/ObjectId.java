// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.util.UUID;

/**
 * Which object, for all time: a path can be used again, an id is not.
 *
 * @param client the client with whose lease it may end: the one that wrote it, or its owner
 * @param number another one for each object of that client
 */
public record ObjectId(UUID client, long number) {

  @Override
  public String toString() {
    return client + "/" + number;
  }
}
