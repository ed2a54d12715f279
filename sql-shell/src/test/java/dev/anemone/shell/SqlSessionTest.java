// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlSessionTest {
  private static final String ORDERS =
      "id,customer,amount,day\n1,ann,10,2026-01-01\n2,bob,20,2026-01-02\n3,ann,5,2026-01-03\n";

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter notes = new StringWriter();
  private ShellRunner shell;
  private Path orders;

  @BeforeEach
  void start() throws IOException {
    orders = Files.writeString(directory.resolve("orders.csv"), ORDERS);
    shell = shell(0);
  }

  private ShellRunner shell(long maxRows) {
    return new ShellRunner(
        new SqlSession(new Settings(List.of("--slots=1")), maxRows),
        ResultFormat.CSV,
        out::append,
        new PrintWriter(notes, true));
  }

  @Test
  void aFileIsAskedAsItIs() throws IOException {
    shell.run(
        "SELECT customer, SUM(amount) AS total FROM '%s' GROUP BY customer ORDER BY total DESC;"
            .formatted(orders));

    assertThat(out).hasToString("\"customer\",\"total\"\n\"bob\",\"20\"\n\"ann\",\"15\"\n");
  }

  @Test
  void whatIsCancelledBeforeItBeginsDoesNotRun() throws IOException {
    SqlSession session = new SqlSession(new Settings(List.of("--slots=1")), 0);
    ShellRunner runner =
        new ShellRunner(session, ResultFormat.CSV, out::append, new PrintWriter(notes, true));
    session.begin();
    session.cancel();

    assertThatThrownBy(() -> runner.run("SELECT 1 AS x; SELECT 2 AS y;"))
        .hasMessageContaining("The query was cancelled.");
    assertThat(out.toString()).isEmpty();

    session.begin();
    runner.run("SELECT 3 AS three;");
    assertThat(out).hasToString("\"three\"\n\"3\"\n");
  }

  @Test
  void parquetAndJsonAreReadTooAndFilesAreJoined() throws Exception {
    Path parquet = directory.resolve("customers.parquet");
    try (var engine = DriverManager.getConnection("jdbc:duckdb:");
        var copy = engine.createStatement()) {
      copy.execute(
          "COPY (SELECT 'ann' AS name, 1.50::DECIMAL(5,2) AS fee) TO '"
              + parquet
              + "' (FORMAT parquet)");
    }
    Path json = directory.resolve("towns.json");
    Files.writeString(json, "{\"customer\":\"ann\",\"town\":\"Ulm\"}\n");

    shell.run(
        ("SELECT o.id, c.fee, t.town FROM '%s' o JOIN '%s' c ON o.customer = c.name"
                + " JOIN '%s' t ON t.customer = c.name ORDER BY o.id")
            .formatted(orders, parquet, json));

    assertThat(out)
        .hasToString("\"id\",\"fee\",\"town\"\n\"1\",\"1.50\",\"Ulm\"\n\"3\",\"1.50\",\"Ulm\"\n");
  }

  @Test
  void tablesAreCreatedFilledDescribedListedAndDropped() throws IOException {
    shell.run(
        """
        CREATE EXTERNAL TABLE totals (name VARCHAR, total BIGINT) TYPE text LOCATION '%s/totals/'
          TBLPROPERTIES '{"format": "csv"}';
        SHOW TABLES; -- a comment; it ends nothing
        DESCRIBE totals;
        INSERT INTO totals SELECT customer, SUM(amount) FROM '%s' WHERE id < 3 GROUP BY customer;
        SHOW TABLES;
        DROP TABLE totals;
        SHOW TABLES
        """
            .formatted(directory, orders));

    assertThat(out)
        .hasToString(
            """
            "table","type"
            "totals","text"
            "column","type"
            "name","VARCHAR"
            "total","BIGINT"
            "table","type"
            "totals","text"
            "table","type"
            """);
    try (var files = Files.walk(directory)) {
      assertThat(
              files.filter(file -> file.toString().contains("totals")).filter(Files::isRegularFile))
          .isNotEmpty();
    }
  }

  @Test
  void tablesOfParquetAreFilledAndRead() throws IOException {
    shell.run(
        """
        CREATE EXTERNAL TABLE totals (name VARCHAR, total BIGINT) TYPE parquet LOCATION '%s/totals/';
        INSERT INTO totals SELECT customer, SUM(amount) FROM '%s' GROUP BY customer;
        SELECT name, total FROM totals ORDER BY name;
        SET columnar = 'off';
        SELECT name, total FROM totals WHERE total > 15
        """
            .formatted(directory, orders));

    assertThat(out)
        .hasToString(
            """
            "name","total"
            "ann","15"
            "bob","20"
            "name","total"
            "bob","20"
            """);
  }

  @Test
  void aFileIsDescribed() throws IOException {
    shell.run("DESCRIBE '" + orders + "'");

    assertThat(out)
        .hasToString(
            """
            "column","type"
            "id","BIGINT"
            "customer","VARCHAR"
            "amount","BIGINT"
            "day","DATE"
            """);
  }

  @Test
  void aPlanIsExplainedAndNotRun() throws IOException {
    shell.run("EXPLAIN SELECT customer FROM '" + orders + "' WHERE amount > 7");

    assertThat(out.toString()).contains("Rel").doesNotContain("ann");
  }

  @Test
  void belowBeamsPlanThereIsTheJobOfTheOptionsInForce() throws IOException {
    String explain =
        "EXPLAIN SELECT customer, SUM(amount) FROM '" + orders + "' GROUP BY customer;";
    shell.run("SET columnar = 'distributed';" + explain);
    String job = out.toString();
    out.getBuffer().setLength(0);
    shell.run("SET optimizationPolicy = 'LargeShuffle';" + explain);

    assertThat(job)
        .containsSubsequence(
            "Rel",
            "Default: ",
            "SHUFFLE",
            "What the engine of columns runs:",
            "sum(v1)",
            "Decisions:")
        .doesNotContain("LargeShuffle", "relay");
    assertThat(out.toString())
        .containsSubsequence("Rel", "LargeShuffle: ", "pushed", "relay", "Decisions:");
  }

  @Test
  void anInsertIsExplainedAndWritesNothing() throws IOException {
    shell.run(
        """
        CREATE EXTERNAL TABLE totals (name VARCHAR) TYPE text LOCATION '%s/totals/'
          TBLPROPERTIES '{"format": "csv"}';
        EXPLAIN INSERT INTO totals SELECT customer FROM '%s';
        """
            .formatted(directory, orders));

    assertThat(out.toString()).containsSubsequence("Rel", "Default: ");
    assertThat(directory.resolve("totals")).doesNotExist();
  }

  @Test
  void whatIsWrongIsShownAtItsPlaceInTheScript() {
    assertThatThrownBy(
            () -> shell.run("SHOW TABLES;\n  SELECT id,\n nothing FROM '" + orders + "'"))
        .isInstanceOf(StatementException.class)
        .hasMessageContaining("Line 3, column 2: ")
        .hasMessageContaining("nothing");
    assertThat(notes.toString()).contains("\n ^");
    assertThatThrownBy(() -> shell.run("SELEC 1"))
        .isInstanceOf(StatementException.class)
        .hasMessageContaining("Line 1, column 1: ");
  }

  @Test
  void optionsAreSetAndUnknownOnesRefusedWithTheNearest() throws IOException {
    shell.run("SET optimizationPolicy = 'DataSkew'; SELECT COUNT(*) AS n FROM '" + orders + "'");

    assertThat(out).hasToString("\"n\"\n\"3\"\n");
    assertThatThrownBy(() -> shell.run("SET optimizationPolcy = 'DataSkew'"))
        .hasMessageContaining("There is no option optimizationPolcy")
        .hasMessageContaining("optimizationPolicy");
  }

  @Test
  void onlySoManyRowsAreBroughtInTheirOrder() throws IOException {
    shell(2).run("SELECT id FROM '" + orders + "' ORDER BY id DESC");

    assertThat(out).hasToString("\"id\"\n\"3\"\n\"2\"\n");
    assertThat(notes.toString()).contains("the first 2");
  }

  @Test
  void filesThatAreNotThereOrNotKnownAreNamed() {
    assertThatThrownBy(() -> shell.run("SELECT * FROM '/nowhere/a.csv'"))
        .hasMessageContaining("There is no file /nowhere/a.csv");
    assertThatThrownBy(() -> shell.run("SELECT * FROM '/nowhere/a.xls'"))
        .hasMessageContaining(".parquet, .csv, .json");
  }
}
