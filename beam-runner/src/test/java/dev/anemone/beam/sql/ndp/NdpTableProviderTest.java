// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.schemas.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a table is said before anything runs. */
class NdpTableProviderTest {

  private static final Schema COLUMNS =
      Schema.builder().addInt64Field("id").addDecimalField("price").build();

  @TempDir private Path directory;

  @BeforeEach
  void write() throws Exception {
    Files.writeString(directory.resolve("a.csv"), "1,2.50\n");
    Files.writeString(directory.resolve("_SUCCESS"), "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"decimals\": \"15,2\"}; property 'format' is ''; it must be csv or parquet",
        "{\"format\": \"orc\"}; the property 'decimals'",
        "{\"format\": \"orc\", \"decimals\": \"15,2\"}; property 'format' is 'orc'",
        "{\"format\": \"csv\"}; column price is DECIMAL",
        "{\"format\": \"csv\", \"decimals\": \"39,2\"}; there is no type decimal(39,2)",
        "{\"format\": \"csv\", \"decimals\": {\"id\": \"5,2\"}}; names id, which is no column",
        "{\"format\": \"csv\", \"decimals\": \"15,2\", \"separator\": \"|\"}; [separator] are not",
        "{\"format\": \"parquet\", \"decimals\": \"15,2\", \"header\": true}; [header] are not",
        "{\"format\": \"csv\", \"decimals\": \"15,2\", \"delimiter\": \"||\"}; one character",
        "{\"format\": \"csv\", \"decimals\": \"15,2\", \"header\": \"no\"}; true or false",
        "{\"format\": \"csv\", \"decimals\": \"15,2\", \"compression\": \"lz4\"}; none, gzip or",
      })
  void aWrongPropertyIsNamed(String properties, String part) {
    assertThatThrownBy(() -> table(COLUMNS, directory.toString(), properties))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Table t of TYPE ndp: ")
        .hasMessageContaining(part.strip());
  }

  @Test
  void aTypeThatIsNotSupportedIsNamed() {
    Schema columns = Schema.builder().addInt64Field("id").addByteArrayField("raw").build();
    assertThatThrownBy(() -> table(columns, directory.toString(), "{\"format\": \"csv\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("column raw is VARBINARY");
  }

  @Test
  void aLocationWithoutFilesIsNamed() {
    assertThatThrownBy(
            () ->
                table(
                    COLUMNS,
                    directory.resolve("none").toString(),
                    "{\"format\": \"csv\", \"decimals\": \"15,2\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no file at '" + directory.resolve("none") + "'");
  }

  @Test
  void estimatesItsRows() throws Exception {
    NdpTable table =
        table(
            COLUMNS,
            directory.toString(),
            "{\"format\": \"csv\", \"decimals\": {\"price\": \"9,2\"}}");
    assertThat(table.columns()).hasToString("(id int64 not null, price decimal(9,2) not null)");
    assertThat(table.getTableStatistics(null).getRowCount()).isEqualTo(1);
  }

  private static NdpTable table(Schema columns, String location, String properties)
      throws Exception {
    return (NdpTable)
        new NdpTableProvider()
            .buildBeamSqlTable(
                Table.builder()
                    .type(NdpTableProvider.TYPE)
                    .name("t")
                    .location(location)
                    .schema(columns)
                    .properties((ObjectNode) new ObjectMapper().readTree(properties))
                    .build());
  }
}
