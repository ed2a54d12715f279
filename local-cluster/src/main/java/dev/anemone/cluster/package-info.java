// SPDX-License-Identifier: Apache-2.0
/**
 * Apache Hadoop's own HDFS and YARN daemons on this machine, for tests and for trying things out.
 * Knows nothing of the runner: whoever has the cluster's configuration directory can use it.
 */
package dev.anemone.cluster;
