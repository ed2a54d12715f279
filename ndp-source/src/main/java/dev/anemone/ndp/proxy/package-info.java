// SPDX-License-Identifier: Apache-2.0
/**
 * The storage side: a reverse proxy beside a data node of HDFS. Requests of WebHDFS pass through;
 * those with a plan are run here on a split of a file that the proxy reads from its data node in
 * the caller's name, as the proxy of SparkNDP (Rachuri et al.) does with SQLite.
 */
package dev.anemone.ndp.proxy;
