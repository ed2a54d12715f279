// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/**
 * Draws how the error of the estimate falls as more tasks are sampled, a curve for each shuffle.
 */
final class ErrorChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;
  private static final double PERCENT = 100;

  private ErrorChart() {}

  /**
   * Draws the curves.
   *
   * @param file a PNG; replaced
   * @throws IOException if it cannot be written
   */
  static void draw(SamplingErrorFigures figures, Path file) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(
                "Error of the estimated distribution over " + figures.partitions() + " partitions")
            .xAxisTitle("sampled producer tasks, %")
            .yAxisTitle("total variation distance, %")
            .build();
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    for (SamplingErrorFigures.Data data : figures.data()) {
      chart.addSeries(
          data.name(),
          data.samples().stream().mapToDouble(sample -> PERCENT * sample.rate()).toArray(),
          data.samples().stream().mapToDouble(sample -> PERCENT * sample.error()).toArray());
    }
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
