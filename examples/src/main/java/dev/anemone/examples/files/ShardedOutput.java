// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * The files {@code <prefix>-SSSSS-of-NNNNN} that a Beam file sink writes: checked before the
 * pipeline runs, listed after it.
 *
 * <p>A second run over the same prefix may write another number of shards. Beam would leave those
 * of the first run in place, and whoever reads {@code <prefix>-*} would get both results mixed.
 * {@link #finish} therefore deletes the shards of an earlier run, and only once the new ones are
 * complete.
 *
 * <p>Not thread-safe.
 */
public final class ShardedOutput {
  private static final Pattern SHARD = Pattern.compile(".*-[0-9]{5}-of-[0-9]{5}");

  private static final int SHARD_COUNT_DIGITS = 5;

  private final String option;
  private final String prefix;
  private final Map<ResourceId, Long> earlier;

  private ShardedOutput(String option, String prefix, Map<ResourceId, Long> earlier) {
    this.option = option;
    this.prefix = prefix;
    this.earlier = earlier;
  }

  /**
   * Checks that files can be written under a prefix, and notes which shards are there already.
   *
   * @param option the command line option that gave the output, for the message
   * @param output a path prefix, or a directory: an existing one, or any path that ends in {@code
   *     /}
   * @param fileName the prefix inside the directory, if the output is a directory
   * @throws IllegalArgumentException if the place cannot be written to; the message names the
   *     option, the path and the reason
   * @throws IOException if the file system cannot be asked
   */
  public static ShardedOutput prepare(String option, String output, String fileName)
      throws IOException {
    Location location = new Location(option, output);
    String prefix = output;
    if (location.isLocal()) {
      prefix = prepareLocal(location, fileName);
    } else if (output.endsWith("/")) {
      prefix = output + fileName;
    }
    return new ShardedOutput(option, prefix, shards(prefix));
  }

  /** The prefix to hand to the sink. */
  public String prefix() {
    return prefix;
  }

  /**
   * Checks that there are no shards of an earlier run, for a run that nobody {@linkplain #finish
   * finishes}.
   *
   * @throws IllegalArgumentException if there are; names the option
   */
  public void requireFree() {
    if (!earlier.isEmpty()) {
      throw new IllegalArgumentException(
          option
              + "="
              + prefix
              + " has the result of an earlier run, which is deleted only when the new one is"
              + " complete, and nobody waits for that with --detached. Give another prefix, or"
              + " leave out --detached.");
    }
  }

  /**
   * Deletes what an earlier run left under the same prefix, and lists what this run wrote. Call it
   * after the pipeline has succeeded.
   *
   * @return the paths of the result, in the order of their names
   * @throws IOException if the file system cannot be asked, or an old file cannot be deleted
   */
  public List<String> finish() throws IOException {
    Map<ResourceId, Long> now = shards(prefix);
    Set<String> shardCounts = new HashSet<>();
    now.forEach(
        (shard, modified) -> {
          if (!modified.equals(earlier.get(shard))) {
            shardCounts.add(shardCount(shard));
          }
        });
    // Without time stamps from the file system nothing is known to be new, so nothing is stale.
    Predicate<ResourceId> current =
        shard -> shardCounts.isEmpty() || shardCounts.contains(shardCount(shard));
    FileSystems.delete(now.keySet().stream().filter(current.negate()).toList());
    return now.keySet().stream().filter(current).map(ResourceId::toString).sorted().toList();
  }

  private static String shardCount(ResourceId shard) {
    String name = shard.toString();
    return name.substring(name.length() - SHARD_COUNT_DIGITS);
  }

  private static Map<ResourceId, Long> shards(String prefix) throws IOException {
    MatchResult match = FileSystems.match(prefix + "-?????-of-?????", EmptyMatchTreatment.ALLOW);
    Map<ResourceId, Long> shards = new HashMap<>();
    for (MatchResult.Metadata file : match.metadata()) {
      if (SHARD.matcher(file.resourceId().toString()).matches()) {
        shards.put(file.resourceId(), file.lastModifiedMillis());
      }
    }
    return shards;
  }

  private static String prepareLocal(Location location, String fileName) {
    Path path = location.path();
    if (location.text().endsWith("/") || Files.isDirectory(path)) {
      path = path.resolve(fileName);
    }
    Path directory = path.getParent();
    if (directory == null) {
      throw new IllegalArgumentException(
          location.option()
              + "="
              + location.text()
              + " has no directory to write to. Give a path such as /tmp/result.");
    }
    location.requireWritable(directory);
    return path.toString();
  }
}
