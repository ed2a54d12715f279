// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Java program that is to run in a fresh JVM, of the version that runs this one.
 *
 * @param mainClass name of the class
 * @param classPath in the form that the option {@code -cp} takes
 * @param jvmOptions options of the JVM
 * @param arguments of the main method
 */
public record JavaProgram(
    String mainClass, String classPath, List<String> jvmOptions, List<String> arguments) {
  /** A program with arguments of any kind, of which it gets the texts. */
  public static JavaProgram of(
      Class<?> mainClass, String classPath, List<String> jvmOptions, Object... arguments) {
    return new JavaProgram(
        mainClass.getName(),
        classPath,
        jvmOptions,
        Arrays.stream(arguments).map(String::valueOf).toList());
  }

  /** The same with more options of the JVM. */
  public JavaProgram withJvmOptions(String... more) {
    return new JavaProgram(
        mainClass,
        classPath,
        Stream.concat(jvmOptions.stream(), Stream.of(more)).toList(),
        arguments);
  }

  /** The command that starts the program. */
  public List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }
}
