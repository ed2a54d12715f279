// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.tez.yarn.ClusterSecurity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.io.FileSystem;
import org.apache.beam.sdk.io.FileSystemRegistrar;
import org.apache.beam.sdk.io.hdfs.HadoopFileSystemOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.hadoop.conf.Configuration;

/**
 * Gives Beam's file system for Hadoop the configuration of the {@link ClusterDirectory}, unless the
 * user has set {@code --hdfsConfiguration} himself. From then on it is among the pipeline's
 * options, so a task in a container has it without any file.
 *
 * <p>{@link HdfsRanges} gets to know the configuration, too.
 *
 * <p>This registers no file system. Beam asks all registrars in the order of their class names
 * whenever it gets to know options, and this one comes before that of the file system itself. By
 * that, {@code hdfs://} works from the first look at a path on, before there is a pipeline.
 */
public final class ClusterFileSystems implements FileSystemRegistrar {

  private final Map<String, String> environment;

  /** Beam calls this. */
  public ClusterFileSystems() {
    this(System.getenv());
  }

  ClusterFileSystems(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Iterable<FileSystem<?>> fromOptions(PipelineOptions options) {
    ClusterOptions cluster = options.as(NemoPipelineOptions.class);
    ClusterDirectory.of(cluster, environment)
        .flatMap(directory -> directory.fileSystems(ClusterDirectory.settings(cluster)))
        .ifPresent(found -> set(options.as(HadoopFileSystemOptions.class), found));
    List<Configuration> all = options.as(HadoopFileSystemOptions.class).getHdfsConfiguration();
    if (all != null && all.size() == 1) {
      HdfsRanges.use(all.get(0));
    }
    return List.of();
  }

  private static void set(HadoopFileSystemOptions options, Configuration found) {
    Map<String, String> current = entries(options.getHdfsConfiguration());
    Map<String, String> unset =
        entries(new HadoopFileSystemOptions.ConfigurationLocator().create(options));
    List<Configuration> wanted = List.of(found);
    // Options do not tell whether a value was set or is the default, which is the environment's.
    if (current.equals(unset) && !current.equals(entries(wanted))) {
      ClusterSecurity.configure(found);
      options.setHdfsConfiguration(wanted);
    }
  }

  private static Map<String, String> entries(List<Configuration> configurations) {
    Map<String, String> entries = new HashMap<>();
    if (configurations != null) {
      for (int i = 0; i < configurations.size(); i++) {
        for (Map.Entry<String, String> entry : configurations.get(i)) {
          entries.put(i + ":" + entry.getKey(), entry.getValue());
        }
      }
    }
    return entries;
  }
}
