package dev.anemone.evaluation.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.NemoJvm;
import dev.anemone.evaluation.process.JarredClassPath;
import dev.anemone.examples.tpch.TpchDataSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SideTrainingTest {
  private static final double SCALE = 0.001;

  @TempDir private Path directory;

  @Test
  void aSideThatHasRunAQueryHasAnArchiveOfItsClasses() throws Exception {
    Path data = directory.resolve("data");
    TpchDataSet.open(data, SCALE);
    Side side =
        new Side(
            "NemoRunner",
            JarredClassPath.of(directory, System.getProperty("java.class.path")),
            NemoJvm.options(),
            List.of("--runner=NemoRunner", "--progress=off"));
    SideTraining training =
        new SideTraining(
            directory,
            List.of("--data=" + data, "--scale=" + SCALE, "--query=6"),
            List.of("-Xmx512m"),
            Duration.ofMinutes(3));

    Side trained = training.train(side);

    Path archive = directory.resolve("NemoRunner.jsa");
    assertThat(archive).isNotEmptyFile();
    assertThat(trained.jvmOptions())
        .containsAll(side.jvmOptions())
        .contains("-XX:SharedArchiveFile=" + archive);
    assertThat(Files.readString(directory.resolve("training-NemoRunner.log"))).contains("revenue");
    assertThat(directory.resolve("training-NemoRunner")).doesNotExist();
  }
}
