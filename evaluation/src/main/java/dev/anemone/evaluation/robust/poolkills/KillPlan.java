// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Who is killed, and how often.
 *
 * @param directory for logs and figures; made if missing
 * @param classPath with the programs
 * @param jvmOptions of servers and clients
 * @param seed of all choices
 * @param kills how many
 * @param servers of the pool, at least 2, so that names have a replica
 * @param clients that write, read and delete
 * @param deadline after which no more are killed
 */
record KillPlan(
    Path directory,
    String classPath,
    List<String> jvmOptions,
    long seed,
    int kills,
    int servers,
    int clients,
    Duration deadline) {

  static final int CHUNK_BYTES = 16 << 10;

  /** Chunks of a server. */
  static final int CHUNKS = 400;

  static final Duration LEASE = Duration.ofSeconds(3);

  private static final int BUFFERS = 8;

  /** The command of a program of this package. */
  List<String> command(Class<?> program, String... arguments) {
    return new JavaProgram(program.getName(), classPath, jvmOptions, List.of(arguments)).command();
  }

  static PoolClientOptions clientOptions(List<ServerAddress> servers) {
    return PoolClientOptions.of(servers, AccessToken.open()).withBuffers(BUFFERS);
  }
}
