// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import java.time.Duration;
import java.util.List;

/** What servers and clients of the pool agree on. */
final class KilledPool {
  static final int CHUNK_BYTES = 16 << 10;

  /** Chunks of a server. */
  static final int CHUNKS = 400;

  static final Duration LEASE = Duration.ofSeconds(3);
  private static final int BUFFERS = 8;

  private KilledPool() {}

  static PoolClientOptions clientOptions(List<ServerAddress> servers) {
    return PoolClientOptions.of(servers, AccessToken.open()).withBuffers(BUFFERS);
  }
}
