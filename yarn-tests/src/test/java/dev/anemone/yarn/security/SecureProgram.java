// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn.security;

import dev.anemone.examples.wordcount.WordCount;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/** A user's program, in a JVM of its own, that logs in to a secure cluster and counts words. */
public final class SecureProgram {

  private SecureProgram() {}

  /**
   * Runs word count.
   *
   * @param args the file that says that the cluster is secure, the user and the file with the
   *     user's key; then word count's own
   */
  public static void main(String[] args) throws Exception {
    Configuration configuration = new Configuration();
    configuration.addResource(new Path(args[0]));
    UserGroupInformation.setConfiguration(configuration);
    UserGroupInformation.loginUserFromKeytab(args[1], args[2]);
    WordCount.main(Arrays.copyOfRange(args, 3, args.length));
  }
}
