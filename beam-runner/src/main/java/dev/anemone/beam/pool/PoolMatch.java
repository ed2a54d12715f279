// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.ObjectAttributes;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.PoolClient;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystemUtils;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.MatchResult.Status;

/** Finds the files of a pool that a pattern means. */
final class PoolMatch {

  private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");
  private static final String ANY_DEPTH = "**";

  private final PoolClient client;
  private final PoolResourceId spec;
  private final List<Metadata> found = new ArrayList<>();

  PoolMatch(PoolClient client, PoolResourceId spec) {
    this.client = client;
    this.spec = spec;
  }

  /** What there is: for a pattern maybe nothing, for one name that alone. */
  MatchResult result() throws IOException {
    if (FileSystems.hasGlobWildcard(spec.path())) {
      matchPattern();
      return MatchResult.create(Status.OK, found);
    }
    try {
      found.add(spec.isDirectory() ? directory() : file());
      return MatchResult.create(Status.OK, found);
    } catch (NoSuchFileException e) {
      return MatchResult.create(
          Status.NOT_FOUND, new FileNotFoundException("The pool has no " + spec + "."));
    }
  }

  private Metadata file() throws IOException {
    ObjectAttributes file = client.getAttributes(spec.inPool());
    return metadata(spec, file.length(), file.committed());
  }

  private Metadata directory() throws IOException {
    if (!client.isDirectory(spec.inPool())) {
      throw new NoSuchFileException(spec.toString());
    }
    return metadata(spec, 0, Instant.EPOCH);
  }

  private void matchPattern() throws IOException {
    String path = spec.path();
    var wildcard = WILDCARD.matcher(path);
    int first = wildcard.find() ? wildcard.start() : path.length();
    PoolResourceId base =
        new PoolResourceId(spec.servers(), path.substring(0, path.lastIndexOf('/', first) + 1));
    int depth =
        path.contains(ANY_DEPTH)
            ? Integer.MAX_VALUE
            : (int) path.substring(base.path().length()).chars().filter(c -> c == '/').count();
    Pattern wanted = Pattern.compile(FileSystemUtils.wildcardToRegexp(path));
    walk(base.inPool(), depth, wanted);
  }

  private void walk(PoolPath directory, int depth, Pattern wanted) throws IOException {
    List<PoolEntry> entries;
    try {
      entries = client.list(directory);
    } catch (NoSuchFileException e) {
      // There never was one, or somebody has removed it meanwhile: nothing in it matches.
      return;
    }
    for (PoolEntry entry : entries) {
      if (!entry.directory() && wanted.matcher(entry.path().value()).matches()) {
        found.add(metadata(spec.at(entry.path()), entry.length(), entry.committed()));
      } else if (entry.directory() && depth > 0) {
        walk(entry.path(), depth - 1, wanted);
      }
    }
  }

  private static Metadata metadata(PoolResourceId id, long bytes, Instant time) {
    return Metadata.builder()
        .setResourceId(id)
        .setSizeBytes(bytes)
        .setIsReadSeekEfficient(true)
        .setLastModifiedMillis(time.toEpochMilli())
        .build();
  }
}
