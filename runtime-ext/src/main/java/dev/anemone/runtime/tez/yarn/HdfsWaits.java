// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import org.apache.hadoop.conf.Configuration;

/**
 * How HDFS's client waits until a file that it closes is whole. The name node says so once a data
 * node has told it of the last block, some milliseconds after the client has asked, and Hadoop's
 * client then sleeps 400 ms before it asks again. Jobs write many small files; here the client asks
 * again soon, and in all no less long than Hadoop's does.
 */
public final class HdfsWaits {

  private static final String PREFIX = "dfs.client.block.write.locateFollowingBlock.";
  private static final int FIRST_MS = 10;

  /** Hadoop's first, after six that double. */
  private static final int LONGEST_MS = 400;

  /** Together 12.6 s, where Hadoop's five are 12.4 s. */
  private static final int TIMES = 36;

  private HdfsWaits() {}

  /** Sets what nobody has set. */
  public static void shorten(Configuration configuration) {
    configuration.setIfUnset(PREFIX + "initial.delay.ms", Integer.toString(FIRST_MS));
    configuration.setIfUnset(PREFIX + "max.delay.ms", Integer.toString(LONGEST_MS));
    configuration.setIfUnset(PREFIX + "retries", Integer.toString(TIMES));
  }
}
