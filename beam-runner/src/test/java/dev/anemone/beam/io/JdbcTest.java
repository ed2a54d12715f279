// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.io;

import static dev.anemone.beam.io.NemoPipelines.pipeline;
import static dev.anemone.beam.io.NemoPipelines.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.jdbc.JdbcIO;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.transforms.Create;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JdbcIO against a database in memory. */
class JdbcTest {

  private static final int ROWS = 100;

  private final String url = "jdbc:h2:mem:" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
  private Connection connection;

  @BeforeEach
  void makeTables() throws SQLException {
    connection = DriverManager.getConnection(url);
    update("CREATE TABLE city (id BIGINT PRIMARY KEY, name VARCHAR(20) NOT NULL)");
    for (int id = 0; id < ROWS; id++) {
      update("INSERT INTO city VALUES (" + id + ", 'city" + id + "')");
    }
    update("CREATE TABLE copy (name VARCHAR(20) PRIMARY KEY CHECK (name <> 'city13'))");
  }

  @AfterEach
  void dropTables() throws SQLException {
    update("SHUTDOWN");
    connection.close();
  }

  private void update(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private JdbcIO.DataSourceConfiguration database() {
    return JdbcIO.DataSourceConfiguration.create("org.h2.Driver", url);
  }

  /** A class and no lambda, since Beam infers the coder from its type. */
  private static final class NameMapper implements JdbcIO.RowMapper<String> {

    private static final long serialVersionUID = 1L;

    @Override
    public String mapRow(ResultSet row) throws SQLException {
      return row.getString("name");
    }
  }

  private static List<String> cities(int from, int to) {
    List<String> cities = new ArrayList<>();
    for (int id = from; id < to; id++) {
      cities.add("city" + id);
    }
    return cities;
  }

  @Test
  void aQueryIsRead() {
    Pipeline pipeline = pipeline();
    PAssert.that(
            pipeline.apply(
                JdbcIO.<String>read()
                    .withDataSourceConfiguration(database())
                    .withQuery("SELECT name FROM city WHERE id < 30")
                    .withRowMapper(new NameMapper())))
        .containsInAnyOrder(cities(0, 30));
    run(pipeline);
  }

  @Test
  void aQueryIsReadForEveryElement() {
    Pipeline pipeline = pipeline();
    PAssert.that(
            pipeline
                .apply(Create.of(3, 5, 8))
                .apply(
                    JdbcIO.<Integer, String>readAll()
                        .withDataSourceConfiguration(database())
                        .withQuery("SELECT name FROM city WHERE id = ?")
                        .withParameterSetter((id, query) -> query.setInt(1, id))
                        .withRowMapper(new NameMapper())))
        .containsInAnyOrder("city3", "city5", "city8");
    run(pipeline);
  }

  @Test
  void aTableIsReadInPartitions() {
    Pipeline pipeline = pipeline();
    PAssert.that(
            pipeline.apply(
                JdbcIO.<String>readWithPartitions()
                    .withDataSourceConfiguration(database())
                    .withTable("city")
                    .withPartitionColumn("id")
                    .withNumPartitions(4)
                    .withRowMapper(new NameMapper())))
        .containsInAnyOrder(cities(0, ROWS));
    run(pipeline);
  }

  @Test
  void elementsAreWritten() throws SQLException {
    Pipeline pipeline = pipeline();
    pipeline.apply(Create.of(cities(20, 60))).apply(write());
    run(pipeline);
    assertThat(copies()).containsExactlyInAnyOrderElementsOf(cities(20, 60));
  }

  private JdbcIO.Write<String> write() {
    return JdbcIO.<String>write()
        .withDataSourceConfiguration(database())
        .withStatement("INSERT INTO copy VALUES (?)")
        .withPreparedStatementSetter((name, statement) -> statement.setString(1, name));
  }

  private List<String> copies() throws SQLException {
    List<String> copies = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name FROM copy")) {
      while (rows.next()) {
        copies.add(rows.getString(1));
      }
    }
    return copies;
  }

  @Test
  void aRowThatTheDatabaseRefusesFailsTheJobWithTheCause() {
    Pipeline pipeline = pipeline();
    pipeline.apply(Create.of("city13")).apply(write());
    assertThatThrownBy(() -> run(pipeline)).hasStackTraceContaining("Check constraint violation");
  }
}
