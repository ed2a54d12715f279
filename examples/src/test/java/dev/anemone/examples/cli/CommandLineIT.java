// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.examples.cli.programs.FailingProgram;
import dev.anemone.examples.cli.programs.ImpatientProgram;
import dev.anemone.examples.minimal.Minimal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/anemone} as a user runs it: another process, in an empty working directory. */
class CommandLineIT {
  private static final long DEADLINE_SECONDS = 240;
  private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

  @TempDir private Path directory;
  private Path workingDirectory;
  private Path text;

  private record Run(int code, String out, String err) {
    void failsWith(int expected, String... parts) {
      assertThat(code).as(err).isEqualTo(expected);
      assertThat(err).contains(parts).doesNotContain("\tat ");
    }

    /** The error is the only thing that is said, in one paragraph. */
    void saysOneParagraph() {
      assertThat(err.strip().lines()).hasSize(1);
      assertThat(out).isEmpty();
    }
  }

  @BeforeEach
  void prepare() throws IOException {
    workingDirectory = Files.createDirectory(directory.resolve("work"));
    text = Files.writeString(directory.resolve("text"), "to be or not to be\n");
  }

  @AfterEach
  void theWorkingDirectoryStaysEmpty() throws IOException {
    try (Stream<Path> files = Files.list(workingDirectory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void wordCountPrintsWhereItsResultIs() throws Exception {
    Run run = anemone("wordcount", "--input=" + text, "--output=" + directory.resolve("counts"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    List<String> lines = new ArrayList<>();
    for (String file : run.out().lines().toList()) {
      assertThat(file).startsWith(directory.resolve("counts-").toString());
      lines.addAll(Files.readAllLines(Path.of(file)));
    }
    assertThat(lines).containsExactlyInAnyOrder("to: 2", "be: 2", "or: 1", "not: 1");
  }

  @Test
  void theLauncherWorksThroughASymbolicLinkAndWithRelativePaths() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), PROJECT.resolve("bin/anemone"));

    Run run = start(link, "wordcount", "--input=../text", "--output=../counts");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("counts-00000-of-0000");
  }

  @Test
  void tpchPrintsAnAlignedTable() throws Exception {
    Run run =
        anemone(
            "tpch",
            "--query=6",
            "--scale=0.01",
            "--data=" + PROJECT.resolve("examples/target/tpch/scale-0.01"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("     revenue\n------------\n1193053.2253\n");
    assertThat(run.err()).contains("1 rows in ");
  }

  @Test
  void explainPrintsThePlanAndRunsNothing() throws Exception {
    Run run = anemone("explain", "wordcount", "--input=" + text);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("SplitWords", "SHUFFLE");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(workingDirectory, text);
    }
  }

  @Test
  void explainTakesAMainClassAndAFormat() throws Exception {
    Run run = anemone("explain", Minimal.class.getName(), "--explain=dot");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("digraph");
  }

  @Test
  void runRunsAMainClass() throws Exception {
    Run run = anemone("run", Minimal.class.getName(), "--repetitions=2");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("run 1: 3 elements", "run 2: 3 elements");
  }

  @Test
  void runWaitsForAProgramThatDoesNotWaitForItsPipeline() throws Exception {
    Path output = directory.resolve("impatient");
    Run run = program(ImpatientProgram.class, "--output=" + output);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Files.readAllLines(directory.resolve("impatient-00000-of-00001")))
        .containsExactly("done");
  }

  @Test
  void aFailingPipelineShowsTheUsersExceptionAndFails() throws Exception {
    Run run = program(FailingProgram.class);

    run.failsWith(1, "IllegalStateException: the ledger does not balance");
    run.saysOneParagraph();
  }

  @Test
  void theStackTraceIsPrintedOnRequest() throws Exception {
    Run run = program(FailingProgram.class, "--stacktrace");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("\tat ").contains("the ledger does not balance");
  }

  @Test
  void aMissingMainClassIsNamed() throws Exception {
    Run run = anemone("run", "com.example.Nothing");

    run.failsWith(1, "There is no class com.example.Nothing");
    run.saysOneParagraph();
  }

  @Test
  void aMissingEntryOfTheClassPathIsNamed() throws Exception {
    Run run = anemone("run", "com.example.Nothing", "--classpath=none.jar");

    run.failsWith(2, "--classpath=none.jar: there is no none.jar");
    run.saysOneParagraph();
  }

  @Test
  void aMissingInputIsNamedAndNoOutputAppears() throws Exception {
    Run run =
        anemone("wordcount", "--input=/no/such/file", "--output=" + directory.resolve("counts"));

    run.failsWith(1, "--input=/no/such/file: no such file");
    run.saysOneParagraph();
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(workingDirectory, text);
    }
  }

  @Test
  void anOutputThatCannotBeWrittenIsRefusedBeforeWork() throws Exception {
    Run run = anemone("wordcount", "--input=" + text, "--output=" + text + "/counts");

    run.failsWith(1, "--output=" + text + "/counts", "cannot be written to");
    run.saysOneParagraph();
  }

  @Test
  void unknownOptionsPoliciesAndPassesAreNamed() throws Exception {
    String input = "--input=" + text;
    String output = "--output=" + directory.resolve("counts");

    Run option = anemone("wordcount", input, output, "--optimisationPolicy=Default");
    option.failsWith(1, "There is no option --optimisationPolicy", "optimizationPolicy");
    option.saysOneParagraph();

    Run policy = anemone("wordcount", input, output, "--optimizationPolicy=NoSuchPolicy");
    policy.failsWith(1, "NoSuchPolicy", "Default");
    policy.saysOneParagraph();

    Run pass = anemone("wordcount", input, output, "--passes=NoSuchPass");
    pass.failsWith(1, "NoSuchPass", "CombinerLifting");
    pass.saysOneParagraph();
  }

  @Test
  void missingAndWrongOptionsAreNamed() throws Exception {
    Run missing = anemone("wordcount", "--input=" + text);
    missing.failsWith(1, "The option --output is missing");
    missing.saysOneParagraph();

    Run query = anemone("tpch", "--query=99");
    query.failsWith(1, "--query=99: there is no query 99", "from 1 to 22");
    query.saysOneParagraph();

    Run scale = anemone("tpch", "--query=6", "--scale=-1");
    scale.failsWith(1, "--scale=-1.0 is out of range");
    scale.saysOneParagraph();

    Run skew = anemone("tpch", "--query=10", "--skew=customers=0.25");
    skew.failsWith(1, "--skew=customers=0.25: '0.25' is not of the form SHARE:KEYS");
    skew.saysOneParagraph();
  }

  @Test
  void anUnknownCommandGetsTheHelpAndExitCodeTwo() throws Exception {
    Run unknown = anemone("wordcuont");
    unknown.failsWith(2, "wordcuont", "Commands:", "generate-corpus");

    Run none = anemone();
    none.failsWith(2, "Which command?", "Commands:");
  }

  @Test
  void helpAndVersionGoToTheStandardOutput() throws Exception {
    Run help = anemone("--help");
    assertThat(help.code()).isZero();
    assertThat(help.out()).contains("wordcount", "tpch", "run", "explain", "--stacktrace");

    Run commandHelp = anemone("wordcount", "--help");
    assertThat(commandHelp.code()).isZero();
    assertThat(commandHelp.out()).contains("--input=FILES", "--output=PREFIX");

    Run version = anemone("--version");
    assertThat(version.code()).isZero();
    assertThat(version.out())
        .containsPattern("^anemone 0\\.\\S+, commit ([0-9a-f]{7,}|unknown)\n")
        .contains("Beam 2.", "Tez 0.", "Java ")
        .doesNotContain("${");
  }

  @Test
  void aCorpusIsGeneratedWithItsCounts() throws Exception {
    Path corpus = directory.resolve("corpus");
    Run run = anemone("generate-corpus", "--bytes=50k", "--words=100", "--output=" + corpus);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(corpus + "\n" + corpus + ".counts\n");
    assertThat(Files.size(corpus)).isBetween(50_000L, 50_020L);

    Run wrong = anemone("generate-corpus", "--bytes=many", "--output=" + corpus);
    wrong.failsWith(2, "'many' is not a size");
  }

  @Test
  void recordsAreGeneratedSortedAndValidated() throws Exception {
    Path input = directory.resolve("tera/input");
    Path sorted = directory.resolve("tera/sorted");

    Run generated = anemone("teragen", "--records=20000", "--files=2", "--output=" + input);
    assertThat(generated.code()).as(generated.err()).isZero();
    assertThat(generated.out()).isEqualTo(input + "/part-00000\n" + input + "/part-00001\n");

    Run sort = anemone("terasort", "--input=" + input, "--output=" + sorted, "--ranges=2");
    assertThat(sort.code()).as(sort.err()).isZero();
    assertThat(sort.out()).isEqualTo(sorted + "/part-00000\n" + sorted + "/part-00001\n");
    assertThat(sort.err()).startsWith("20,000 records in 2 files, ");

    Run valid = anemone("teravalidate", "--output=" + sorted, "--input=" + input);
    assertThat(valid.code()).as(valid.err()).isZero();
    assertThat(valid.err()).isEmpty();
    assertThat(valid.out()).containsPattern("records +20000\nchecksum +[0-9a-f]+\n");

    Run again = anemone("terasort", "--input=" + input, "--output=" + sorted);
    again.failsWith(1, "--output=" + sorted, "holds a result already");
    again.saysOneParagraph();

    Run notSorted = anemone("teravalidate", "--output=" + input);
    notSorted.failsWith(1, input + "/part-00000: record ", "below the key");
  }

  @Test
  void wrongOptionsOfTheSortAreNamed() throws Exception {
    Run files = anemone("teragen", "--records=5", "--files=6", "--output=" + directory);
    files.failsWith(1, "from 1 to 5 for 5 records, not 6");
    files.saysOneParagraph();

    Run input = anemone("terasort", "--input=" + text, "--output=" + directory.resolve("sorted"));
    input.failsWith(1, "--input=" + text, "19 bytes", "multiple of 100");
    input.saysOneParagraph();

    Run none = anemone("teravalidate", "--output=" + directory);
    none.failsWith(1, "--output=" + directory, "no such file");
    none.saysOneParagraph();
  }

  @Test
  void explainTakesTheSortAndWritesNothing() throws Exception {
    Path records = Files.write(directory.resolve("records"), new byte[1_000]);

    Run run = anemone("explain", "terasort", "--input=" + records);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("KeyByRange", "SortRange", "SHUFFLE");
  }

  @Test
  void pageRankRanksAndExplainsThatTheGraphIsShared() throws Exception {
    Path edges = Files.writeString(directory.resolve("edges"), "a b\nb a\nc a\n");

    Run run =
        anemone(
            "pagerank",
            "--input=" + edges,
            "--output=" + directory.resolve("ranks"),
            "--iterations=2");
    assertThat(run.code()).as(run.err()).isZero();
    List<String> lines = new ArrayList<>();
    for (String file : run.out().lines().toList()) {
      assertThat(file).startsWith(directory.resolve("ranks-").toString());
      lines.addAll(Files.readAllLines(Path.of(file)));
    }
    assertThat(lines).hasSize(3).anyMatch(line -> line.startsWith("c 0.05"));

    Run explained =
        anemone("explain", "pagerank", "--generate=100,1000", "--iterations=2", "--verbose");
    assertThat(explained.code()).as(explained.err()).isZero();
    assertThat(explained.out()).contains("Iteration2/JoinLinks", "SharedOutput=");

    Run wrong = anemone("pagerank", "--output=" + directory.resolve("ranks"));
    wrong.failsWith(1, "--input=FILES", "--generate=VERTICES,EDGES");
    wrong.saysOneParagraph();
  }

  private Run program(Class<?> main, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "run",
                main.getName(),
                "--classpath=" + PROJECT.resolve("examples/target/test-classes")));
    command.addAll(List.of(arguments));
    return anemone(command.toArray(new String[0]));
  }

  private Run anemone(String... arguments) throws Exception {
    return start(PROJECT.resolve("bin/anemone"), arguments);
  }

  private Run start(Path launcher, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    Path out = directory.resolveSibling(directory.getFileName() + ".out");
    Path err = directory.resolveSibling(directory.getFileName() + ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(workingDirectory.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("ANEMONE_HEAP", "1g");
      Process process = builder.start();
      boolean ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(ended).as("%s ended within %s s", command, DEADLINE_SECONDS).isTrue();
      return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }
}
