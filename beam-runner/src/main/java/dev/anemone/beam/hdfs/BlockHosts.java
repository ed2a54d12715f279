// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.options.OptionCheck;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.io.hdfs.HadoopFileSystemOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out on which hosts the data of a source's parts lies, so that its tasks can run there.
 * Hadoop is asked once for each file. The answer is a hint: where there is none in time, a part has
 * no hosts, and whatever is wrong with a file shows when it is read.
 */
public final class BlockHosts {

  private static final Logger LOG = LoggerFactory.getLogger(BlockHosts.class);
  private static final int THREADS = 8;

  /** As many as a block has replicas, by default. */
  public static final int MAX_HOSTS = 3;

  private BlockHosts() {}

  /**
   * The hosts of each part: at most {@value #MAX_HOSTS}, those with the most of its bytes first;
   * none for a part that is not of a file in one of Hadoop's file systems.
   *
   * @param parts what a source was split into
   * @param options with the configuration of the file systems
   */
  public static List<List<String>> of(List<BoundedSource<?>> parts, PipelineOptions options) {
    List<Configuration> configurations =
        options.as(HadoopFileSystemOptions.class).getHdfsConfiguration();
    if (configurations == null || configurations.size() != 1) {
      return parts.stream().map(part -> List.<String>of()).toList();
    }
    List<Optional<Range>> ranges = parts.stream().map(BlockHosts::range).toList();
    Map<ResourceId, FileBlocks> blocks =
        blocks(
            ranges.stream().flatMap(Optional::stream).map(Range::file).distinct().toList(),
            configurations.get(0),
            patience(options));
    return ranges.stream().map(range -> range.map(r -> r.hosts(blocks)).orElse(List.of())).toList();
  }

  /**
   * The blocks of files; those of others than Hadoop's file systems are not known.
   *
   * @param options with the configuration of the file systems
   */
  public static Map<ResourceId, FileBlocks> blocks(
      List<ResourceId> files, PipelineOptions options) {
    List<Configuration> configurations =
        options.as(HadoopFileSystemOptions.class).getHdfsConfiguration();
    return configurations == null || configurations.size() != 1
        ? Map.of()
        : blocks(
            files.stream().filter(BlockHosts::isHadoop).toList(),
            configurations.get(0),
            patience(options));
  }

  private static Duration patience(PipelineOptions options) {
    return Duration.ofSeconds(
        OptionCheck.atLeast(
            1,
            "clusterAnswerSeconds",
            options.as(ClusterOptions.class).getClusterAnswerSeconds(),
            "seconds that the cluster may take to answer"));
  }

  private static boolean isHadoop(ResourceId file) {
    return file.getClass().getPackage().equals(HadoopFileSystemOptions.class.getPackage());
  }

  /**
   * A part of a file.
   *
   * @param end the byte after the last
   */
  private record Range(ResourceId file, long start, long end) {

    List<String> hosts(Map<ResourceId, FileBlocks> blocks) {
      return blocks.getOrDefault(file, FileBlocks.UNKNOWN).hosts(start, end, MAX_HOSTS);
    }
  }

  /** What a source reads, if it is a part of a file that Beam reads through Hadoop. */
  private static Optional<Range> range(BoundedSource<?> part) {
    if (part instanceof FileBasedSource<?> source
        && source.getMode() == FileBasedSource.Mode.SINGLE_FILE_OR_SUBRANGE) {
      ResourceId file = source.getSingleFileMetadata().resourceId();
      if (isHadoop(file)) {
        return Optional.of(new Range(file, source.getStartOffset(), source.getEndOffset()));
      }
    }
    return Optional.empty();
  }

  private static Map<ResourceId, FileBlocks> blocks(
      List<ResourceId> files, Configuration configuration, Duration patience) {
    if (files.isEmpty()) {
      return Map.of();
    }
    List<Callable<FileBlocks>> questions =
        files.stream()
            .<Callable<FileBlocks>>map(file -> () -> blocks(file, configuration))
            .toList();
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS, files.size()));
    try {
      List<Future<FileBlocks>> answers =
          threads.invokeAll(questions, patience.toMillis(), TimeUnit.MILLISECONDS);
      Map<ResourceId, FileBlocks> blocks = new HashMap<>();
      for (int i = 0; i < files.size(); i++) {
        blocks.put(files.get(i), answer(files.get(i), answers.get(i), patience));
      }
      return blocks;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    } finally {
      threads.shutdownNow();
    }
  }

  private static FileBlocks blocks(ResourceId file, Configuration configuration)
      throws IOException {
    Path path = new Path(URI.create(file.toString()));
    return FileBlocks.of(
        path.getFileSystem(configuration).getFileBlockLocations(path, 0, Long.MAX_VALUE));
  }

  private static FileBlocks answer(ResourceId file, Future<FileBlocks> answer, Duration patience)
      throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      LOG.debug("The blocks of {} are not known, so its tasks may run anywhere", file, e);
    } catch (CancellationException e) {
      LOG.debug("The blocks of {} were not known after {}", file, patience);
    }
    return FileBlocks.UNKNOWN;
  }
}
