// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import java.util.List;
import java.util.stream.Stream;

/**
 * A runner, and how the queries are started on it.
 *
 * @param name for tables and logs
 * @param classPath in the form that {@code -cp} takes
 * @param jvmOptions that this runner needs beside those that all get
 * @param arguments that choose and set up the runner and the planner of SQL
 */
record Side(String name, String classPath, List<String> jvmOptions, List<String> arguments) {

  /** The same with more options for the JVM. */
  Side withJvmOptions(List<String> more) {
    return new Side(
        name, classPath, Stream.concat(jvmOptions.stream(), more.stream()).toList(), arguments);
  }
}
