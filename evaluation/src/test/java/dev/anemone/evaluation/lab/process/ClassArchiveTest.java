// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  @Test
  void laterJvmsMapTheClassesOfTheTraining() throws Exception {
    String jar = JarredClassPath.of(directory, classesOfThisModule());

    ClassArchive archive = train(program(jar, "-Xmx64m"));

    assertThat(archive.file()).isNotEmptyFile();
    assertThat(log(program(jar, "-Xmx64m"))).contains(source("file:"));
    List<String> options = new ArrayList<>(archive.jvmOptions());
    options.add("-Xmx64m");
    assertThat(log(program(jar, options.toArray(String[]::new))))
        .contains(source("shared objects file"));
  }

  @Test
  void whatCannotBeArchivedIsNamed() {
    assertThatThrownBy(() -> train(program(classesOfThisModule())))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContainingAll(BusyProgram.class.getName(), "no archive", "non-empty directory");
  }

  private ClassArchive train(JavaProgram program) throws Exception {
    return ClassArchive.train(
        program, directory.resolve("a.jsa"), directory, directory.resolve("log"), DEADLINE);
  }

  private static JavaProgram program(String classPath, String... options) {
    return new JavaProgram(
        BusyProgram.class.getName(), classPath, List.of(options), List.of("1", "1", "0"));
  }

  private String log(JavaProgram program) throws Exception {
    List<String> options = new ArrayList<>(program.jvmOptions());
    options.add("-Xlog:class+load");
    Path log = directory.resolve("log");
    MeasuredProcess.run(
        new JavaProgram(program.mainClass(), program.classPath(), options, program.arguments())
            .command(),
        directory,
        log,
        DEADLINE);
    return Files.readString(log);
  }

  private static String source(String where) {
    return BusyProgram.class.getName() + " source: " + where;
  }

  private static String classesOfThisModule() {
    return BusyProgram.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}
