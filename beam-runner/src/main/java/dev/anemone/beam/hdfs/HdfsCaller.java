// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import java.util.Optional;

/**
 * As whom a file of HDFS is read by a request that carries no login: the two that WebHDFS knows.
 *
 * @param nameNode host and port of the file's name node, or the name of a service of several
 * @param user on a cluster that believes names; empty where there is a token
 * @param delegation a delegation token of HDFS as a text, on a cluster with Kerberos
 */
public record HdfsCaller(String nameNode, Optional<String> user, Optional<String> delegation) {}
