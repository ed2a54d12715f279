// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Draws the best rate of each side over the size of an operation. */
final class ThroughputChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  private ThroughputChart() {}

  /**
   * Draws a curve for each side.
   *
   * @param file a PNG; replaced
   * @throws IOException if it cannot be written
   */
  static void draw(ThroughputFigures figures, Direction direction, Path file) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(direction + " of another process's memory")
            .xAxisTitle("bytes of an operation")
            .yAxisTitle("MB/s, the best number of threads")
            .build();
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    for (String side : figures.sides()) {
      List<Integer> sizes =
          figures.cells().stream()
              .filter(cell -> cell.side().equals(side) && cell.direction() == direction)
              .map(ThroughputFigures.Cell::bytes)
              .distinct()
              .sorted()
              .toList();
      if (!sizes.isEmpty()) {
        chart.addSeries(
            side,
            sizes.stream().mapToDouble(Integer::doubleValue).toArray(),
            sizes.stream()
                .mapToDouble(bytes -> figures.best(side, direction, bytes).orElseThrow() / 1e6)
                .toArray());
      }
    }
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
