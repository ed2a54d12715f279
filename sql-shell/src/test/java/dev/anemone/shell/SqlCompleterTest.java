// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is offered at the end of a text that was typed. */
class SqlCompleterTest {
  @TempDir private Path directory;

  private SqlCompleter completer;

  @BeforeEach
  void createTables() throws IOException {
    SqlSession session = new SqlSession(ShellArguments.of(List.of()).settings(), 0);
    ShellRunner runner =
        new ShellRunner(
            session, ResultFormat.CSV, text -> {}, new PrintWriter(Writer.nullWriter()));
    runner.run(table("orders", "o_id BIGINT, amount DOUBLE") + table("people", "p_id BIGINT"));
    completer = new SqlCompleter(session);
  }

  private String table(String name, String columns) {
    return "CREATE EXTERNAL TABLE %s (%s) TYPE text LOCATION '%s/%s.csv';"
        .formatted(name, columns, directory, name);
  }

  /** Only those that begin with what was typed, as JLine does it. */
  private List<String> offered(String text) {
    var line = new StatementParser().parse(text, text.length(), ParseContext.COMPLETE);
    List<Candidate> candidates = new ArrayList<>();
    completer.complete(null, line, candidates);
    return candidates.stream()
        .map(Candidate::value)
        .filter(value -> value.startsWith(line.word()))
        .toList();
  }

  @Test
  void afterSetThereAreOptionsAndTheirValues() {
    assertThat(offered("SET optimizationP")).containsExactly("optimizationPolicy");
    assertThat(offered("SET ")).contains("slots", "eventLog").doesNotContain("SELECT", "orders");
    assertThat(offered("SET slots ")).containsExactly("=");
    assertThat(offered("SET optimizationPolicy = ")).contains("'DataSkew'", "'Default'");
    assertThat(offered("SET optimizationPolicy = 'Large")).containsExactly("'LargeShuffle'");
    assertThat(offered("SET optimizationPolicy='Large"))
        .containsExactly("optimizationPolicy='LargeShuffle'");
    assertThat(offered("set summary = ")).containsExactly("'true'", "'false'");
    assertThat(offered("SELECT 1; SET optimizationP")).containsExactly("optimizationPolicy");
  }

  @Test
  void aValueThatIsOfferedIsOneThatCanBeSet() throws IOException {
    SqlSession session = new SqlSession(ShellArguments.of(List.of("--slots=1")).settings(), 0);
    StringBuilder answers = new StringBuilder();
    ShellRunner runner =
        new ShellRunner(
            session, ResultFormat.CSV, answers::append, new PrintWriter(Writer.nullWriter()));
    List<String> statements = new ArrayList<>();
    for (String option : List.of("columnar", "compression", "progress", "summary")) {
      List<String> values = offered("SET " + option + " = ");
      assertThat(values).as(option).hasSizeGreaterThan(1);
      values.forEach(value -> statements.add("SET %s = %s;".formatted(option, value)));
    }
    for (String statement : statements) {
      runner.run(statement + "SELECT 42 AS answer;");
    }
    assertThat(answers.toString().split("42", -1)).hasSize(statements.size() + 1);
  }

  @Test
  void columnsAreThoseOfTheTablesThatAreNamed() {
    assertThat(offered("SELECT SUM(am")).containsExactly("SUM(amount");
    assertThat(offered("SELECT * FROM orders WHERE ")).contains("amount").doesNotContain("p_id");
    assertThat(offered("SELECT * FROM orders o, people AS p WHERE o.o_id = p."))
        .containsExactly("p.p_id");
    assertThat(offered("SELECT * FROM orders o WHERE o.")).containsExactly("o.o_id", "o.amount");
    assertThat(offered("SELECT * FROM orders WHERE nobody.")).isEmpty();
  }

  @Test
  void whereATableStandsThereAreTablesAndFilesInQuotes() throws IOException {
    Files.writeString(directory.resolve("sales.csv"), "shop,turnover\na,1\n");
    Files.writeString(directory.resolve("notes.txt"), "");
    Files.createDirectory(directory.resolve("more"));
    assertThat(offered("SELECT * FROM ")).contains("orders", "people").doesNotContain("WHERE");
    assertThat(offered("SELECT * FROM '" + directory + "/"))
        .containsExactlyInAnyOrder("'" + directory + "/sales.csv'", "'" + directory + "/more/");
    assertThat(offered("SELECT * FROM '" + directory + "/sa"))
        .containsExactly("'" + directory + "/sales.csv'");
    assertThat(offered("SELECT * FROM '" + directory + "/sales.csv' WHERE turn"))
        .containsExactly("turnover");
    assertThat(offered("SELECT * FROM '/nowhere/at/all/")).isEmpty();
  }

  @Test
  void commandsAndTheirValuesAreOffered() {
    assertThat(offered(".ti")).containsExactly(".timer");
    assertThat(offered(".timer o")).containsExactly("on", "off");
    assertThat(offered(".format m")).containsExactly("markdown");
    assertThat(offered("sel")).containsExactly("select");
  }
}
