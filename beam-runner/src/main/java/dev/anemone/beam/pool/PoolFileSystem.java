// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.io.FileSystem;
import org.apache.beam.sdk.io.fs.CreateOptions;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MoveOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files in a pool of remote memory, {@code pool://}, for inputs, outputs and temporary files of
 * pipelines. A file is an object that stays until it is deleted, or its time is over; it outlives
 * the process that has written it, and is seen when it is whole. A new file takes the place of one
 * that has its name; its directories are made. Renaming copies, as in object stores. Thread-safe.
 */
final class PoolFileSystem extends FileSystem<PoolResourceId> {

  private static final Logger LOG = LoggerFactory.getLogger(PoolFileSystem.class);

  private final PoolSettings settings;
  private final OpenPools pools;

  PoolFileSystem(PoolSettings settings, OpenPools pools) {
    this.settings = settings;
    this.pools = pools;
  }

  @Override
  protected String getScheme() {
    return PoolResourceId.SCHEME;
  }

  @Override
  protected PoolResourceId matchNewResource(String text, boolean isDirectory) {
    PoolResourceId resource = PoolResourceId.parse(text);
    if (isDirectory) {
      return resource.asDirectory();
    }
    if (resource.isDirectory()) {
      throw new IllegalArgumentException(
          "'" + text + "' ends with a slash, so it is a directory, not a file.");
    }
    return resource;
  }

  @Override
  protected List<MatchResult> match(List<String> specs) throws IOException {
    List<MatchResult> results = new ArrayList<>();
    for (String spec : specs) {
      PoolResourceId parsed = PoolResourceId.parse(spec);
      try (OpenPools.Use pool = pools.use(settings, parsed)) {
        results.add(new PoolMatch(pool.client(), parsed).result());
      }
    }
    return results;
  }

  @Override
  protected WritableByteChannel create(PoolResourceId file, CreateOptions options)
      throws IOException {
    OpenPools.Use pool = pools.use(settings, file);
    try {
      return new ObjectOutput(pool, begin(pool.client(), file.inPool()));
    } catch (IOException | RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private ObjectWriter begin(PoolClient client, PoolPath path) throws IOException {
    ObjectSettings kept = ObjectSettings.of(Lifetime.POOL).withKeep(settings.keep()).replacing();
    try {
      return client.create(path, kept);
    } catch (NoSuchFileException e) {
      client.createDirectory(path.parent());
      return client.create(path, kept);
    }
  }

  @Override
  protected ReadableByteChannel open(PoolResourceId file) throws IOException {
    OpenPools.Use pool = pools.use(settings, file);
    try {
      return new ObjectInput(pool, pool.client().open(file.inPool()));
    } catch (NoSuchFileException e) {
      pool.close();
      FileNotFoundException missing = new FileNotFoundException("The pool has no " + file + ".");
      missing.initCause(e);
      throw missing;
    } catch (IOException | RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  @Override
  protected void copy(List<PoolResourceId> from, List<PoolResourceId> to) throws IOException {
    requirePairs(from, to);
    for (int i = 0; i < from.size(); i++) {
      copy(from.get(i), to.get(i));
    }
  }

  private void copy(PoolResourceId from, PoolResourceId to) throws IOException {
    try (OpenPools.Use source = pools.use(settings, from);
        OpenPools.Use target = pools.use(settings, to)) {
      ObjectReader reader = source.client().open(from.inPool());
      try (ObjectWriter writer = begin(target.client(), to.inPool())) {
        ByteBuffer page = ByteBuffer.allocate(source.client().pageBytes());
        long position = 0;
        while (position < reader.length()) {
          position += reader.read(position, page.clear());
          writer.write(page.flip());
        }
        writer.commit();
      }
    }
  }

  @Override
  protected void rename(List<PoolResourceId> from, List<PoolResourceId> to, MoveOptions... options)
      throws IOException {
    if (options.length > 0) {
      throw new UnsupportedOperationException("Files of a pool are renamed without options.");
    }
    requirePairs(from, to);
    for (int i = 0; i < from.size(); i++) {
      if (!from.get(i).equals(to.get(i))) {
        copy(from.get(i), to.get(i));
        delete(List.of(from.get(i)));
      }
    }
  }

  private static void requirePairs(List<PoolResourceId> from, List<PoolResourceId> to) {
    if (from.size() != to.size()) {
      throw new IllegalArgumentException(
          "There are " + from.size() + " files for " + to.size() + " new names.");
    }
  }

  /** Files and empty directories; what is not there is as it should be. */
  @Override
  protected void delete(Collection<PoolResourceId> resources) throws IOException {
    for (PoolResourceId resource : resources) {
      try (OpenPools.Use pool = pools.use(settings, resource)) {
        if (resource.isDirectory()) {
          pool.client().removeDirectory(resource.inPool(), false);
        } else {
          pool.client().delete(resource.inPool());
        }
      } catch (NoSuchFileException e) {
        LOG.debug("{} is not there any more", resource, e);
      }
    }
  }
}
