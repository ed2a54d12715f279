// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import java.io.IOException;
import java.nio.file.Path;

/** TPC-H data for tests, generated once per build directory. */
public final class TestData {
  /**
   * Twenty customers own a quarter of the orders, and twenty orders a quarter of the line items.
   */
  public static final TpchSkew SKEW = TpchSkew.parse("customers=0.25:20,orders=0.25:20");

  private TestData() {}

  public static TpchDataSet scale(double scale) throws IOException {
    return open(scale, TpchSkew.NONE);
  }

  public static TpchDataSet skewed(double scale) throws IOException {
    return open(scale, SKEW);
  }

  private static TpchDataSet open(double scale, TpchSkew skew) throws IOException {
    return TpchDataSet.open(
        Path.of("target", "tpch", TpchDataSet.name(scale, skew)).toAbsolutePath(), scale, skew);
  }
}
