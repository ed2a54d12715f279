package dev.anemone.rdma.pool;

import java.util.UUID;

/**
 * Which object, for all time: a path can be used again, an id is not.
 *
 * @param client the client that wrote it
 * @param number counts the objects of that client
 */
public record ObjectId(UUID client, long number) {

  @Override
  public String toString() {
    return client + "/" + number;
  }
}
