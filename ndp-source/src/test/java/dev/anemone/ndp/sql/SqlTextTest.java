// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.testing.RandomValues;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** What goes into SQL as a constant comes out as the same constant, and does nothing else. */
class SqlTextTest {

  private Connection database;

  @BeforeProperty
  void open() throws SQLException {
    database = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = database.createStatement()) {
      statement.execute("CREATE TABLE kept AS SELECT 1 AS one");
    }
  }

  @AfterProperty
  void close() throws SQLException {
    assertThat(one("SELECT count(*) FROM kept")).isEqualTo("1");
    database.close();
  }

  @Property(tries = 1000)
  void anyTextIsItself(@ForAll String text) throws SQLException {
    Assume.that(StandardCharsets.UTF_8.newEncoder().canEncode(text));
    isItself(text);
  }

  @Property(tries = 1000)
  void textThatLooksLikeSqlIsItself(
      @ForAll
          @StringLength(max = 12)
          @CharRange(from = ' ', to = '/')
          @CharRange(from = '\0', to = '\0')
          @CharRange(from = '[', to = '`')
          @CharRange(from = 'n', to = 'n')
          String text)
      throws SQLException {
    isItself(text);
    isItself("'; DROP TABLE kept; --" + text);
  }

  private void isItself(String text) throws SQLException {
    StringBuilder hex = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hex.append(String.format("%02X", b));
    }
    assertThat(one("SELECT hex(" + SqlText.literal(Literal.of(text)) + ")"))
        .isEqualTo(hex.toString());
  }

  @Property(tries = 300)
  void literalsKeepValueAndType(@ForAll long seed) throws SQLException {
    Random random = new Random(seed);
    SimpleType[] types = SimpleType.values();
    int choice = random.nextInt(types.length + 1);
    DataType type =
        choice < types.length
            ? types[choice]
            : new DecimalType(5 + random.nextInt(34), random.nextInt(6));
    Literal literal = Literal.of(type, new RandomValues(random).of(type));
    String sql = SqlText.literal(literal);
    assertThat(one("SELECT typeof(" + sql + ")")).isEqualTo(SqlText.type(type));
    String text = SqlText.string(literal.valueText());
    assertThat(one("SELECT " + sql + " = CAST(" + text + " AS " + SqlText.type(type) + ")"))
        .isEqualTo("true");
    assertThat(one("SELECT typeof(" + SqlText.literal(Literal.nullOf(type)) + ")"))
        .isEqualTo(SqlText.type(type));
  }

  private String one(String sql) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
