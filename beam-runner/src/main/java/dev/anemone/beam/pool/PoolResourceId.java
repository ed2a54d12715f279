// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.PoolPath;
import org.apache.beam.sdk.io.fs.ResolveOptions;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * A file or a directory in a pool, {@code pool://host:port,host:port/path}. Immutable.
 *
 * @param servers as they were written; empty for those of {@code --memoryPool}
 * @param path begins with a slash; that of a directory ends with one, too
 */
record PoolResourceId(String servers, String path) implements ResourceId {

  static final String SCHEME = "pool";
  private static final String PREFIX = SCHEME + "://";
  private static final String UP = "..";

  PoolResourceId {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "'" + path + "' is no path in a pool. Begin it with a slash.");
    }
  }

  /**
   * Reads a file or a pattern of files.
   *
   * @throws IllegalArgumentException when it is something else
   */
  static PoolResourceId parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no file in a pool. Write pool://host:port/path, or pool:///path for the"
              + " pool of --memoryPool.");
    }
    int slash = text.indexOf('/', PREFIX.length());
    return slash < 0
        ? new PoolResourceId(text.substring(PREFIX.length()), "/")
        : new PoolResourceId(text.substring(PREFIX.length(), slash), text.substring(slash));
  }

  PoolResourceId asDirectory() {
    return isDirectory() ? this : new PoolResourceId(servers, path + "/");
  }

  /** Another path of the same pool. */
  PoolResourceId at(PoolPath other) {
    return new PoolResourceId(servers, other.value());
  }

  /**
   * How the pool names it.
   *
   * @throws IllegalArgumentException when it can be no name there
   */
  PoolPath inPool() {
    boolean cut = isDirectory() && path.length() > 1;
    return PoolPath.of(cut ? path.substring(0, path.length() - 1) : path);
  }

  @Override
  public ResourceId resolve(String other, ResolveOptions options) {
    if (!isDirectory()) {
      throw new IllegalStateException(
          "Expected a directory to resolve in, but " + this + " is a file.");
    }
    if (other.isEmpty() || other.startsWith("/") || other.startsWith(PREFIX)) {
      throw new IllegalArgumentException(
          "'" + other + "' is no name in " + this + ". Give one relative to it.");
    }
    if (options.equals(StandardResolveOptions.RESOLVE_FILE)) {
      if (other.endsWith("/")) {
        throw new IllegalArgumentException("'" + other + "' names a directory, not a file.");
      }
      return new PoolResourceId(servers, path + other);
    }
    if (other.equals(UP) || other.equals(UP + "/")) {
      return parent();
    }
    return new PoolResourceId(servers, path + other).asDirectory();
  }

  private PoolResourceId parent() {
    PoolPath directory = inPool();
    return directory.isRoot() ? this : at(directory.parent()).asDirectory();
  }

  @Override
  public ResourceId getCurrentDirectory() {
    return isDirectory()
        ? this
        : new PoolResourceId(servers, path.substring(0, path.lastIndexOf('/') + 1));
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public String getFilename() {
    String name = inPool().name();
    return name.isEmpty() ? null : name;
  }

  @Override
  public boolean isDirectory() {
    return path.endsWith("/");
  }

  @Override
  public String toString() {
    return PREFIX + servers + path;
  }
}
