// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.text.TextTableProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of Beam's {@code TYPE text} are read in splits, and have the rows that Beam reads. */
@Tag("slow")
class TextTablesTest {

  private static final String COLUMNS = "id BIGINT, small INTEGER, ratio DOUBLE, name VARCHAR";

  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM t",
          "SELECT name, COUNT(*) AS n, MIN(small) AS s, MAX(ratio) AS m FROM t GROUP BY name",
          "SELECT a.name, COUNT(small) AS n FROM t a JOIN (SELECT id FROM t WHERE ratio > 3.5) b"
              + " ON a.id = b.id GROUP BY a.name",
          "SELECT id, name FROM t WHERE name LIKE 'b%' AND id BETWEEN 100 AND 140");

  private static final List<String> NAMES =
      List.of(
          "plain",
          "\"b,c\"",
          "\"b \"\"c\"\"\"",
          "",
          "\"\"",
          " b",
          "b ",
          "b\"c",
          "NULL",
          "\\N",
          "größer",
          "\"b\" ",
          "b\\");

  private static final List<String> SMALL = List.of("5", "", "-2147483648", "+7", "007", " ");

  private static final List<String> RATIOS =
      List.of("0.5", "", "1e3", "-0.0", "7d", " 4.25 ", "Infinity", "0.1");

  @TempDir private static Path directory;
  private static Map<String, List<String>> plannedByBeam;
  private static Map<String, List<String>> readByBeam;

  @BeforeAll
  static void write() throws Exception {
    Files.createDirectory(directory.resolve("text"));
    write("a.csv", 1, "\n", "\ufeff", 6_000);
    write("b.csv", 2, "\r\n", "", 3_000);
    write("c.csv", 3, "\r", "", 200);
    Files.writeString(directory.resolve("text/d.csv"), "");
    Files.writeString(directory.resolve("text/e.csv"), "\n\r\n8,,,the last");
    String ddl = ddl(COLUMNS, "text/*", "");
    plannedByBeam = NdpRuns.plannedByBeam(ddl).run(QUERIES);
    readByBeam = new NdpRuns(ddl, "--columnar=off").run(QUERIES);
  }

  private static void write(String name, long seed, String lineEnd, String before, int lines)
      throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder(before);
    for (int i = 0; i < lines; i++) {
      // Files have plain lines for a while.
      boolean odd = i > lines / 4;
      text.append(i).append(',').append(SMALL.get(odd ? random.nextInt(SMALL.size()) : 0));
      text.append(',').append(RATIOS.get(odd ? random.nextInt(RATIOS.size()) : 0)).append(',');
      text.append(NAMES.get(odd ? random.nextInt(NAMES.size()) : 0)).append(lineEnd);
    }
    Files.writeString(directory.resolve("text").resolve(name), text);
  }

  private static String ddl(String columns, String location, String properties) {
    return "CREATE EXTERNAL TABLE t ("
        + columns
        + ") TYPE text LOCATION '"
        + directory.resolve(location)
        + "'"
        + (properties.isEmpty() ? "" : " TBLPROPERTIES '" + properties + "'");
  }

  private static String plan(String ddl, String query, String... options) {
    return new DeclaredPlans(List.of(new TextTableProvider()), options).of(ddl, query);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void haveTheRowsThatBeamReads(String columnar) {
    Map<String, List<String>> inSplits =
        new NdpRuns(ddl(COLUMNS, "text/*", ""), "--slots=2", "--columnar=" + columnar).run(QUERIES);
    for (String query : QUERIES) {
      assertThat(inSplits.get(query))
          .as(query)
          .isEqualTo(plannedByBeam.get(query))
          .isEqualTo(readByBeam.get(query))
          .isNotEmpty();
    }
  }

  @Test
  void haveTheFormatsThatBeamKnows() throws IOException {
    Files.writeString(
        directory.resolve("formats"), "1\t2\t 3.5 \tx\n\\N\t\t\t\\N\n4\t\\N\t0.5\ta\\tb\n");
    String query = "SELECT name, COUNT(*) AS n, SUM(id) AS s FROM t GROUP BY name";
    for (String properties :
        List.of("{\"format\": \"MySQL\"}", "{\"format\": \"csv\", \"csvformat\": \"MySQL\"}")) {
      String ddl = ddl(COLUMNS, "formats", properties);
      assertThat(plan(ddl, query)).contains("ColumnarRel");
      assertThat(new NdpRuns(ddl).run(List.of(query)))
          .isEqualTo(new NdpRuns(ddl, "--columnar=off").run(List.of(query)));
    }
  }

  @Test
  void haveColumnsThatBeamCannotRead() throws IOException {
    Files.writeString(
        directory.resolve("more"), "1994-12-31,1.50,true\n1960-02-29,-2e1,FALSE\n,,\n");
    String query = "SELECT d, p, b, COUNT(*) AS n FROM t GROUP BY d, p, b";
    assertThat(
            new NdpRuns(ddl("d DATE, p DECIMAL, b BOOLEAN", "more", "{\"decimals\": \"15,2\"}"))
                .run(List.of(query))
                .get(query))
        .containsExactly("1960-02-29|-20|false|1", "1994-12-31|1.5|true|1", "null|null|null|1");
  }

  @Test
  void areRelationalSourcesOfThePlan() {
    String query = "SELECT name, COUNT(*) AS n FROM t WHERE id < 7 GROUP BY name";
    String ddl = ddl(COLUMNS, "text/*", "");

    assertThat(plan(ddl, query)).contains("ColumnarRel").contains("input t (id int64");
    assertThat(plan(ddl, query, "--columnar=distributed")).contains("DistributedRel");
    assertThat(plan(ddl, query, "--columnar=off")).contains("IOSource").doesNotContain("Columnar");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "name VARCHAR; text/*; {\"format\": \"lines\"}; the format lines is no CSV",
        "id BIGINT; text/*; {\"format\": \"json\"}; the format json is no CSV",
        "id BIGINT; text/*; {\"skip\": \"1\"}; [skip] are not known",
        "id BIGINT, seen TIMESTAMP; text/*; {}; column seen is TIMESTAMP",
        "id BIGINT, price DECIMAL; text/*; {}; column price is DECIMAL",
        "id BIGINT; packed.csv.gz; {}; packed.csv.gz is compressed"
      })
  void areReadByBeamWhereRowsMightDiffer(
      String columns, String location, String properties, String reason) throws Exception {
    Files.writeString(directory.resolve("packed.csv.gz"), "");
    assertThat(plan(ddl(columns, location, properties), "SELECT COUNT(*) AS n FROM t"))
        .contains("IOSource")
        .doesNotContain("Columnar", "Ndp");
    Schema.Builder schema = Schema.builder();
    for (String column : columns.split(", ", -1)) {
      String name = column.substring(0, column.indexOf(' '));
      schema =
          switch (column.substring(name.length() + 1)) {
            case "BIGINT" -> schema.addInt64Field(name);
            case "TIMESTAMP" -> schema.addDateTimeField(name);
            case "DECIMAL" -> schema.addDecimalField(name);
            default -> schema.addStringField(name);
          };
    }
    Table table =
        Table.builder()
            .type("text")
            .name("t")
            .location(directory.resolve(location).toString())
            .schema(schema.build())
            .properties(new ObjectMapper().readValue(properties, ObjectNode.class))
            .build();
    assertThatThrownBy(() -> BeamTableType.TEXT.ofSplits(table))
        .isInstanceOf(OtherRowsException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void aBadLineIsNamed(String columnar) throws IOException {
    Path file = directory.resolve("bad.csv");
    Files.writeString(file, "1,2,0.5,a\n2,3.5,0.5,b\n");
    assertThatThrownBy(
            () ->
                new NdpRuns(ddl(COLUMNS, "bad.csv", ""), "--columnar=" + columnar)
                    .run(List.of("SELECT name, COUNT(*) AS n FROM t GROUP BY name")))
        .hasStackTraceContaining("line 2 of " + file + ": column small is int32, not '3.5'");
  }

  @Test
  void areWrittenByBeam() {
    new NdpRuns(ddl(COLUMNS, "written", ""))
        .run(List.of("INSERT INTO t VALUES (1, 2, 2.5, 'a,\"b\"')"));
    String query = "SELECT name, SUM(ratio) AS s FROM t GROUP BY name";
    assertThat(new NdpRuns(ddl(COLUMNS, "written*", "")).run(List.of(query)).get(query))
        .containsExactly("a,\"b\"|2.500000000e+00");
  }
}
