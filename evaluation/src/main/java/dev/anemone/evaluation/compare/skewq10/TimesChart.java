// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Draws the median job times as bars: a group for each condition, a bar for each policy. */
final class TimesChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  private TimesChart() {}

  /**
   * Draws the bars.
   *
   * @param file a PNG; replaced
   * @throws IOException if it cannot be written
   */
  static void draw(SkewQ10Figures figures, Path file) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Q10 on skewed data")
            .xAxisTitle("reads of consumer tasks")
            .yAxisTitle("job time, s")
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<String> conditions = figures.conditions().stream().map(Condition::name).toList();
    for (String policy : figures.policies()) {
      chart.addSeries(
          policy,
          conditions,
          figures.conditions().stream()
              .map(condition -> SkewQ10Figures.seconds(figures.of(policy, condition)).median())
              .toList());
    }
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
