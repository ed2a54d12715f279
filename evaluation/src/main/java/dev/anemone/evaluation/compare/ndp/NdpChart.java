// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Draws the points of a figure as groups of bars, a bar for each pushdown. */
final class NdpChart {
  private static final int WIDTH = 1500;
  private static final int HEIGHT = 560;

  private NdpChart() {}

  /**
   * Draws the bars.
   *
   * @param file a PNG; replaced
   * @throws IOException if it cannot be written
   */
  static void draw(NdpFigures figures, String figure, Path file) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("TPC-H " + NdpTables.number(figures.scale()) + " by " + figure)
            .xAxisTitle("queries at Mbit/s, proxy cores")
            .yAxisTitle("query time, s")
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLabelRotation(45);
    List<NdpPoint> points = figures.points(figure);
    List<String> names = points.stream().map(NdpChart::name).toList();
    for (Pushdown pushdown : Pushdown.values()) {
      chart.addSeries(
          pushdown.text(),
          names,
          points.stream().map(point -> figures.seconds(point, pushdown)).toList());
    }
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }

  private static String name(NdpPoint point) {
    String queries =
        point.queries().size() == 1 ? point.queriesText() : point.queries().size() + " queries";
    return queries + " at " + NdpTables.number(point.megabits()) + ", " + point.proxyCores();
  }
}
