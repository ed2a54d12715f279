// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/** Brings the settings of fetches to the containers of an application, in its configuration. */
public final class FetchConfiguration {

  private static final String CONNECT = "anemone.fetch.connect-ms";
  private static final String READ = "anemone.fetch.read-ms";
  private static final String PATIENCE = "anemone.fetch.patience-ms";
  private static final String PENALTY = "anemone.fetch.penalty-ms";
  private static final String NODES = "anemone.fetch.nodes-at-once";
  private static final String BLOCKS = "anemone.fetch.blocks-at-once";
  private static final String AHEAD = "anemone.fetch.ahead-bytes";

  private FetchConfiguration() {}

  /** Writes the settings into an application's configuration. */
  public static void write(FetchSettings settings, Configuration configuration) {
    configuration.setLong(CONNECT, settings.connectTimeout().toMillis());
    configuration.setLong(READ, settings.readTimeout().toMillis());
    configuration.setLong(PATIENCE, settings.patience().toMillis());
    configuration.setLong(PENALTY, settings.penalty().toMillis());
    configuration.setInt(NODES, settings.nodesAtOnce());
    configuration.setInt(BLOCKS, settings.blocksAtOnce());
    configuration.setLong(AHEAD, settings.aheadBytes());
  }

  static FetchSettings read(Configuration configuration) {
    FetchSettings otherwise = FetchSettings.DEFAULT;
    return new FetchSettings(
        millis(configuration, CONNECT, otherwise.connectTimeout()),
        millis(configuration, READ, otherwise.readTimeout()),
        millis(configuration, PATIENCE, otherwise.patience()),
        millis(configuration, PENALTY, otherwise.penalty()),
        configuration.getInt(NODES, otherwise.nodesAtOnce()),
        configuration.getInt(BLOCKS, otherwise.blocksAtOnce()),
        configuration.getLong(AHEAD, otherwise.aheadBytes()));
  }

  private static Duration millis(Configuration configuration, String name, Duration otherwise) {
    return Duration.ofMillis(
        configuration.getTimeDuration(name, otherwise.toMillis(), TimeUnit.MILLISECONDS));
  }
}
