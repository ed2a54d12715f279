// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws how the seeks of each policy grow, both axes logarithmic, beside P x C and C. */
final class GrowthChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  private static final BasicStroke DASHED =
      new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {4, 4}, 0);

  private GrowthChart() {}

  /**
   * Draws the curves.
   *
   * @param runs at least one; all numbers of tasks of a policy differ
   * @param file a PNG; replaced
   * @throws IOException if it cannot be written
   */
  static void draw(List<DiskReadsFigures.Run> runs, Path file) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Disk seeks of the consumers of a shuffle")
            .xAxisTitle("producers = consumers")
            .yAxisTitle("seeks")
            .build();
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<String> policies = runs.stream().map(DiskReadsFigures.Run::policy).distinct().toList();
    for (String policy : policies) {
      add(chart, policy, of(runs, policy), DiskReadsFigures.Run::seeks);
    }
    List<DiskReadsFigures.Run> shapes = of(runs, policies.get(0));
    asReference(add(chart, "P x C", shapes, DiskReadsFigures.Run::blocks));
    asReference(add(chart, "C", shapes, DiskReadsFigures.Run::consumers));
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }

  private static List<DiskReadsFigures.Run> of(List<DiskReadsFigures.Run> runs, String policy) {
    return runs.stream().filter(run -> run.policy().equals(policy)).toList();
  }

  private static XYSeries add(
      XYChart chart,
      String name,
      List<DiskReadsFigures.Run> runs,
      ToLongFunction<DiskReadsFigures.Run> value) {
    return chart.addSeries(
        name,
        runs.stream().mapToDouble(DiskReadsFigures.Run::consumers).toArray(),
        // No logarithm is as small as that of no seek at all.
        runs.stream().mapToDouble(run -> Math.max(1, value.applyAsLong(run))).toArray());
  }

  private static void asReference(XYSeries series) {
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(DASHED).setLineColor(Color.GRAY);
  }
}
