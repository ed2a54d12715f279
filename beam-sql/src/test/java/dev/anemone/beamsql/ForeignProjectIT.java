// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beamsql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beamsql.ForeignProject.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of somebody else, who does what the README says, with what Maven resolves for them. */
class ForeignProjectIT {

  private static final String RUNNER = "anemone-beam-runner";
  private static final String WITH_SQL = "anemone-beam-sql";

  private static Readme readme;

  @TempDir private Path directory;

  @BeforeAll
  static void readReadme() throws IOException {
    readme = Readme.read();
  }

  @Test
  void aProgramRunsWithTheDependencyAndTheOptionsOfTheReadme() throws Exception {
    ForeignProject project =
        ForeignProject.compiled(directory, readme.dependency(), program("counts"));

    Run run = project.run(readme.jvmOptions(), "--runner=NemoRunner");

    assertThat(run.exit()).as(run.said()).isZero();
    assertThat(run.said()).contains("hello: 2").contains("world: 1");
  }

  @Test
  void aProgramWithSqlRunsWithTheOtherDependency() throws Exception {
    ForeignProject project = ForeignProject.compiled(directory, withSql(), program("sql"));
    Path table = Files.createDirectory(directory.resolve("sales"));
    Files.writeString(table.resolve("sales.csv"), "pears,3\napples,4\npears,5\n");

    Run withOptions = project.run(readme.jvmOptions(), "--runner=NemoRunner", table.toString());
    Run without = project.run(List.of(), "--runner=NemoRunner", table.toString());

    assertThat(withOptions.exit()).as(withOptions.said()).isZero();
    assertThat(withOptions.said()).contains("apples: 4").contains("pears: 8");
    assertThat(without.exit()).as(without.said()).isNotZero();
    assertThat(without.said())
        .contains("Table sales is of TYPE ndp")
        .contains("--add-opens=java.base/java.nio=ALL-UNNAMED");
  }

  @Test
  void withoutTheEngineATableOfTypeNdpNamesTheDependency() throws Exception {
    String withoutEngine =
        withSql()
            .replace(
                "</dependency>",
                """
                  <exclusions>
                    <exclusion>
                      <groupId>dev.anemone</groupId>
                      <artifactId>anemone-ndp-source</artifactId>
                    </exclusion>
                  </exclusions>
                </dependency>
                """);
    ForeignProject project = ForeignProject.compiled(directory, withoutEngine, program("sql"));

    Run run = project.run(readme.jvmOptions(), "--runner=NemoRunner", directory.toString());

    assertThat(run.exit()).as(run.said()).isNotZero();
    assertThat(run.said())
        .contains("Table sales is of TYPE ndp")
        .contains("dev.anemone:" + WITH_SQL);
  }

  private static String withSql() {
    assertThat(readme.dependency()).contains(RUNNER);
    assertThat(readme.text()).contains(WITH_SQL);
    return readme.dependency().replace(RUNNER, WITH_SQL);
  }

  private static String program(String name) throws IOException {
    return Files.readString(Path.of("src", "test", "foreign", name, "Main.java"));
  }
}
