// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Draws a figure, a curve for each policy, both axes logarithmic. */
final class PolicyChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  private PolicyChart() {}

  /**
   * Draws the curves.
   *
   * @param file a PNG; replaced
   * @throws IOException if it cannot be written
   */
  static void draw(NdpSimulatorFigures.Curve curve, Path file) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(curve.title())
            .xAxisTitle(curve.axis())
            .yAxisTitle("query time, s")
            .build();
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<NdpSimulatorFigures.Point> points = curve.points();
    add(chart, "NoPushdown", points, NdpSimulatorFigures.Point::noneSeconds);
    add(chart, "FullPushdown", points, NdpSimulatorFigures.Point::fullSeconds);
    add(chart, "oracle", points, NdpSimulatorFigures.Point::oracleSeconds);
    add(chart, "NearData", points, NdpSimulatorFigures.Point::nearDataSeconds);
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }

  private static void add(
      XYChart chart,
      String name,
      List<NdpSimulatorFigures.Point> points,
      ToDoubleFunction<NdpSimulatorFigures.Point> seconds) {
    chart.addSeries(
        name,
        points.stream().mapToDouble(NdpSimulatorFigures.Point::x).toArray(),
        points.stream().mapToDouble(seconds).toArray());
  }
}
