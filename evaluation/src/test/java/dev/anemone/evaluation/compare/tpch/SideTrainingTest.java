// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.compare.tpch.TpchComparison.SideTraining;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.process.JarredClassPath;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchDataSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SideTrainingTest {
  private static final double SCALE = 0.001;
  private static final List<String> MEMORY = List.of("-Xmx512m");
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  void aSideThatHasRunAQueryHasAnArchiveOfItsClasses() throws Exception {
    Path data = directory.resolve("data");
    TpchDataSet.open(data, SCALE);
    RunnerSetup side =
        new RunnerSetup(
            "NemoRunner",
            JarredClassPath.of(directory, System.getProperty("java.class.path")),
            NemoJvm.options(),
            List.of("--runner=NemoRunner", "--progress=off"));
    SideTraining training =
        new SideTraining(
            directory,
            List.of("--data=" + data, "--scale=" + SCALE, "--query=6"),
            MEMORY,
            DEADLINE);

    RunnerSetup trained = training.train(side);

    Path archive = directory.resolve("NemoRunner.jsa");
    assertThat(archive).isNotEmptyFile();
    assertThat(trained.jvmOptions())
        .containsAll(side.jvmOptions())
        .contains("-XX:SharedArchiveFile=" + archive);
    assertThat(Files.readString(directory.resolve("training-NemoRunner.log"))).contains("revenue");
    assertThat(directory.resolve("training-NemoRunner")).doesNotExist();
    String source = Tpch.class.getName() + " source: ";
    assertThat(loadedClasses(side)).contains(source + "file:");
    assertThat(loadedClasses(trained)).contains(source + "shared objects file (top)");
  }

  /** What a JVM of a side says of the classes that it loads, and where from. */
  private String loadedClasses(RunnerSetup side) throws Exception {
    List<String> options = new ArrayList<>(side.jvmOptions());
    options.addAll(MEMORY);
    options.add("-Xlog:class+load");
    Path log = directory.resolve("loaded.log");
    MeasuredProcess.run(
        new JavaProgram(Tpch.class.getName(), side.classPath(), options, List.of("--help"))
            .command(),
        directory,
        log,
        DEADLINE);
    return Files.readString(log);
  }
}
