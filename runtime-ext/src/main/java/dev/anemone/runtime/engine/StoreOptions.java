// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.CacheOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Stores for the data between stages that there are beside local files and memory.
 *
 * @param remoteMemory a pool of remote memory
 * @param persistentMemory persistent memory of this machine
 */
public record StoreOptions(
    Optional<RemoteMemory> remoteMemory, Optional<PersistentMemory> persistentMemory) {

  /** No others. */
  public static final StoreOptions NONE = new StoreOptions(Optional.empty(), Optional.empty());

  public StoreOptions {
    Objects.requireNonNull(remoteMemory, "remoteMemory");
    Objects.requireNonNull(persistentMemory, "persistentMemory");
  }

  /**
   * A pool of remote memory.
   *
   * @param servers all its servers
   * @param tokenFile the file with the secret that its servers ask for; empty when they ask for
   *     none
   * @param transport the transport's name; empty for the best that works
   * @param caches what each process of a job keeps of what it has read
   */
  public record RemoteMemory(
      List<ServerAddress> servers,
      Optional<Path> tokenFile,
      Optional<String> transport,
      CacheOptions caches) {

    public RemoteMemory {
      servers = List.copyOf(servers);
      Objects.requireNonNull(tokenFile, "tokenFile");
      Objects.requireNonNull(transport, "transport");
      Objects.requireNonNull(caches, "caches");
    }

    /**
     * The secret that the servers ask for, or what everybody knows.
     *
     * @throws IOException when the file with the secret cannot be read
     */
    public AccessToken token() throws IOException {
      return tokenFile.isPresent() ? AccessToken.read(tokenFile.get()) : AccessToken.open();
    }
  }

  /**
   * Persistent memory.
   *
   * @param directory on a DAX file system, or on another one, which is slower; a file is made there
   *     while it is used
   * @param bytes size of the file
   */
  public record PersistentMemory(Path directory, long bytes) {

    public PersistentMemory {
      Objects.requireNonNull(directory, "directory");
    }
  }
}
