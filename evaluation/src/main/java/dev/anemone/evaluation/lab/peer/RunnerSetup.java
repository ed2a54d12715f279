// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import java.io.IOException;
import java.util.List;

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
   */
  public static RunnerSetup nemo(String name, EvaluationDirectory evaluation, List<String> options)
      throws IOException {
    List<String> arguments = Arguments.of("--runner=NemoRunner", "--progress=off", options);
    return new RunnerSetup(name, evaluation.nemoClassPath(), NemoJvm.options(), arguments);
  }

  /** The same with more options for the JVM. */
  public RunnerSetup withJvmOptions(List<String> more) {
    return new RunnerSetup(name, classPath, Arguments.of(jvmOptions, more), arguments);
  }

  /** A program on this runner, with options for the JVM and arguments that others have as well. */
  public JavaProgram program(Class<?> program, List<String> everyJvm, List<String> more) {
    return JavaProgram.of(program, classPath, Arguments.of(everyJvm, jvmOptions), arguments, more);
  }
}
