// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The options that a JVM needs to run NemoRunner. */
public final class NemoJvm {
  /** Written by the build, from the one list that the project has of them. */
  private static final String RESOURCE = "/dev/anemone/evaluation/nemo-jvm.options";

  private NemoJvm() {}

  /** The options, one JVM option each. */
  public static List<String> options() throws IOException {
    try (InputStream in = NemoJvm.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException(
            "The class path has no " + RESOURCE + " for " + NemoJvm.class.getPackageName() + ".");
      }
      return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().split("\\s+"));
    }
  }

  /** The options with a largest heap, given as {@code -Xmx} takes it, such as 512m. */
  public static List<String> options(String heap) throws IOException {
    List<String> options = new ArrayList<>(options());
    options.add("-Xmx" + heap);
    return List.copyOf(options);
  }
}
