// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.papers.crail.CrailFigures;
import dev.anemone.evaluation.papers.dmo.DmoFigures;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.lee.LeeFigures;
import dev.anemone.evaluation.papers.netspark.NetSparkFigures;
import dev.anemone.evaluation.papers.scale.ScaleFigures;
import dev.anemone.evaluation.papers.sparkndp.SparkNdpFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run papers}: figures of the papers, listed and repeated. */
@Command(name = "papers")
public final class Papers extends ExperimentCommand {

  @Option(
      names = "--figure",
      split = ",",
      paramLabel = "ID",
      description = "Figures to repeat, as they are listed without this option.")
  private List<String> ids = List.of();

  @Option(names = "--all", description = "Repeat all that need no root's rights.")
  private boolean all;

  @Option(
      names = "--scale",
      defaultValue = "small",
      description = "${COMPLETION-CANDIDATES}: as small as shows the same, or as the paper.")
  private Scale scale;

  enum Scale {
    SMALL,
    FULL
  }

  /** What came of the figures that are repeated here. */
  record Figures(Scale scale, List<FigureOutcome> outcomes) {}

  private static final List<PaperFigure> FIGURES =
      Stream.of(
              SparkNdpFigures.all(),
              LeeFigures.all(),
              DmoFigures.all(),
              CrailFigures.all(),
              NetSparkFigures.all(),
              ScaleFigures.all())
          .flatMap(List::stream)
          .toList();

  @Override
  protected void check() {
    for (String id : ids) {
      require(
          "--figure",
          id,
          FIGURES.stream().anyMatch(figure -> figure.id().equals(id)),
          "there are " + FIGURES.stream().map(PaperFigure::id).collect(Collectors.joining(", ")));
    }
    require("--all", all, ids.isEmpty() || !all, "give --figure or --all, not both");
  }

  @Override
  protected boolean measure() throws Exception {
    if (ids.isEmpty() && !all) {
      list();
      return true;
    }
    List<PaperFigure> chosen =
        FIGURES.stream()
            .filter(figure -> all ? !figure.needsRoot() : ids.contains(figure.id()))
            .toList();
    List<FigureOutcome> outcomes = new ArrayList<>();
    List<Object> paragraphs = new ArrayList<>();
    FigureRun run =
        new FigureRun(
            scale == Scale.FULL, directory(), evaluation(), line -> progress("  %s", line));
    for (PaperFigure figure : chosen) {
      progress("%s: %s", figure.id(), figure.question());
      FigureOutcome outcome = figure.repeat(run);
      outcomes.add(outcome);
      paragraphs.add(text("%s: %s %s", outcome.id(), figure.question(), outcome.setUp()));
      paragraphs.add(table(outcome));
      paragraphs.add(claims(outcome));
    }
    paragraphs.add("Pictures: " + directory());
    publish(
        new Figures(scale, outcomes),
        text("%d figures of papers", outcomes.size()),
        paragraphs.toArray());
    return true;
  }

  private void list() {
    MarkdownTable table =
        new MarkdownTable("figure; question; minutes; root; command of evaluation/run");
    for (PaperFigure figure : FIGURES) {
      table.row(
          figure.id(),
          figure.question(),
          figure.minutes(),
          figure.needsRoot() ? "yes" : "no",
          "papers --figure=" + figure.id());
    }
    print(table.toString());
  }

  private static MarkdownTable table(FigureOutcome outcome) {
    List<String> columns = new ArrayList<>();
    for (String column : outcome.columns()) {
      columns.add(columns.isEmpty() ? column : column + "|%.1f");
    }
    MarkdownTable table = new MarkdownTable(columns);
    for (Point point : outcome.points()) {
      table.row(
          Stream.concat(
                  Stream.of(point.x()),
                  point.values().stream().map(value -> value.isNaN() ? "-" : value))
              .toArray());
    }
    return table;
  }

  private static String claims(FigureOutcome outcome) {
    MarkdownTable table = new MarkdownTable("the paper; ours; holds");
    for (Claim claim : outcome.claims()) {
      table.row(claim.paper(), claim.ours(), claim.holds() ? "yes" : "NO");
    }
    return table + "\n" + outcome.id() + ": " + outcome.verdict();
  }
}
