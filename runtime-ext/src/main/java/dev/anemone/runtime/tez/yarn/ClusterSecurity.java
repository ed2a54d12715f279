// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/** Who this client is to a secure cluster, and for which file systems its jobs carry tokens. */
public final class ClusterSecurity {

  /** Hadoop MapReduce's name for the file systems that a job uses besides the default one. */
  static final String FILE_SYSTEMS = "mapreduce.job.hdfs-servers";

  private ClusterSecurity() {}

  /**
   * Makes Hadoop's clients in this JVM authenticate as the cluster wants it.
   *
   * @return whether the cluster is secure; for one that is not, nothing changes
   */
  public static boolean configure(Configuration cluster) {
    if (SecurityUtil.getAuthenticationMethod(cluster) == AuthenticationMethod.SIMPLE) {
      return false;
    }
    UserGroupInformation.setConfiguration(cluster);
    return true;
  }

  /**
   * The same, and looks whether the cluster will know the user.
   *
   * @throws IllegalArgumentException when the cluster wants Kerberos, and the current user has
   *     neither a ticket nor a token
   * @throws UncheckedIOException when the user cannot be known
   */
  public static void logIn(Configuration cluster) {
    if (!configure(cluster)) {
      return;
    }
    UserGroupInformation user;
    try {
      user = UserGroupInformation.getCurrentUser();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!user.hasKerberosCredentials() && user.getTokens().isEmpty()) {
      throw new IllegalArgumentException(
          "the cluster wants "
              + SecurityUtil.getAuthenticationMethod(cluster)
              + " ("
              + CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION
              + "), and user "
              + user.getUserName()
              + " has no ticket and no token; run kinit first, or log in from a keytab with"
              + " UserGroupInformation.loginUserFromKeytab");
    }
  }

  /**
   * The file systems that tasks get tokens for: the default one, and those of {@value
   * #FILE_SYSTEMS}.
   *
   * @throws IllegalArgumentException when one of them is no URI
   */
  public static Set<URI> fileSystems(Configuration cluster) {
    Set<URI> fileSystems = new LinkedHashSet<>();
    fileSystems.add(FileSystem.getDefaultUri(cluster));
    for (String uri : cluster.getTrimmedStringCollection(FILE_SYSTEMS)) {
      fileSystems.add(URI.create(uri));
    }
    return fileSystems;
  }
}
