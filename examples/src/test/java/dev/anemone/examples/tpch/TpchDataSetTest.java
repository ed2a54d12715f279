// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TpchDataSetTest {
  private static final double SMALL = 0.001;

  @TempDir private Path directory;

  @Test
  void missingDataIsGeneratedAndLaterFound() throws IOException {
    Path place = directory.resolve("data");
    TpchDataSet generated = TpchDataSet.open(place, SMALL);
    long lineItemBytes = generated.bytes(TpchTable.LINEITEM);
    var time = Files.getLastModifiedTime(place.resolve("lineitem.tbl"));

    TpchDataSet found = TpchDataSet.open(place, SMALL);

    assertThat(found.bytes(TpchTable.LINEITEM)).isEqualTo(lineItemBytes).isPositive();
    assertThat(Files.getLastModifiedTime(place.resolve("lineitem.tbl"))).isEqualTo(time);
  }

  @Test
  void bigTablesHaveSeveralPartsThatTogetherHoldEveryRow() throws IOException {
    TpchDataSet dataSet = TestData.scale(0.1);

    assertThat(Path.of(dataSet.directory(), "lineitem.tbl.1")).exists();
    assertThat(Path.of(dataSet.directory(), "lineitem.tbl.2")).exists();
    assertThat(lines(dataSet, TpchTable.LINEITEM)).isEqualTo(600_572);
    assertThat(lines(dataSet, TpchTable.ORDERS)).isEqualTo(150_000);
    assertThat(lines(dataSet, TpchTable.NATION)).isEqualTo(25);
  }

  @Test
  void anEmptyDirectoryIsFilled() throws IOException {
    Path place = Files.createDirectory(directory.resolve("empty"));

    assertThat(TpchDataSet.open(place, SMALL).bytes(TpchTable.REGION)).isPositive();
  }

  @Test
  void generatingTheSameDataTwiceAtATimeGivesOneDataSetAndNoRest() throws Exception {
    Path place = directory.resolve("data");
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      Callable<TpchDataSet> open = () -> TpchDataSet.open(place, SMALL);
      for (Future<TpchDataSet> dataSet : executor.invokeAll(List.of(open, open))) {
        assertThat(dataSet.get().bytes(TpchTable.ORDERS)).isPositive();
      }
    } finally {
      executor.shutdownNow();
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(place);
    }
  }

  @Test
  void anotherScaleIsRefused() throws IOException {
    Path place = directory.resolve("data");
    TpchDataSet.open(place, SMALL);

    assertThatThrownBy(() -> TpchDataSet.open(place, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds data of scale 0.001")
        .hasMessageContaining("--scale is 1");
  }

  @Test
  void anotherSkewIsRefused() throws IOException {
    Path plain = directory.resolve("plain");
    Path skewed = directory.resolve("skewed");
    TpchSkew skew = TpchSkew.parse("0.25:20");
    TpchDataSet.open(plain, SMALL);
    TpchDataSet.open(skewed, SMALL, skew);

    assertThatThrownBy(() -> TpchDataSet.open(plain, SMALL, skew))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--data="
                + plain
                + " holds data without skew, but --skew is customers=0.25:20. Give no --skew, or"
                + " another directory.");
    assertThatThrownBy(() -> TpchDataSet.open(skewed, SMALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--data="
                + skewed
                + " holds data of skew customers=0.25:20, but --skew is not given. Give"
                + " --skew=customers=0.25:20, or another directory.");
    assertThat(TpchDataSet.open(skewed, SMALL, skew).directory()).isEqualTo(skewed.toString());
  }

  @Test
  void dataOfEachScaleAndSkewHasANameOfItsOwn() {
    assertThat(TpchDataSet.name(0.1, TpchSkew.NONE)).isEqualTo("scale-0.1");
    assertThat(TpchDataSet.name(0.1, TestData.SKEW))
        .isEqualTo("scale-0.1-customers-0.25-20-orders-0.25-20");
  }

  @Test
  void aDirectoryWithoutAllTablesIsRefused() throws IOException {
    Files.writeString(directory.resolve("region.tbl"), "0|AFRICA|a|\n");

    assertThatThrownBy(() -> TpchDataSet.open(directory, SMALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--data=" + directory + " has no files of table nation: nation.tbl,");
  }

  @Test
  void aTableWithTheWrongNumberOfColumnsIsRefused() throws IOException {
    Path place = directory.resolve("data");
    TpchDataSet.open(place, SMALL);
    Path nation = place.resolve("nation.tbl");
    Files.writeString(nation, "0|ALGERIA|0|\n" + Files.readString(nation));

    assertThatThrownBy(() -> TpchDataSet.open(place, SMALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The file "
                + nation
                + ", line 1, has 3 columns, but table nation has 4, separated by |: n_nationkey,"
                + " n_name, n_regionkey, n_comment. The line: 0|ALGERIA|0|");
  }

  @Test
  void anEmptyTableIsRefused() throws IOException {
    Path place = directory.resolve("data");
    TpchDataSet.open(place, SMALL);
    Files.writeString(place.resolve("part.tbl"), "");

    assertThatThrownBy(() -> TpchDataSet.open(place, SMALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("part.tbl of table part is empty");
  }

  @Test
  void aTableInTwoFormatsIsRefused() throws IOException {
    Path place = directory.resolve("data");
    TpchDataSet.open(place, SMALL);
    Files.writeString(place.resolve("part.parquet"), "");

    assertThatThrownBy(() -> TpchDataSet.open(place, SMALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holds table part twice: ")
        .hasMessageContaining("part.tbl")
        .hasMessageContaining("part.parquet");
  }

  @Test
  void dataIsNotGeneratedOnOtherFileSystems() {
    assertThatThrownBy(() -> TpchDataSet.open("nosuch://host/tpch", SMALL, TpchSkew.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nosuch");
  }

  @Test
  void aScaleOutOfRangeIsRefused() {
    for (double scale : new double[] {0, -1, 1e9, Double.NaN}) {
      assertThatThrownBy(() -> TpchDataSet.open(directory, scale))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("--scale=");
    }
  }

  private static long lines(TpchDataSet dataSet, TpchTable table) throws IOException {
    long lines = 0;
    try (var files =
        Files.newDirectoryStream(Path.of(dataSet.directory()), table.tableName() + ".tbl*")) {
      for (Path file : files) {
        try (Stream<String> content = Files.lines(file)) {
          lines += content.count();
        }
      }
    }
    return lines;
  }
}
