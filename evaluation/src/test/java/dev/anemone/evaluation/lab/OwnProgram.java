// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What the short versions of the experiments start their JVMs with. */
public final class OwnProgram {
  private OwnProgram() {}

  /** The class path of the tests. */
  public static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** A small heap, and what NemoRunner needs. */
  public static List<String> jvmOptions() throws IOException {
    List<String> options = new ArrayList<>(List.of("-Xmx512m"));
    options.addAll(NemoJvm.options());
    return options;
  }
}
