// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn.security;

import dev.anemone.cli.Anemone;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The command line in a JVM of its own, which logs in to a secure cluster as {@code kinit} does.
 */
public final class SecureShell {

  private SecureShell() {}

  /**
   * Runs a command.
   *
   * @param args the file that says that the cluster is secure, the user and the file with the
   *     user's key; then the command's
   */
  public static void main(String[] args) throws Exception {
    Configuration configuration = new Configuration();
    configuration.addResource(new Path(args[0]));
    UserGroupInformation.setConfiguration(configuration);
    UserGroupInformation.loginUserFromKeytab(args[1], args[2]);
    Anemone.main(Arrays.copyOfRange(args, 3, args.length));
  }
}
