// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CommandsTest {
  private static final List<String> OWN =
      List.of("run", "explain", "attach", "pool", "ndp-proxy", "completion");

  @Test
  void theClassPathOfThisModuleHasTheProductsCommandsAlone() {
    CommandLine commandLine = Anemone.commandLine(Commands.found());

    assertThat(commandLine.getSubcommands()).containsOnlyKeys(OWN.toArray(String[]::new));
    assertThat(explainUsage(commandLine))
        .startsWith("Usage: anemone explain MAIN_CLASS [--verbose | --format=FORMAT] [arguments]");
  }

  @Test
  void theListOfCommandsCutsNoSentenceOff() {
    CommandLine commandLine = Anemone.commandLine(Commands.found());

    assertNoSentenceIsCutOff(commandLine);
  }

  private static void assertNoSentenceIsCutOff(CommandLine commandLine) {
    for (CommandLine command : commandLine.getSubcommands().values()) {
      assertThat(command.getCommandSpec().usageMessage().description()[0]).endsWith(".");
      assertNoSentenceIsCutOff(command);
    }
  }

  @Test
  void aProvidersCommandsFollowTheProducts() {
    CommandLine commandLine = Anemone.commandLine(new Commands(List.of(new Shapes())));

    assertThat(commandLine.getSubcommands().keySet())
        .containsExactly(
            "run", "explain", "attach", "circle", "pool", "ndp-proxy", "completion", "square");
    assertThat(commandLine.getUsageMessage()).contains("Draws a circle", "Draws a square");
    assertThat(explainUsage(commandLine))
        .startsWith(
            "Usage: anemone explain (MAIN_CLASS | circle) [--verbose | --format=FORMAT] [arguments]");
  }

  @Test
  void aProvidersProgramPassesItsArgumentsThroughAndCanBeExplained() throws Throwable {
    Shapes shapes = new Shapes();
    Commands commands = new Commands(List.of(shapes));

    commands.program("circle").orElseThrow().call(List.of("--radius=2"));
    commands.program("explain").orElseThrow().call(List.of("circle", "--jobName=round"));

    assertThat(shapes.drawn)
        .containsExactly(
            List.of("--radius=2"),
            List.of("--jobName=round", "--explainOnly=true", "--explain=tree"));
    assertThat(commands.program("square")).isEmpty();
  }

  @Test
  void thePlanIsPrintedAsAskedFor() throws Throwable {
    Shapes shapes = new Shapes();
    ExplainCommand explain = new ExplainCommand(List.of(new Circle(shapes.drawn)));

    explain.call(List.of("circle", "--verbose"));
    explain.call(List.of("circle", "--format=json"));
    explain.call(List.of("circle", "--explain=dot"));

    assertThat(shapes.drawn.stream().map(arguments -> arguments.get(1)))
        .containsExactly("--explain=text", "--explain=json", "--explain=dot");
    assertThatThrownBy(() -> explain.call(List.of("circle", "--verbose", "--format=svg")))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining("in one format");
  }

  @Test
  void whatIsMissingIsNamedWithTheProgramsThatThereAre() {
    assertThatThrownBy(() -> new ExplainCommand(List.of()).call(List.of()))
        .isInstanceOf(WrongUsageException.class)
        .hasMessage("The program is missing. Give the full name of a main class.");
    assertThatThrownBy(
            () ->
                new Commands(List.of(new Shapes()))
                    .program("explain")
                    .orElseThrow()
                    .call(List.of()))
        .isInstanceOf(WrongUsageException.class)
        .hasMessage("The program is missing. Give circle, or the full name of a main class.");
  }

  @Test
  void twoCommandsOfOneNameAreRefused() {
    assertThatThrownBy(() -> new Commands(List.of(new Shapes(), new Shapes())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("two commands circle")
        .hasMessageContaining(Circle.class.getName());
  }

  private static String explainUsage(CommandLine commandLine) {
    return commandLine.getSubcommands().get("explain").getUsageMessage();
  }

  /** Adds a program and a tool. */
  private static final class Shapes implements CommandProvider {
    private final List<List<String>> drawn = new ArrayList<>();

    @Override
    public List<PassThroughCommand> programs() {
      return List.of(new Circle(drawn));
    }

    @Override
    public List<Callable<Integer>> tools() {
      return List.of(new Square());
    }

    @Override
    public List<List<String>> training(Path directory) {
      return List.of();
    }
  }

  @Command(name = "circle", description = "Draws a circle.")
  private record Circle(List<List<String>> drawn) implements ExplainableCommand {

    @Override
    public String name() {
      return "circle";
    }

    @Override
    public void call(List<String> arguments) {
      drawn.add(arguments);
    }

    @Override
    public Pipeline pipeline(List<String> arguments) {
      drawn.add(arguments);
      PipelineOptions options =
          PipelineOptionsFactory.fromArgs(BeamArguments.withRunner(arguments)).create();
      Pipeline pipeline = Pipeline.create(options);
      pipeline.apply(Create.of("round"));
      return pipeline;
    }
  }

  @Command(name = "square", description = "Draws a square.")
  private static final class Square implements Callable<Integer> {

    @Override
    public Integer call() {
      return 4;
    }
  }
}
