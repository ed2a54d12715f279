// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.JavaProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A runner, and how a program is started on it.
 *
 * @param name for tables and logs
 * @param classPath with the runner and the program, in the form that {@code -cp} takes
 * @param jvmOptions that this runner needs beside those that all get
 * @param arguments that choose and set up the runner
 */
public record RunnerSetup(
    String name, String classPath, List<String> jvmOptions, List<String> arguments) {
  /**
   * NemoRunner.
   *
   * @param name for tables: its own, or that of a policy
   * @param options of the runner
   */
  public static RunnerSetup nemo(String name, EvaluationDirectory evaluation, List<String> options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--runner=NemoRunner", "--progress=off"));
    arguments.addAll(options);
    return new RunnerSetup(name, evaluation.nemoClassPath(), NemoJvm.options(), arguments);
  }

  /** The same with more options for the JVM. */
  public RunnerSetup withJvmOptions(List<String> more) {
    return new RunnerSetup(
        name, classPath, Stream.concat(jvmOptions.stream(), more.stream()).toList(), arguments);
  }

  /** A program on this runner, with options for the JVM and arguments that others have as well. */
  public JavaProgram program(Class<?> program, List<String> everyJvm, List<String> more) {
    List<String> options = new ArrayList<>(everyJvm);
    options.addAll(jvmOptions);
    return new JavaProgram(
        program.getName(),
        classPath,
        options,
        Stream.concat(arguments.stream(), more.stream()).toList());
  }
}
