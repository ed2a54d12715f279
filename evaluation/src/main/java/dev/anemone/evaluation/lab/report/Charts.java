// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.ChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;

/** Charts that look alike. */
public final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  private Charts() {}

  /** A chart of curves, without any yet. */
  public static XYChart curves(String title, String x, String y) {
    return onWhite(sized(new XYChartBuilder()).title(title).xAxisTitle(x).yAxisTitle(y).build());
  }

  /** The same with both axes logarithmic. */
  public static XYChart logarithmicCurves(String title, String x, String y) {
    XYChart chart = curves(title, x, y);
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
    return chart;
  }

  /** A chart of groups of bars, without any yet. */
  public static CategoryChart bars(String title, String x, String y) {
    return onWhite(
        sized(new CategoryChartBuilder()).title(title).xAxisTitle(x).yAxisTitle(y).build());
  }

  /** Adds a curve with a point for each of some things. */
  public static <T> XYSeries add(
      XYChart chart, String name, List<T> of, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    return chart.addSeries(
        name, of.stream().mapToDouble(x).toArray(), of.stream().mapToDouble(y).toArray());
  }

  private static <B extends ChartBuilder<B, ?>> B sized(B builder) {
    return builder.width(WIDTH).height(HEIGHT);
  }

  private static <C extends Chart<?, ?>> C onWhite(C chart) {
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    return chart;
  }

  public static void save(Chart<?, ?> chart, Path file) throws IOException {
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
