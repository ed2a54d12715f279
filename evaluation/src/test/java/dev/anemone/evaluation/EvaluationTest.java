package dev.anemone.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class EvaluationTest {
  private final StringWriter err = new StringWriter();

  @Test
  void asksForAnExperiment() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("Which experiment?").contains("wordcount", "startup");
  }

  @Test
  void namesAPeerThatIsNotThere() {
    assertThat(run("wordcount", "--peers=spark,storm")).isEqualTo(2);
    assertThat(err.toString())
        .contains("'storm' is no peer. There are spark, flink, direct; and none.");
  }

  @Test
  void refusesAComparisonWithoutRuns() {
    assertThat(run("wordcount", "--runs=0")).isEqualTo(2);
    assertThat(err.toString()).contains("--runs=0: a runner must run at least once.");
  }

  @Test
  void refusesAStartupWithoutLaterRuns() {
    assertThat(run("startup", "--runs=0")).isEqualTo(2);
    assertThat(err.toString()).contains("--runs=0: there must be a run after the first one.");
  }

  @Test
  void saysInOneParagraphHowItWantsToBeStarted() {
    assertThat(run("startup", "--runs=1")).isEqualTo(1);
    assertThat(err.toString().lines().toList())
        .singleElement()
        .asString()
        .startsWith("evaluation/run: The system property anemone.evaluation is not set");
  }

  private int run(String... arguments) {
    CommandLine commandLine = Evaluation.commandLine();
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
