// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.nio.file.Path;
import java.util.List;

/** A Java program that is to run in a fresh JVM, of the version that runs this one. */
public record JavaProgram(
    String mainClass, String classPath, List<String> jvmOptions, List<String> arguments) {
  /** A program with arguments as {@link Arguments} puts them together. */
  public static JavaProgram of(
      Class<?> mainClass, String classPath, List<String> jvmOptions, Object... arguments) {
    return new JavaProgram(mainClass.getName(), classPath, jvmOptions, Arguments.of(arguments));
  }

  public JavaProgram withJvmOptions(String... more) {
    return new JavaProgram(
        mainClass, classPath, Arguments.of(jvmOptions, List.of(more)), arguments);
  }

  public List<String> command() {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return Arguments.of(java, jvmOptions, "-cp", classPath, mainClass, arguments);
  }
}
