package dev.anemone.examples.tpch;

import java.io.IOException;
import java.nio.file.Path;

/** TPC-H data for tests, generated once per build directory. */
final class TestData {
  private TestData() {}

  static TpchDataSet scale(double scale) throws IOException {
    return TpchDataSet.open(
        Path.of("target", "tpch", "scale-" + TpchDataSet.plain(scale)).toAbsolutePath(), scale);
  }
}
