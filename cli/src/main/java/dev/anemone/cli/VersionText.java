// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints, for every command. */
public final class VersionText implements IVersionProvider {
  private static final String RESOURCE = "versions.properties";

  @Override
  public String[] getVersion() throws IOException {
    Properties versions = new Properties();
    try (InputStream in = VersionText.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("The resource " + RESOURCE + " is missing from the build.");
      }
      versions.load(in);
    }
    return new String[] {
      "anemone " + versions.getProperty("anemone") + ", commit " + versions.getProperty("commit"),
      "Beam "
          + versions.getProperty("beam")
          + ", Tez "
          + versions.getProperty("tez")
          + ", Hadoop "
          + versions.getProperty("hadoop")
          + ", Java "
          + Runtime.version()
    };
  }
}
