// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.ir.property.DataStore;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.memory.DisaggregatedMemoryPass;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stores for data between stages, as the options ask for them. */
final class StoreSettings {

  private static final long MB = 1L << 20;
  private static final int MOST_CACHE_MB = 2047;

  private StoreSettings() {}

  /**
   * The stores.
   *
   * @throws InvalidPipelineException names the option, the value, and what would be right
   */
  static StoreOptions of(NemoPipelineOptions options) {
    return new StoreOptions(remoteMemory(options), persistentMemory(options));
  }

  private static Optional<StoreOptions.RemoteMemory> remoteMemory(NemoPipelineOptions options) {
    if (options.getMemoryPool() == null) {
      requireUnset("memoryPoolTokenFile", options.getMemoryPoolTokenFile(), "memoryPool");
      requireUnset("memoryPoolTransport", options.getMemoryPoolTransport(), "memoryPool");
      if (options.getMemoryPoolCacheMb() != 0) {
        requireUnset(
            "memoryPoolCacheMb", Integer.toString(options.getMemoryPoolCacheMb()), "memoryPool");
      }
      return Optional.empty();
    }
    List<ServerAddress> servers;
    try {
      servers = ServerAddress.parseList(options.getMemoryPool());
    } catch (IllegalArgumentException e) {
      throw new InvalidPipelineException(
          "--memoryPool="
              + options.getMemoryPool()
              + ": "
              + e.getMessage()
              + " Name all servers of the pool, such as host1:7070,host2:7070.",
          e);
    }
    return Optional.of(
        new StoreOptions.RemoteMemory(
            servers,
            Optional.ofNullable(options.getMemoryPoolTokenFile()).map(StoreSettings::tokenFile),
            Optional.ofNullable(options.getMemoryPoolTransport()),
            caches(options)));
  }

  /** Bytes of the pool that each process may keep; 0 without a pool. */
  static long cacheBytes(NemoPipelineOptions options) {
    return options.getMemoryPool() == null ? 0 : caches(options).pageBytes();
  }

  private static CacheOptions caches(NemoPipelineOptions options) {
    int megabytes =
        OptionCheck.atLeast(
            0, "memoryPoolCacheMb", options.getMemoryPoolCacheMb(), "MB of the pool to keep");
    if (megabytes > MOST_CACHE_MB) {
      throw new InvalidPipelineException(
          "--memoryPoolCacheMb="
              + megabytes
              + " is more than one piece of registered memory can have: give at most "
              + MOST_CACHE_MB
              + ".");
    }
    int seconds =
        OptionCheck.atLeast(
            0,
            "memoryPoolCacheSeconds",
            options.getMemoryPoolCacheSeconds(),
            "seconds after which unread pages go");
    return CacheOptions.NAMES.withPages(megabytes * MB, Duration.ofSeconds(seconds));
  }

  private static Path tokenFile(String value) {
    Path file = OptionCheck.path("memoryPoolTokenFile", value);
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new InvalidPipelineException(
          "--memoryPoolTokenFile="
              + value
              + " is not a file that this user can read. Name the file with the secret of the"
              + " pool.");
    }
    return file;
  }

  private static Optional<StoreOptions.PersistentMemory> persistentMemory(
      NemoPipelineOptions options) {
    if (options.getPersistentMemory() == null) {
      if (options.getPersistentMemoryMb() != 0) {
        requireUnset(
            "persistentMemoryMb",
            Integer.toString(options.getPersistentMemoryMb()),
            "persistentMemory");
      }
      return Optional.empty();
    }
    Path directory = OptionCheck.directory("persistentMemory", options.getPersistentMemory());
    if (!Files.isDirectory(directory)) {
      throw new InvalidPipelineException(
          "--persistentMemory="
              + options.getPersistentMemory()
              + " is not there. Name a directory, best on a DAX file system.");
    }
    int megabytes =
        OptionCheck.atLeast(
            1,
            "persistentMemoryMb",
            options.getPersistentMemoryMb(),
            "MB of persistent memory to use in --persistentMemory");
    return Optional.of(new StoreOptions.PersistentMemory(directory, megabytes * MB));
  }

  private static void requireUnset(String option, String value, String needed) {
    if (value != null) {
      throw new InvalidPipelineException(
          "--" + option + "=" + value + " says nothing without --" + needed + ". Give both.");
    }
  }

  /**
   * A context that knows how much room the stores have, if the policy wants to know it and the user
   * does not say it. Asks the pool.
   *
   * @throws InvalidPipelineException when the pool cannot be used
   */
  static PassContext withRoom(PassContext context, Policy policy, JobEngineOptions engine) {
    Map<String, PassOption<?>> read = Optimizer.options(policy);
    if (!read.containsKey(DisaggregatedMemoryPass.STORE_BYTES.name())
        || context.has(DisaggregatedMemoryPass.STORE_BYTES)) {
      return context;
    }
    DataStore store = context.get(DisaggregatedMemoryPass.STORE);
    if (store == DataStore.PERSISTENT_MEMORY && engine.stores().persistentMemory().isPresent()) {
      return withRoom(context, engine.stores().persistentMemory().get().bytes());
    }
    if (store == DataStore.REMOTE_MEMORY && engine.stores().remoteMemory().isPresent()) {
      try {
        return withRoom(context, TezEngine.freePoolBytes(engine));
      } catch (IOException e) {
        throw new InvalidPipelineException("--memoryPool: " + e.getMessage(), e);
      }
    }
    return context;
  }

  private static PassContext withRoom(PassContext context, long bytes) {
    return context.withOption(
        DisaggregatedMemoryPass.STORE_BYTES.name(), Long.toString(Math.max(1, bytes)));
  }
}
